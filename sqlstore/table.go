package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// table describes how rows of one kind are stored, and reads and writes them
// within a unit. Each table has a column "version" beside its fields: mostly 1 when
// a row is inserted, and 1 more with each update.
type table[R any] struct {
	name string
	// key names the primary key's columns.
	key []string
	// fields ties the columns to a row, the version left out.
	fields func(*R) []field
	// version is the place of the version within a row.
	version func(*R) *int64
	// shape, if not nil, is the declared kind of the rows: see kind.go. It says what the
	// functions here say of others.
	shape *records.Shape
	// unique lists the other columns that lead to one row at most.
	unique []unique
	// first, if not nil, is the version of a row that is inserted, else 1. Rows
	// whose key may come back after they were removed need one that does not:
	// else who has read the old row would take the new one for it.
	first func(R) int64
	// missing is the error of a read by key that finds nothing; exists that
	// of an insert whose primary key is taken.
	missing, exists error

	sql  statements
	pool *sync.Pool // of *bound[R]
}

// bound is a row with its columns at hand.
type bound[R any] struct {
	row     R
	of      *records.Bound // holds the row, instead of row, when its kind is declared
	fields  []field
	places  []any // of the fields, and of the version behind them
	version *int64
}

// unique is a unique index of a table.
type unique struct {
	columns []string
	at      []int // of the columns among the fields
	// when is the condition of a partial index.
	when string
	// taken is the error of a write that repeats the columns.
	taken error
}

// statements are the SQL texts of a table.
type statements struct {
	columns []string
	selects string // "SELECT columns, version FROM table WHERE "
	insert  string
	update  string
	delete  string
	key     []int // of the primary key among the fields
}

// define checks a table and writes its statements.
func define[R any](t table[R]) *table[R] {
	var marks, sets []string
	for _, f := range t.newBound().fields {
		t.sql.columns = append(t.sql.columns, f.column)
		mark := "?"
		if f.given != "" {
			mark = "(" + f.given + ")"
		}
		marks = append(marks, mark)
		if t.updated(f) {
			sets = append(sets, f.column+" = ?")
		}
	}
	if t.missing == nil {
		t.missing = fmt.Errorf("sqlstore: no such row of %s", t.name)
	}
	t.sql.key = t.at(t.key)
	for i, x := range t.unique {
		t.unique[i].at = t.at(x.columns)
		if x.taken == nil {
			t.unique[i].taken = fmt.Errorf("sqlstore: %s of %s is taken", strings.Join(x.columns, ", "), t.name)
		}
	}
	columns := strings.Join(t.sql.columns, ", ")
	where := conditions(t.key)
	t.sql.selects = fmt.Sprintf("SELECT %s, version FROM %s WHERE ", columns, t.name)
	t.sql.insert = fmt.Sprintf("INSERT INTO %s (%s, version) VALUES (%s, ?) ON CONFLICT DO NOTHING", t.name, columns, strings.Join(marks, ", "))
	t.sql.update = fmt.Sprintf("UPDATE %s SET %s WHERE %s AND version = ?", t.name, strings.Join(append(sets, "version = ?"), ", "), where)
	t.sql.delete = fmt.Sprintf("DELETE FROM %s WHERE %s AND version = ?", t.name, where)
	table := &t
	table.pool = &sync.Pool{New: func() any { return table.newBound() }}
	return table
}

// at returns where columns stand among the fields.
func (t *table[R]) at(columns []string) []int {
	places := make([]int, len(columns))
	for i, column := range columns {
		if places[i] = slices.Index(t.sql.columns, column); places[i] < 0 {
			panic(fmt.Sprintf("sqlstore: %s has no column %s", t.name, column))
		}
	}
	return places
}

func (t *table[R]) newBound() *bound[R] {
	b := t.unbound()
	for _, f := range b.fields {
		b.places = append(b.places, f.place())
	}
	b.places = append(b.places, b.version)
	return b
}

// unbound is newBound without the places.
func (t *table[R]) unbound() *bound[R] {
	if t.shape == nil {
		b := new(bound[R])
		b.fields, b.version = t.fields(&b.row), t.version(&b.row)
		return b
	}
	of := t.shape.Empty()
	return &bound[R]{of: of, fields: t.declared(of), version: t.shape.VersionOf(of)}
}

// set replaces the row.
func (t *table[R]) set(b *bound[R], row R) {
	if t.shape == nil {
		b.row = row
		return
	}
	t.shape.Load(b.of, row)
}

// taken returns the row as it is now.
func (t *table[R]) taken(b *bound[R]) R {
	if t.shape == nil {
		return b.row
	}
	return t.shape.Copy(b.of).(R)
}

// borrow returns a row with its columns at hand, until release.
func (t *table[R]) borrow(row R) *bound[R] {
	b := t.pool.Get().(*bound[R])
	t.set(b, row)
	return b
}

func (t *table[R]) release(b *bound[R]) {
	var none R
	t.set(b, none)
	t.pool.Put(b)
}

// conditions returns "a = ? AND b = ?".
func conditions(columns []string) string { return strings.Join(columns, " = ? AND ") + " = ?" }

// where returns the condition of a unique index.
func (x unique) where() string {
	if x.when == "" {
		return conditions(x.columns)
	}
	return conditions(x.columns) + " AND " + x.when
}

// get returns the row of a primary key as the unit sees it, or the table's
// missing error.
func (t *table[R]) get(ctx context.Context, u *unit, key ...any) (R, error) {
	c, err := t.cell(ctx, u, key)
	if err != nil || !c.found {
		var none R
		if err == nil {
			err = t.missing
		}
		return none, err
	}
	return c.row.(R), nil
}

