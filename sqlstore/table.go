package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
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
	// scope is the owner of a row: an update under another one finds no row. It is
	// nil for rows that have none, or have it in their key.
	scope func(R) ferry.Scope
	// keep, if not nil, takes over from the stored row what an update never
	// changes, beside the key and the scope.
	keep func(stored R, row *R)
	// unique lists the other columns that lead to one row at most.
	unique []unique[R]
	// lists names the counted lists that a row stands in: see list.go.
	lists func(R) []string
	// first, if not nil, is the version of a row that is inserted, else 1. Rows
	// whose key may come back after they were removed need one that does not:
	// else who has read the old row would take the new one for it.
	first func(R) int64
	// missing is the error of a read by key that finds nothing; exists that
	// of an insert whose primary key is taken.
	missing, exists error

	sql statements
}

// unique is a unique index of a table.
type unique[R any] struct {
	columns []string
	// when and holds are the condition of a partial index, in SQL and in Go.
	when  string
	holds func(R) bool
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
}

// define checks a table and writes its statements.
func define[R any](t table[R]) *table[R] {
	var row R
	fields := t.fields(&row)
	var marks, sets []string
	for _, f := range fields {
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
	for i, x := range t.unique {
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
	return &t
}

// conditions returns "a = ? AND b = ?".
func conditions(columns []string) string { return strings.Join(columns, " = ? AND ") + " = ?" }

// where returns the condition of a unique index.
func (x unique[R]) where() string {
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

// owned is get for a row that must belong to a scope.
func (t *table[R]) owned(ctx context.Context, u *unit, scope ferry.Scope, key ...any) (R, error) {
	row, err := t.get(ctx, u, key...)
	if err == nil && t.scope(row) != scope {
		var none R
		return none, t.missing
	}
	return row, err
}

// foreign reports whether two versions of a row have different owners.
func (t *table[R]) foreign(stored, row R) bool {
	return t.scope != nil && t.scope(stored) != t.scope(row)
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
	primary, err := t.primary(&row)
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
	now, in, err := t.indexed(&row, n)
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
	rows, err := t.read(ctx, u, where, args)
	if err == nil && len(rows) > 0 {
		c.found, c.row, c.version = true, rows[0], *t.version(&rows[0])
	}
	return c, err
}

// read returns the rows of the snapshot that "SELECT … WHERE" and the given rest
// of the statement select. It is for lists, which need not see the unit's writes.
func (t *table[R]) read(ctx context.Context, u *unit, where string, args []any) ([]R, error) {
	args, err := plainAll(args)
	if err != nil {
		return nil, err
	}
	rows := []R{}
	err = u.query(ctx, t.sql.selects+where, args, func(scan func(...any) error) error {
		var row R
		if err := scan(t.places(&row)...); err != nil {
			return fmt.Errorf("sqlstore: a row of %s: %w", t.name, err)
		}
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// places returns where the columns of a row go.
func (t *table[R]) places(row *R) []any {
	fields := t.fields(row)
	places := make([]any, 0, len(fields)+1)
	for _, f := range fields {
		places = append(places, f.at)
	}
	return append(places, t.version(row))
}

// primary returns the primary key of a row.
func (t *table[R]) primary(row *R) ([]any, error) { return t.values(row, t.key) }

// values returns the plain values of some columns of a row.
func (t *table[R]) values(row *R, columns []string) ([]any, error) {
	fields := t.fields(row)
	values := make([]any, len(columns))
	for i, column := range columns {
		n := slices.Index(t.sql.columns, column)
		var err error
		if values[i], err = plain(fields[n].at); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (t *table[R]) indexName(n int) string { return fmt.Sprintf("%s/%d", t.name, n) }

// indexed returns the n-th unique columns of a row. It reports false when the
// row is not in that index.
func (t *table[R]) indexed(row *R, n int) (rowKey, bool, error) {
	x := t.unique[n]
	if x.holds != nil && !x.holds(*row) {
		return rowKey{}, false, nil
	}
	values, err := t.values(row, x.columns)
	if err != nil || slices.Contains(values, nil) {
		return rowKey{}, false, err
	}
	return rowKey{t.indexName(n), keyText(values)}, true, nil
}
