package disburse

import (
	"context"
	"errors"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
)

// Place is how far the reports of an environment's bank about payments were read.
type Place struct {
	Env     ferry.Env
	Cursor  bank.Cursor
	Version int64
}

// PlaceKind is what a place is as a row: one for each environment whose bank was read.
var PlaceKind = records.Define(records.Kind[ferry.Env, Place]{
	Name: "bank_outcomes",
	Columns: func(p *Place) []records.Column {
		return []records.Column{records.Env(&p.Env), records.Version(&p.Version), records.Text("cursor", &p.Cursor)}
	},
	Key:   []string{"env"},
	Scope: func(p *Place) ferry.Scope { return ferry.Scope{Env: p.Env} },
})

// Follower takes what a bank reports of a payment.
type Follower interface {
	// Follow records an outcome that a bank reports, once, and however often it is reported.
	// Outcomes of payments that are not its own change nothing.
	Follow(context.Context, ferry.Env, bank.Outcome) error
}

// FeedTx is what a Feed touches in a unit of work.
type FeedTx interface {
	ferry.Unit
	records.Tx
}

// Feed reads what banks report of payments, so that an outcome is known before its bank is
// asked again, and a payment that came back is known at all.
type Feed struct {
	units     ferry.EnvUnits[FeedTx]
	banks     map[ferry.Env]bank.Bank
	followers []Follower

	reached sync.Map // ferry.Env -> bank.Cursor: where this process found no report last
}

// NewFeed returns a Feed over units for the banks of its environments.
func NewFeed(units ferry.EnvUnits[FeedTx], banks map[ferry.Env]bank.Bank, followers ...Follower) *Feed {
	return &Feed{units: units, banks: banks, followers: followers}
}

// Forget drops what this process remembers of its places: banks and store begin anew.
func (f *Feed) Forget() { f.reached.Clear() }

// RunDue reads at most limit reports of each bank, and returns how many were recorded. A
// report that a follower cannot record is read again in the next pass, with those behind it.
func (f *Feed) RunDue(ctx context.Context, limit int) (done int, failed error) {
	for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
		b, err := ferry.Provider(f.banks, env, bank.ErrNone)
		if err != nil {
			continue
		}
		n, err := f.read(ctx, env, b, limit)
		done += n
		failed = errors.Join(failed, err)
	}
	return done, failed
}

// read reads the reports of one bank behind the place that was reached. A bank without new
// reports costs the store nothing.
func (f *Feed) read(ctx context.Context, env ferry.Env, b bank.Bank, limit int) (done int, err error) {
	if reached, known := f.reached.Load(env); known {
		page, err := b.Outcomes(ctx, reached.(bank.Cursor), 1)
		if err != nil || len(page) == 0 {
			return 0, err
		}
	}
	place, err := ferry.InRead(ctx, f.units.In(env), func(ctx context.Context, tx FeedTx) (Place, error) {
		return PlaceKind.GetOr(ctx, tx, Place{Env: env})
	})
	if err != nil {
		return 0, err
	}
	page, err := b.Outcomes(ctx, place.Cursor, limit)
	switch {
	case err != nil:
		return 0, err
	case len(page) == 0:
		f.reached.Store(env, place.Cursor)
		return 0, nil
	}
	reached := place.Cursor
	for _, o := range page {
		failed := f.follow(ctx, env, o)
		if err = errors.Join(err, failed); err == nil {
			reached = o.Cursor
		}
		if failed == nil {
			done++
		}
	}
	if reached != place.Cursor {
		err = errors.Join(err, f.pass(ctx, env, reached))
	}
	return done, err
}

func (f *Feed) follow(ctx context.Context, env ferry.Env, o bank.Outcome) (err error) {
	for _, follower := range f.followers {
		err = errors.Join(err, follower.Follow(ctx, env, o))
	}
	return err
}

// pass saves the place that was reached. Another process may have saved a later one: then the
// reports between are read once more.
func (f *Feed) pass(ctx context.Context, env ferry.Env, reached bank.Cursor) error {
	return f.units.In(env).Write(ctx, func(ctx context.Context, tx FeedTx) error {
		place, err := PlaceKind.GetOr(ctx, tx, Place{Env: env})
		if err != nil {
			return err
		}
		place.Cursor = reached
		return PlaceKind.Put(ctx, tx, place)
	})
}
