package storetest

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// kindCase is rows of one kind of record: what the suite needs beside the declaration
// of the kind, from which it derives the rest.
type kindCase[K ~string, R any] struct {
	kind *records.Kind[K, R]
	// row is the n-th row of a scope, with no field empty.
	row func(scope ferry.Scope, n int) R
	// change changes some columns that an update may change, and every word among these.
	change func(*R)
	// vary makes the n-th of listed rows differ from others; nil when they are not listed.
	vary func(row *R, n int)
	// given is numbers that the store itself gives, of which row says nothing. They are
	// tested elsewhere.
	given []string
	// needed is columns that are never empty, beside words and what every row has.
	needed []string
	// made is columns of which rows make the one that is searched, when they make it.
	made []string
	// before, if not nil, adds what a row refers to, unless it is there.
	before func(ctx context.Context, p store.Ports, row R) error
}

// kindCases are the cases of kinds: one of each, or more.
var kindCases = map[*records.Shape][]tested{}

// caseOf registers a case where it is declared.
func caseOf[K ~string, R any](k kindCase[K, R]) kindCase[K, R] {
	kindCases[k.kind.Shape] = append(kindCases[k.kind.Shape], k.untyped())
	return k
}

func (k kindCase[K, R]) insert(ctx context.Context, p store.Ports, row R) error {
	return k.untyped().insert(ctx, p, row)
}

func (k kindCase[K, R]) inserted(row R) body { return k.untyped().inserted(row) }
func (k kindCase[K, R]) updated(row R) body  { return k.untyped().updated(row) }

// in reads a row in a scope, without what the store itself gave.
func (k kindCase[K, R]) in(scope ferry.Scope, row R) func(context.Context, store.Ports) (R, error) {
	read := k.untyped().in(scope, row)
	return func(ctx context.Context, p store.Ports) (found R, err error) {
		row, err := read(ctx, p)
		if err == nil {
			found = row.(R)
		}
		return found, err
	}
}

// tested is a case whose rows have no type, each an R as any: so the compiler makes the suite once,
// and not once for each kind.
type tested struct {
	kind                *records.Shape
	rows                rows
	row                 func(scope ferry.Scope, n int) any
	change              func(row any) any
	vary                func(row any, n int) any
	given, needed, made []string
	before              func(ctx context.Context, p store.Ports, row any) error
}

func (k kindCase[K, R]) untyped() tested {
	u := tested{
		kind: k.kind.Shape, rows: typed[K, R]{k.kind}, given: k.given, needed: k.needed, made: k.made,
		row: func(scope ferry.Scope, n int) any { return k.row(scope, n) },
		change: func(row any) any {
			changed := row.(R)
			k.change(&changed)
			return changed
		},
	}
	if k.vary != nil {
		u.vary = func(row any, n int) any {
			varied := row.(R)
			k.vary(&varied, n)
			return varied
		}
	}
	if k.before != nil {
		u.before = func(ctx context.Context, p store.Ports, row any) error { return k.before(ctx, p, row.(R)) }
	}
	return u
}

// rows is what the suite calls of a kind, of rows without a type.
type rows interface {
	// none is an empty row.
	none() any
	// bound is a copy of a row with its columns bound, and borrow is one until Release.
	bound(row any) *records.Bound
	borrow(row any) *records.Bound
	// of is the row of a Bound.
	of(b *records.Bound) any

	Insert(ctx context.Context, p store.Ports, row any) error
	InsertAs(ctx context.Context, p store.Ports, row any, refused func(error) error) error
	Add(ctx context.Context, p store.Ports, row any) (any, error)
	Get(ctx context.Context, p store.Ports, scope ferry.Scope, id string) (any, error)
	GetOr(ctx context.Context, p store.Ports, missing any) (any, error)
	Peek(ctx context.Context, p store.Ports, scope ferry.Scope, id string) (any, error)
	Prefetch(p store.Ports, scope ferry.Scope, id string)
	Expect(p store.Ports, row any)
	Anyones(ctx context.Context, p store.Ports, like any) (any, error)
	Find(ctx context.Context, p store.Ports, by *records.Unique, like any) (any, error)
	Update(ctx context.Context, p store.Ports, row any) error
	Put(ctx context.Context, p store.Ports, row any) error
	After(ctx context.Context, p store.Ports, q records.Query, after string, limit int) ([]any, error)
	Page(ctx context.Context, p store.Ports, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[any], error)
}

