package sqlstore

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/store"
)

// unit is the view of the store that a body gets. It reads from a snapshot and
// collects what to write in a batch; a nil batch makes it read only.
type unit struct {
	store *Store
	snap  sqldb.Snapshot // nil until the first read
	batch *sqldb.Batch
	ended bool

	cells  map[rowKey]*cell        // rows by key, as the unit sees them
	unique map[rowKey]rowKey       // rows that the unit wrote, by unique columns
	guards map[rowKey]*sqldb.Guard // what was read

	books books // what the unit did to the ledger
	ahead ahead // what it reads ahead

	expected map[rowKey]*cell // rows by key, as an earlier unit has read or written them (Expect)

	// caching says that rows may come from the cache of the store, and cached that some did.
	// unsure says that the unit must run again without the cache.
	caching, cached, unsure bool
	// began is the number of the last put into the cache before the snapshot began.
	began uint64
}

var _ store.Ports = (*unit)(nil)

// rowKey names a row by a primary or unique key: which key it is, and the values of its columns.
type rowKey struct{ key, values string }

// text is the name as one text.
func (k rowKey) text() string { return k.key + " " + k.values }

// cell is a row, or its absence, as a unit sees it.
type cell struct {
	row  any   // nil when there is none
	same []any // the cells that a guard compares, those of the primary key first
	size int
	// written by this unit, as the database has it after the commit
	written bool
}

func newUnit(s *Store) *unit { return &unit{store: s} }

var errEnded = errors.New("sqlstore: the unit of work has ended")

// end gives the snapshot back. When a body has kept the unit, later reads and writes through
// it are refused.
func (u *unit) end() {
	if u.snap != nil {
		u.snap.End()
	}
	u.snap, u.batch, u.ended = nil, nil, true
}

// writable returns ferry.ErrReadOnly inside a read unit. Every write asks first.
func (u *unit) writable() error {
	if u.batch == nil {
		return ferry.ErrReadOnly
	}
	return nil
}

// snapshot returns what the unit reads from.
func (u *unit) snapshot(ctx context.Context) (snap sqldb.Snapshot, err error) {
	if u.ended {
		return nil, errEnded
	}
	if u.snap == nil {
		u.began = u.store.rows.last()
		u.snap, err = u.store.db.Begin(ctx)
	}
	return u.snap, err
}

// query runs one query, as all does.
func (u *unit) query(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	return u.all(ctx, sqldb.Query{SQL: sql, Args: args, Each: each})
}

// all runs the queries of what was announced, and then the given ones, in one round trip.
func (u *unit) all(ctx context.Context, queries ...sqldb.Query) error {
	queries = append(u.ahead.queries(), queries...)
	if len(queries) == 0 {
		return nil
	}
	snap, err := u.snapshot(ctx)
	if err == nil {
		err = snap.All(ctx, queries...)
	}
	if err != nil {
		u.ahead = ahead{} // some of it may be missing
	}
	return err
}

// reader returns how to run a query whose rows the commit checks. A unit that writes and has no
// snapshot, and nothing to read ahead, needs none: a query on its own leaves no transaction open.
func (u *unit) reader() func(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	if u.batch == nil || u.snap != nil || u.ended || u.ahead.waits() {
		return u.query
	}
	return u.store.db.Ask
}

// row is query for a result of one row or none.
func (u *unit) row(ctx context.Context, sql string, args []any, into ...any) (found bool, err error) {
	err = u.query(ctx, sql, args, func(scan func(...any) error) error {
		found = true
		return scan(into...)
	})
	return found, err
}

// do adds a step. A step without a refusal may touch any number of rows.
func (u *unit) do(refuse func(context.Context, sqldb.Asker) error, sql string, args ...any) {
	u.batch.Steps = append(u.batch.Steps, sqldb.Step{SQL: sql, Args: args, Refuse: refuse})
}

// ask adds a step that must find a row.
func (u *unit) ask(refuse func(context.Context, sqldb.Asker) error, sql string, args ...any) {
	u.batch.Steps = append(u.batch.Steps, sqldb.Step{SQL: sql, Args: args, Asks: true, Refuse: refuse})
}

// doOf is do for a statement of one row, which of names: see sqldb.Step.
func (u *unit) doOf(of string, refuse func(context.Context, sqldb.Asker) error, sql string, args ...any) {
	u.batch.Steps = append(u.batch.Steps, sqldb.Step{SQL: sql, Args: args, Refuse: refuse, Of: of})
}

// remember adds a guard to the batch: the query finds a row as long as what was read is
// unchanged. A read unit has no guards.
func (u *unit) remember(key rowKey, sql string, args ...any) {
	if u.batch == nil || u.guards[key] != nil {
		return
	}
	g := &sqldb.Guard{SQL: sql, Args: args}
	if u.guards == nil {
		u.guards = map[rowKey]*sqldb.Guard{}
	}
	u.guards[key] = g
	u.batch.Guards = append(u.batch.Guards, g)
}

// cover marks a guard that a step checks as well.
func (u *unit) cover(key rowKey) {
	if g := u.guards[key]; g != nil {
		g.Covered = true
	}
}

// see keeps a row as the unit sees it from now on.
func (u *unit) see(key rowKey, c *cell) {
	if u.cells == nil {
		u.cells = map[rowKey]*cell{}
	}
	u.cells[key] = c
}

// retain gives the cache what the unit has written, once that is committed.
func (u *unit) retain() {
	for key, c := range u.cells {
		if c.written {
			u.store.rows.put(key, cached{cell: c})
		}
	}
	for columns, row := range u.unique {
		if u.cells[row].written {
			u.store.rows.put(columns, cached{row: row})
		}
	}
}

// claim notes that unique columns lead to a row that the unit wrote.
func (u *unit) claim(columns, row rowKey) {
	if u.unique == nil {
		u.unique = map[rowKey]rowKey{}
	}
	u.unique[columns] = row
}

// count adds to the counters of lists.
func (u *unit) count(lists []string, by int64) {
	for _, list := range lists {
		u.batch.Counts[list] += by
	}
}
