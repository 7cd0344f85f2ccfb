package storefault

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// hookedTable is the table of a kind of record with hooks around each operation.
type hookedTable[K ~string, R any] struct {
	records.Table[K, R]
	name string
	hooks
}

func hookTable[K ~string, R any](t records.Table[K, R], name string, h hooks) records.Table[K, R] {
	return hookedTable[K, R]{t, name, h}
}

func (t hookedTable[K, R]) Insert(ctx context.Context, row R) error {
	if err := t.before(t.name + ".Insert"); err != nil {
		return err
	}
	return t.after(t.Table.Insert(ctx, row))
}

func (t hookedTable[K, R]) Update(ctx context.Context, row R) error {
	if err := t.before(t.name + ".Update"); err != nil {
		return err
	}
	return t.after(t.Table.Update(ctx, row))
}

func (t hookedTable[K, R]) Get(ctx context.Context, scope ferry.Scope, id K) (row R, err error) {
	if err = t.before(t.name + ".Get"); err != nil {
		return
	}
	return t.Table.Get(ctx, scope, id)
}

func (t hookedTable[K, R]) Anyones(ctx context.Context, like R) (row R, err error) {
	if err = t.before(t.name + ".Anyones"); err != nil {
		return
	}
	return t.Table.Anyones(ctx, like)
}

func (t hookedTable[K, R]) Find(ctx context.Context, by *records.Unique, like R) (row R, err error) {
	if err = t.before(t.name + ".Find"); err != nil {
		return
	}
	return t.Table.Find(ctx, by, like)
}

func (t hookedTable[K, R]) After(ctx context.Context, q records.Query, after K, limit int) (rows []R, err error) {
	if err = t.before(t.name + ".After"); err != nil {
		return
	}
	return t.Table.After(ctx, q, after, limit)
}

// hookedListed is hookedTable of rows that are listed.
type hookedListed[K ~string, R any] struct {
	records.Table[K, R]
	of    records.Listed[K, R]
	name  string
	hooks hooks
}

func hookListed[K ~string, R any](t records.Listed[K, R], name string, h hooks) records.Listed[K, R] {
	return hookedListed[K, R]{hookTable[K, R](t, name, h), t, name, h}
}

func (t hookedListed[K, R]) Page(ctx context.Context, scope ferry.Scope, q records.Query, page ferry.Page) (list ferry.List[R], err error) {
	if err = t.hooks.before(t.name + ".Page"); err != nil {
		return
	}
	return t.of.Page(ctx, scope, q, page)
}
