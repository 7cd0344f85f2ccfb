package widgets

import (
	"context"
	"io"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/records"
)

// Config is what a Service needs besides its stores. All fields are required.
type Config struct {
	// Businesses makes the keys of widgets.
	Businesses *business.Service
	// Digest is the digest under which the token of a session is kept.
	Digest func(token string) string
	// Random is the source of tokens.
	Random io.Reader
}

// Service is the widgets of all businesses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service { return &Service{units, config} }

// Get returns a widget by its id in either form, or ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, id string) (Widget, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Widget, error) { return GetIn(ctx, tx, scope, id) })
}

// GetIn is Get within a unit.
func GetIn(ctx context.Context, tx Tx, scope ferry.Scope, id string) (Widget, error) {
	canonical, ok := ferry.CanonicalID(Prefix, id)
	if !ok {
		return Widget{}, ErrNotFound
	}
	return WidgetKind.Get(ctx, tx, scope, ID(canonical))
}

// OfKeyIn returns the widget of a widget key, or ErrNotFound.
func OfKeyIn(ctx context.Context, tx Tx, key business.Key) (Widget, error) {
	if key.Type != business.WidgetKey {
		return Widget{}, ErrNotFound
	}
	return WidgetKind.Find(ctx, tx, byKey, byKeyOf(key))
}

// Filter selects widgets. An empty field selects all.
type Filter struct {
	Status Status
	Range  ferry.Range
}

// List lists the widgets of a scope, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Widget], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Widget], error) {
		return ListIn(ctx, tx, scope, f, page)
	})
}

// ListIn is List within a unit.
func ListIn(ctx context.Context, tx Tx, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Widget], error) {
	return WidgetKind.Page(ctx, tx, scope, records.Where(records.Is("status", f.Status)).During(f.Range), page)
}
