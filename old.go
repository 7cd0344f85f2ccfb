package ferry

import (
	"context"
	"sync/atomic"
)

// MayBeOld calls ask with a context in which Read units may get old rows by key: a store may
// take them from its cache, without asking its database. Use it for a question whose answer
// a Write unit checks again before it acts on it.
//
// MayBeOld returns no error that comes from an old row. When ask fails and a row may have
// been old, ask is called a second time, and then its Read units get no old rows.
func MayBeOld(ctx context.Context, ask func(context.Context) error) error {
	outer, inside := ctx.Value(oldRowsKey{}).(*oldRows)
	if inside && outer == nil {
		return ask(ctx)
	}
	old := &oldRows{Context: ctx, outer: outer}
	err := ask(old)
	if err == nil || !old.taken.Load() {
		return err
	}
	return ask(context.WithValue(ctx, oldRowsKey{}, (*oldRows)(nil)))
}

type oldRowsKey struct{}

// oldRows is the context of a call of ask, and says whether the call got rows that may be
// old. A nil pointer as its value in a context marks the second call, which gets none.
type oldRows struct {
	context.Context
	taken atomic.Bool
	outer *oldRows // of the MayBeOld around this one, or nil
}

// Value is o itself for its key.
func (o *oldRows) Value(key any) any {
	if key == (oldRowsKey{}) {
		return o
	}
	return o.Context.Value(key)
}

// TakesOld reports whether the Read units of a context may get old rows. It is for stores: a
// store that returns a row which may be old calls took.
func TakesOld(ctx context.Context) (took func(), may bool) {
	old, _ := ctx.Value(oldRowsKey{}).(*oldRows)
	return func() {
		for o := old; o != nil; o = o.outer {
			o.taken.Store(true)
		}
	}, old != nil
}
