package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// table reads and writes the rows of one declared kind within a unit. The SQL table has the
// name and the columns of the kind, and a column "search" when a search looks in other columns.
// A row is a pointer through which nobody writes.
type table struct {
	kind    *records.Shape
	columns []column
	unique  []unique

	names   string // "columns"
	selects string // "SELECT columns FROM table WHERE "
	insert  string
	row     string // that of an insert to which others may be added, else empty
	update  string
	delete  string
	// where is the condition of a primary key. still is the condition that a row is the same as
	// when it was read; same is the cells that still compares, those of the key first.
	where, still string
	same         []int

	numbered   bool            // the database gives numbers to rows that are inserted
	searched   []string        // the columns in which a search looks, in SQL
	conditions []records.Match // those of partial indexes
	pool       sync.Pool       // of *scanned
}

// column is a column of a table as it is written.
type column struct {
	name string
	// mark is the expression of the column in an insert, and from is the cells that are its
	// parameters. The column "search" has no cells: it is folded.
	mark   string
	from   []int
	folded bool
	// apart marks a column that no update of a row writes. Other statements may add to it,
	// without a new version.
	apart bool
}

// unique is a unique index of a table.
type unique struct {
	name  string
	at    []int  // the cells
	where string // its condition
	when  string // what it requires beside that, behind an AND
	taken error
}

// scanned is a row to be read from the database, with the places of its columns.
type scanned struct {
	*records.Bound
	places []any
	// beside is places and that of number, for a statement that selects a number beside a row.
	beside []any
	number int64
}

// tables is the *table of kinds, by *records.Shape.
var tables sync.Map

// tableOf returns how rows of a kind are stored. Its statements are written once.
func tableOf(kind *records.Shape) *table {
	if known, found := tables.Load(kind); found {
		return known.(*table)
	}
	known, _ := tables.LoadOrStore(kind, define(kind))
	return known.(*table)
}

func define(kind *records.Shape) *table {
	t := &table{kind: kind, conditions: kind.Conditions()}
	t.pool.New = func() any {
		s := &scanned{Bound: kind.Empty()}
		for _, c := range s.Cells {
			s.places = append(s.places, c.Value.Place())
		}
		s.beside = append(slices.Clone(s.places), &s.number)
		return s
	}
	cells := kind.ColumnNames()
	for at, name := range cells {
		c := column{name: name, mark: "?", from: []int{at}, apart: kind.IsFixed(name)}
		if n, is := numbered(kind, name); is {
			c.mark, c.from, t.numbered = "("+n.sql+")", t.at(n.of), true
		}
		t.columns = append(t.columns, c)
	}
	if len(kind.Search) > 0 && !slices.Contains(kind.Search, "search") {
		t.columns = append(t.columns, column{name: "search", mark: "?", folded: true})
	}
	for n, u := range kind.Unique {
		x := unique{name: fmt.Sprintf("%s/%d", kind.Name, n), at: t.at(u.Columns), taken: u.Taken}
		if u.When.Column != "" {
			x.when = " AND " + literal(u.When)
		}
		x.where = conditions(u.Columns) + x.when
		t.unique = append(t.unique, x)
	}
	for _, column := range kind.Search {
		t.searched = append(t.searched, t.shown(column))
	}
	same := append(slices.Clone(kind.Key), "version")
	t.where, t.still = conditions(kind.Key), conditions(same)
	if slices.Contains(cells, "created_at") && (kind.Purged || len(kind.Key) > 1) {
		// After a purge or a reset, a key that is not an id of its own may be used again. The
		// new row may have the same version as the old one.
		same = append(same, "created_at")
		t.still += " AND created_at IS NOT DISTINCT FROM ?"
	}
	t.same = t.at(same)
	var names, marks, sets []string
	for _, c := range t.columns {
		names, marks = append(names, c.name), append(marks, c.mark)
		if !c.apart {
			sets = append(sets, c.name+" = ?")
		}
	}
	t.names = strings.Join(cells, ", ")
	t.selects = fmt.Sprintf("SELECT %s FROM %s WHERE ", t.names, kind.Name)
	row := "(" + strings.Join(marks, ", ") + ")"
	t.insert = fmt.Sprintf("INSERT INTO %s (%s) VALUES %s%s", kind.Name, strings.Join(names, ", "), row, sqldb.UnlessTaken)
	if !t.numbered {
		t.row = row
	}
	t.update = fmt.Sprintf("UPDATE %s SET %s WHERE %s", kind.Name, strings.Join(sets, ", "), t.still)
	t.delete = fmt.Sprintf("DELETE FROM %s WHERE %s", kind.Name, t.still)
	return t
}

// at returns where columns stand among the cells of a row.
func (t *table) at(columns []string) []int {
	places := make([]int, len(columns))
	for i, column := range columns {
		places[i] = slices.Index(t.kind.ColumnNames(), column)
	}
	return places
}