// owned is get for a row of a declared kind that must belong to a scope.
func (t *table[R]) owned(ctx context.Context, u *unit, scope ferry.Scope, key ...any) (R, error) {
	row, err := t.get(ctx, u, key...)
	if err == nil && t.shape.Owner(row) != scope {
		var none R
		return none, t.missing
	}
	return row, err
}

// foreign reports whether two versions of a row have different owners.
func (t *table[R]) foreign(stored, row R) bool {
	return t.shape != nil && t.shape.Owner(stored) != t.shape.Owner(row)
}

// cell is get with the version that the row has, and without an error of its own.
func (t *table[R]) cell(ctx context.Context, u *unit, key []any) (*cell, error) {
	values, err := plainAll(key)
	if err != nil {
		return nil, err
	}
	name := rowKey{t.name, keyText(values)}
	if c := u.cells[name]; c != nil {
		return c, nil
	}
	c, err := t.load(ctx, u, conditions(t.key), values)
	if err != nil {
		return nil, err
	}
	t.rememberRow(u, name, values, c)
	return c, nil
}

// rememberRow keeps a row, or its absence, that was read by its primary key.
func (t *table[R]) rememberRow(u *unit, name rowKey, key []any, c *cell) {
	if u.batch == nil {
		return
	}
	u.see(name, c)
	if c.found {
		u.remember(name, "SELECT 1 FROM "+t.name+" WHERE "+conditions(t.key)+" AND version = ?", append(slices.Clone(key), c.version)...)
	} else {
		t.rememberAbsent(u, name, conditions(t.key), key)
	}
}

func (t *table[R]) rememberAbsent(u *unit, name rowKey, where string, values []any) {
	u.remember(name, "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM "+t.name+" WHERE "+where+")", values...)
}

// find returns the row that the unit finds by the n-th unique index, or the
// table's missing error.
func (t *table[R]) find(ctx context.Context, u *unit, n int, key ...any) (R, error) {
	var none R
	x := t.unique[n]
	values, err := plainAll(key)
	if err != nil {
		return none, err
	}
	columns := rowKey{t.indexName(n), keyText(values)}
	if own, written := u.unique[columns]; written {
		return u.cells[own].row.(R), nil
	}
	c, err := t.load(ctx, u, x.where(), values)
	if err != nil {
		return none, err
	}
	if !c.found {
		t.rememberAbsent(u, columns, x.where(), values)
		return none, t.missing
	}
	row := c.row.(R)
	b := t.borrow(row)
	primary, err := b.values(t.sql.key)
	t.release(b)
	if err != nil {
		return none, err
	}
	name := rowKey{t.name, keyText(primary)}
	if u.cells[name] == nil {
		t.rememberRow(u, name, primary, c)
		return row, nil
	}
	return t.still(u, name, n, columns)
}

// still returns a row that the snapshot has under unique columns, unless the
// unit itself has removed it or given it other ones.
func (t *table[R]) still(u *unit, name rowKey, n int, columns rowKey) (R, error) {
	var none R
	c := u.cells[name]
	if !c.found {
		return none, t.missing
	}
	row := c.row.(R)
	b := t.borrow(row)
	defer t.release(b)
	now, in, err := t.indexed(b, n)
	if err != nil {
		return none, err
	}
	if !in || now != columns {
		return none, t.missing
	}
	return row, nil
}

// load reads one row from the snapshot.
func (t *table[R]) load(ctx context.Context, u *unit, where string, args []any) (*cell, error) {
	c := &cell{}
	err := t.each(ctx, u, where, args, func(b *bound[R]) { c.row, c.found, c.version = t.taken(b), true, *b.version })
	return c, err
}

// read returns the rows of the snapshot that "SELECT … WHERE" and the given rest
// of the statement select. It is for lists, which need not see the unit's writes.
func (t *table[R]) read(ctx context.Context, u *unit, where string, args []any) ([]R, error) {
	rows := []R{}
	err := t.each(ctx, u, where, args, func(b *bound[R]) { rows = append(rows, t.taken(b)) })
	return rows, err
}

// each calls a function with each row of the snapshot that is selected.
func (t *table[R]) each(ctx context.Context, u *unit, where string, args []any, do func(*bound[R])) error {
	args, err := plainAll(args)
	if err != nil {
		return err
	}
	var none R
	b := t.borrow(none)
	defer t.release(b)
	return u.query(ctx, t.sql.selects+where, args, func(scan func(...any) error) error {
		t.set(b, none)
		if err := scan(b.places...); err != nil {
			return fmt.Errorf("sqlstore: a row of %s: %w", t.name, err)
		}
		do(b)
		return nil
	})
}

// values returns the plain values of some fields of a row.
func (b *bound[R]) values(at []int) ([]any, error) {
	values := make([]any, len(at))
	for i, n := range at {
		var err error
		if values[i], err = plain(b.fields[n].at); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (t *table[R]) indexName(n int) string { return fmt.Sprintf("%s/%d", t.name, n) }

// indexed returns the n-th unique columns of a row. It reports false when the
// row is not in that index.
func (t *table[R]) indexed(b *bound[R], n int) (rowKey, bool, error) {
	x := t.unique[n]
	if !t.holds(b, n) {
		return rowKey{}, false, nil
	}
	values, err := b.values(x.at)
	if err != nil || slices.Contains(values, nil) {
		return rowKey{}, false, err
	}
	return rowKey{t.indexName(n), keyText(values)}, true, nil
}

// holds reports whether a row matches what its n-th unique index requires.
func (t *table[R]) holds(b *bound[R], n int) bool {
	return t.shape == nil || t.shape.Holds(b.of, n)
}
