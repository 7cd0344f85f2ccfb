package ferry

import (
	"context"
	"sync/atomic"
)

// MayBeOld calls ask with a context in which Read units may be given rows by key that are
// old: a store may take them from memory, without asking its database. It is for questions
// whose answer a Write unit checks again before anything is done by it. No error of ask is
// for an old row: when it returns one and a row may have been old, ask is called again, and
// its Read units see the present.
func MayBeOld(ctx context.Context, ask func(context.Context) error) error {
	outer, inside := ctx.Value(oldRowsKey{}).(*oldRows)
	if inside && outer == nil {
		return ask(ctx)
	}
	old := &oldRows{outer: outer}
	err := ask(context.WithValue(ctx, oldRowsKey{}, old))
	if err == nil || !old.taken.Load() {
		return err
	}
	return ask(context.WithValue(ctx, oldRowsKey{}, (*oldRows)(nil)))
}

type oldRowsKey struct{}

// oldRows is what a call of MayBeOld knows of the rows that were given to it. Nil is its
// second call, which gets no old row.
type oldRows struct {
	taken atomic.Bool
	outer *oldRows
}

// TakesOld reports whether the Read units of a context may be given old rows. A store that
// gives one calls took.
func TakesOld(ctx context.Context) (took func(), may bool) {
	old, _ := ctx.Value(oldRowsKey{}).(*oldRows)
	return func() {
		for o := old; o != nil; o = o.outer {
			o.taken.Store(true)
		}
	}, old != nil
}