// shown is a column as a search sees it.
func (t *table) shown(column string) string {
	cell := t.kind.Empty().Cells[t.at([]string{column})[0]]
	if marked, is := cell.Value.(records.MarkedValue); is {
		return "ltrim(" + column + ", '" + marked.Mark() + "')"
	}
	return column
}

// conditions returns "a = ? AND b = ?".
func conditions(columns []string) string { return strings.Join(columns, " = ? AND ") + " = ?" }

// get returns the row of a primary key as the unit sees it, or the error of a missing one.
func (t *table) get(ctx context.Context, u *unit, key []any) (any, error) {
	c, err := t.cell(ctx, u, key)
	if err != nil {
		return nil, err
	}
	return t.found(c)
}

// found returns the row of a cell, or the error of a missing row.
func (t *table) found(c *cell) (any, error) {
	if c.row == nil {
		return nil, t.kind.Missing
	}
	return c.row, nil
}

// named returns the name of a row of this table by its key.
func (t *table) named(key []any) rowKey { return rowKey{t.kind.Name, keyText(key)} }

// cell is get, but it returns the cell of the row.
func (t *table) cell(ctx context.Context, u *unit, key []any) (*cell, error) {
	name := t.named(key)
	if c := u.cells[name]; c != nil {
		return c, nil
	}
	known, ok := t.recall(u, name)
	if !ok {
		var err error
		if known.cell, err = t.loadKey(ctx, u, name, key); err != nil {
			return nil, err
		}
		t.retain(u, name, known)
	}
	t.remember(u, name, key, known.cell)
	return known.cell, nil
}

// remember keeps a row, or its absence, that was read by its primary key.
func (t *table) remember(u *unit, name rowKey, key []any, c *cell) {
	if u.batch == nil {
		return
	}
	u.see(name, c)
	if c.row != nil {
		u.remember(name, "SELECT 1 FROM "+t.kind.Name+" WHERE "+t.still, c.same...)
	} else {
		u.remember(name, t.absent(t.where), key...)
	}
}

// absent returns a query that finds a row as long as no row of the table meets a condition.
func (t *table) absent(where string) string {
	return "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM " + t.kind.Name + " WHERE " + where + ")"
}

// find returns the row that has the values of like in the n-th unique index, as the unit sees
// it, or the error of a missing row.
func (t *table) find(ctx context.Context, u *unit, n int, like *records.Bound) (any, error) {
	x := t.unique[n]
	values, err := plain(like, x.at)
	if err != nil {
		return nil, err
	}
	columns := rowKey{x.name, keyText(values)}
	if own, written := u.unique[columns]; written {
		return u.cells[own].row, nil
	}
	c, err := t.lookUp(ctx, u, n, columns, values)
	switch {
	case err != nil:
		return nil, err
	case c.row == nil:
		u.remember(columns, t.absent(x.where), values...)
		return nil, t.kind.Missing
	}
	key := t.keyOf(c.same)
	name := t.named(key)
	own := u.cells[name]
	if own == nil {
		t.remember(u, name, key, c)
		return c.row, nil
	}
	// The unit itself may have removed the row, or given it other columns.
	if led, err := t.leads(own, n, columns); err != nil {
		return nil, err
	} else if !led {
		return nil, t.kind.Missing
	}
	return own.row, nil
}

// leads reports whether a row has the n-th unique columns.
func (t *table) leads(c *cell, n int, columns rowKey) (bool, error) {
	if c.row == nil {
		return false, nil
	}
	b := t.kind.Bind(c.row)
	defer t.kind.Release(b)
	now, in, err := t.indexed(b, n)
	return in && now == columns, err
}

// lookUp returns the row that has the n-th unique columns, from the cache or the snapshot.
func (t *table) lookUp(ctx context.Context, u *unit, n int, columns rowKey, values []any) (*cell, error) {
	if known, ok := t.recall(u, columns); ok && known.cell != nil {
		return known.cell, nil
	} else if ok {
		if of, ok := t.recall(u, known.row); ok {
			if led, err := t.leads(of.cell, n, columns); err != nil || led {
				return of.cell, err
			}
		}
	}
	c, err := t.loadNamed(ctx, u, n, columns, values)
	switch {
	case err != nil:
		return nil, err
	case c.row == nil:
		t.retain(u, columns, cached{cell: c})
	default:
		name := t.named(t.keyOf(c.same))
		t.retain(u, name, cached{cell: c})
		t.retain(u, columns, cached{row: name})
	}
	return c, nil
}

// recall returns the entry of the cache for a key, and notes that the unit took one.
func (t *table) recall(u *unit, key rowKey) (cached, bool) {
	found, ok := t.known(u, key)
	u.cached = u.cached || ok
	return found, ok
}

// known returns the entry that recall would, and notes nothing. A row that the unit expects
// comes before the cache. A unit that writes gets no entry that is newer than its snapshot.
func (t *table) known(u *unit, key rowKey) (cached, bool) {
	if c := u.expected[key]; c != nil {
		return cached{cell: c}, true
	}
	if t.numbered || !u.caching {
		return cached{}, false
	}
	found, ok := u.store.rows.get(key)
	return found, ok && (u.batch == nil || u.snap == nil || found.put <= u.began)
}

