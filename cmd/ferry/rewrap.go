package main

import (
	"context"
	"errors"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/seal/tinkseal"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

type rewrapCommand struct{ sealedChoice }

var errUnopened = errors.New("some rows do not open and were left as they are")

// rewrapView is what was done, as it is printed.
type rewrapView struct {
	Resealed int            `json:"resealed"`
	Current  int            `json:"current"`
	Failed   []unopenedView `json:"failed"`
}

type unopenedView struct {
	Environment ferry.Env        `json:"environment"`
	BusinessID  ferry.BusinessID `json:"business_id"`
	Kind        string           `json:"kind"`
	ID          string           `json:"id"`
	Problem     string           `json:"problem"`
}

// Run seals everything anew, beside servers that run, and prints what it did.
func (c rewrapCommand) Run(ctx context.Context) error {
	return c.with(ctx, func(p production) error {
		view, err := p.rewrap(ctx)
		if err != nil {
			return err
		}
		return errors.Join(printJSON(os.Stdout, view), onlyIf(len(view.Failed) > 0, errUnopened))
	})
}

// rewrap makes passes until one finds nothing to seal anew.
func (p *production) rewrap(ctx context.Context) (view rewrapView, err error) {
	for {
		report, err := p.Rewrap(ctx)
		if err != nil {
			return view, err
		}
		view.Resealed += report.Resealed
		if report.Resealed == 0 {
			view.Current, view.Failed = report.Current, viewUnopened(report.Failed)
			return view, p.keys.claim(ctx, p.store)
		}
	}
}

func viewUnopened(rows []engine.Unopened) []unopenedView {
	views := make([]unopenedView, 0, len(rows))
	for _, r := range rows {
		views = append(views, unopenedView{r.Scope.Env, r.Scope.Business, r.Kind, r.ID, r.Err.Error()})
	}
	return views
}

type dropKeyCommand struct {
	sealedChoice
	ID string `arg:"" help:"The key's id, as list prints it."`
}

// Run removes a key of the keyset that nothing in the store is sealed under, and
// prints those that are left.
func (c dropKeyCommand) Run(ctx context.Context) error {
	chosen, err := c.chosen()
	if err != nil {
		return err
	}
	kek, err := chosen.Keyset.kek()
	if err != nil {
		return err
	}
	err = c.with(ctx, func(p production) error {
		return tinkseal.Drop(chosen.Keyset.File, kek, c.ID, func(id string) (int, error) { return p.sealedUnder(ctx, id) })
	})
	if err != nil {
		return err
	}
	return chosen.Keyset.printKeys()
}

// sealedUnder counts what is sealed under a key, the setting of the keyset
// included.
func (p *production) sealedUnder(ctx context.Context, id string) (int, error) {
	n, err := p.SealedUnder(ctx, id)
	if err != nil {
		return 0, err
	}
	var sealed []byte
	err = p.store.Read(ctx, func(ctx context.Context, tx store.Ports) error {
		sealed, _, err = settings.Get(ctx, tx, canaryName)
		return err
	})
	if seal.KeyOf(p.keys.sealer, sealed) == id {
		n++
	}
	return n, err
}
