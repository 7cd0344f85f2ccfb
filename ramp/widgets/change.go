package widgets

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ramp"
)

// UpdateParams are what changes of a widget. Nil leaves a field as it is.
type UpdateParams struct {
	Name        *string
	Sides       *[]ramp.Side
	Theme       *Theme
	Destination *string
	// Domains and Status end at once the sessions that they no longer allow.
	Domains *[]string
	Status  *Status
}

// Update changes a widget. Errors: ErrNotFound, ferry.ErrValidation.
func (s *Service) Update(ctx context.Context, scope ferry.Scope, id string, p UpdateParams) (Widget, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Widget, error) { return UpdateIn(ctx, tx, scope, id, p) })
}

// UpdateIn is Update within a unit.
func UpdateIn(ctx context.Context, tx Tx, scope ferry.Scope, id string, p UpdateParams) (Widget, error) {
	if p.Status != nil && !slices.Contains(Statuses(), *p.Status) {
		return Widget{}, ferry.ErrValidation.About("status", "Must be active or disabled")
	}
	return changeIn(ctx, tx, scope, id, func(w *Widget) {
		replace(&w.Name, p.Name)
		replace(&w.Sides, p.Sides)
		replace(&w.Theme, p.Theme)
		replace(&w.Destination, p.Destination)
		replace(&w.Domains, p.Domains)
		replace(&w.Status, p.Status)
	})
}

// SetDomains replaces the origins of a widget. Sessions of pages that are no longer among them end
// at once. Errors: ErrNotFound, ferry.ErrValidation.
func (s *Service) SetDomains(ctx context.Context, scope ferry.Scope, id string, domains []string) (Widget, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Widget, error) {
		return SetDomainsIn(ctx, tx, scope, id, domains)
	})
}

// SetDomainsIn is SetDomains within a unit.
func SetDomainsIn(ctx context.Context, tx Tx, scope ferry.Scope, id string, domains []string) (Widget, error) {
	return UpdateIn(ctx, tx, scope, id, UpdateParams{Domains: &domains})
}

// SetStatus opens or closes a widget. Errors: ErrNotFound, ferry.ErrValidation.
func (s *Service) SetStatus(ctx context.Context, scope ferry.Scope, id string, status Status) (Widget, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Widget, error) {
		return SetStatusIn(ctx, tx, scope, id, status)
	})
}

// SetStatusIn is SetStatus within a unit.
func SetStatusIn(ctx context.Context, tx Tx, scope ferry.Scope, id string, status Status) (Widget, error) {
	return UpdateIn(ctx, tx, scope, id, UpdateParams{Status: &status})
}

// changeIn changes a widget and keeps it, if it is sound then.
func changeIn(ctx context.Context, tx Tx, scope ferry.Scope, id string, change func(*Widget)) (Widget, error) {
	w, err := GetIn(ctx, tx, scope, id)
	if err != nil {
		return Widget{}, err
	}
	change(&w)
	if w, err = w.checked(); err != nil {
		return Widget{}, err
	}
	w.UpdatedAt = tx.Now()
	return WidgetKind.Save(ctx, tx, w)
}

func replace[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