// retain puts what was read into the cache.
func (t *table) retain(u *unit, key rowKey, of cached) {
	if !t.numbered {
		u.store.rows.put(key, of)
	}
}

// loadKey reads the row of a primary key from the snapshot, unless it was read ahead.
func (t *table) loadKey(ctx context.Context, u *unit, name rowKey, key []any) (*cell, error) {
	if u.ahead.rows[name] == nil {
		return t.load(ctx, u, t.where, key)
	}
	if err := u.all(ctx); err != nil {
		return nil, err
	}
	return u.ahead.rows[name], nil
}

// loadNamed reads the row under the n-th unique columns from the snapshot, unless it was read
// ahead.
func (t *table) loadNamed(ctx context.Context, u *unit, n int, columns rowKey, values []any) (*cell, error) {
	c := u.ahead.named[columns]
	if c == nil {
		return t.load(ctx, u, t.unique[n].where, values)
	}
	return c, u.all(ctx)
}

// load reads one row from the snapshot.
func (t *table) load(ctx context.Context, u *unit, where string, args []any) (*cell, error) {
	c := &cell{}
	err := t.each(ctx, u, where, args, func(b *records.Bound) (err error) {
		*c, err = t.cellOf(b)
		return err
	})
	return c, err
}

// cellOf returns a cell with a copy of a row.
func (t *table) cellOf(b *records.Bound) (cell, error) {
	same, err := plain(b, t.same)
	return cell{row: t.kind.Copy(b), same: same, size: t.kind.Size(b)}, err
}

// keyOf returns the primary key from the cells that a guard compares.
func (t *table) keyOf(same []any) []any { return same[:len(t.kind.Key):len(t.kind.Key)] }

// read returns the rows of the snapshot that "SELECT … WHERE" and the given rest
// of the statement select. It is for lists, which need not see the unit's writes.
func (t *table) read(ctx context.Context, u *unit, where string, args ...any) ([]any, error) {
	rows := []any{}
	err := t.each(ctx, u, where, args, func(b *records.Bound) error {
		rows = append(rows, t.kind.Copy(b))
		return nil
	})
	return rows, err
}

// each calls a function with each row of the snapshot that is selected.
func (t *table) each(ctx context.Context, u *unit, where string, args []any, do func(*records.Bound) error) error {
	return u.all(ctx, t.query(where, args, do))
}

// query returns a query that calls a function with each selected row. The function must not keep
// the row: the next one uses the same memory.
func (t *table) query(where string, args []any, do func(*records.Bound) error) sqldb.Query {
	return sqldb.Query{SQL: t.selects + where, Args: args, Each: func(scan func(...any) error) error {
		s := t.pool.Get().(*scanned)
		defer t.release(s)
		return t.scan(s, scan, s.places, do)
	}}
}

// scan reads a row and calls a function with it.
func (t *table) scan(s *scanned, scan func(...any) error, places []any, do func(*records.Bound) error) error {
	if err := scan(places...); err != nil {
		return fmt.Errorf("sqlstore: a row of %s: %w", t.kind.Name, err)
	}
	return do(s.Bound)
}

// release gives a scanned row back to the pool. It is emptied, so that it keeps nothing from the
// garbage collector.
func (t *table) release(s *scanned) {
	t.kind.Load(s.Bound, nil)
	t.pool.Put(s)
}

// queryWith is query for any statement that selects the columns of the table and a number beside.
func (t *table) queryWith(sql string, args []any, do func(*records.Bound, int64) error) sqldb.Query {
	return sqldb.Query{SQL: sql, Args: args, Each: func(scan func(...any) error) error {
		s := t.pool.Get().(*scanned)
		defer t.release(s)
		return t.scan(s, scan, s.beside, func(b *records.Bound) error { return do(b, s.number) })
	}}
}

// keep makes a row of the snapshot known to the unit, as if the unit had read it by its key.
func (t *table) keep(u *unit, b *records.Bound) error {
	c, err := t.cellOf(b)
	if err != nil {
		return err
	}
	key := t.keyOf(c.same)
	if name := t.named(key); u.cells[name] == nil {
		t.remember(u, name, key, &c)
	}
	return nil
}

// plain returns some cells of a row as they are stored.
func plain(b *records.Bound, at []int) ([]any, error) {
	values := make([]any, len(at))
	for i, n := range at {
		var err error
		if values[i], err = b.Cells[n].Value.Plain(); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// indexed returns the n-th unique columns of a row. It reports false when the
// row is not in that index.
func (t *table) indexed(b *records.Bound, n int) (columns rowKey, in bool, err error) {
	if !t.kind.Holds(b, n) {
		return rowKey{}, false, nil
	}
	values, err := plain(b, t.unique[n].at)
	if err != nil || slices.Contains(values, nil) {
		return rowKey{}, false, err
	}
	return rowKey{t.unique[n].name, keyText(values)}, true, nil
}