// typed calls a kind.
type typed[K ~string, R any] struct{ kind *records.Kind[K, R] }

func (k typed[K, R]) none() any { return *new(R) }

func (k typed[K, R]) bound(row any) *records.Bound {
	r := row.(R)
	return &records.Bound{Row: &r, Cells: k.kind.CellsOf(&r)}
}

func (k typed[K, R]) borrow(row any) *records.Bound { return k.kind.Borrow(row.(R)) }

func (k typed[K, R]) of(b *records.Bound) any { return k.kind.Row(b) }

func (k typed[K, R]) Insert(ctx context.Context, p store.Ports, row any) error {
	return k.kind.Insert(ctx, p, row.(R))
}

func (k typed[K, R]) InsertAs(ctx context.Context, p store.Ports, row any, refused func(error) error) error {
	return k.kind.InsertAs(ctx, p, row.(R), refused)
}

func (k typed[K, R]) Add(ctx context.Context, p store.Ports, row any) (any, error) {
	return untyped(k.kind.Add(ctx, p, row.(R)))
}

func (k typed[K, R]) Get(ctx context.Context, p store.Ports, scope ferry.Scope, id string) (any, error) {
	return untyped(k.kind.Get(ctx, p, scope, K(id)))
}

func (k typed[K, R]) GetOr(ctx context.Context, p store.Ports, missing any) (any, error) {
	return untyped(k.kind.GetOr(ctx, p, missing.(R)))
}

func (k typed[K, R]) Peek(ctx context.Context, p store.Ports, scope ferry.Scope, id string) (any, error) {
	row, err := k.kind.Peek(ctx, p, scope, K(id))
	if err != nil {
		return nil, err
	}
	return *row, nil
}

func (k typed[K, R]) Prefetch(p store.Ports, scope ferry.Scope, id string) {
	k.kind.Prefetch(p, scope, K(id))
}

func (k typed[K, R]) Expect(p store.Ports, row any) { k.kind.Expect(p, row.(R)) }

func (k typed[K, R]) Anyones(ctx context.Context, p store.Ports, like any) (any, error) {
	return untyped(k.kind.Anyones(ctx, p, like.(R)))
}

func (k typed[K, R]) Find(ctx context.Context, p store.Ports, by *records.Unique, like any) (any, error) {
	return untyped(k.kind.Find(ctx, p, by, like.(R)))
}

func (k typed[K, R]) Update(ctx context.Context, p store.Ports, row any) error {
	return k.kind.Update(ctx, p, row.(R))
}

func (k typed[K, R]) Put(ctx context.Context, p store.Ports, row any) error {
	return k.kind.Put(ctx, p, row.(R))
}

func (k typed[K, R]) After(ctx context.Context, p store.Ports, q records.Query, after string, limit int) ([]any, error) {
	found, err := k.kind.After(ctx, p, q, K(after), limit)
	return untypedAll(found), err
}

func (k typed[K, R]) Page(ctx context.Context, p store.Ports, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[any], error) {
	list, err := k.kind.Page(ctx, p, scope, q, page)
	return ferry.List[any]{Data: untypedAll(list.Data), Total: list.Total}, err
}

// untyped is a row without its type.
func untyped[R any](row R, err error) (any, error) { return row, err }

func untypedAll[R any](rows []R) []any {
	all := make([]any, len(rows))
	for i, row := range rows {
		all[i] = row
	}
	return all
}

// inScope is a row of scope home as another scope would have it.
func inScope[R any](row func(int) R, set func(*R, ferry.Scope)) func(ferry.Scope, int) R {
	return func(scope ferry.Scope, n int) R {
		r := row(n)
		set(&r, scope)
		return r
	}
}
