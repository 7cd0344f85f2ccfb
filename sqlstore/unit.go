package sqlstore

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
)

// unit is the view of the store that a body gets. It reads from a snapshot and
// collects what to write in a batch; a nil batch makes it read only.
type unit struct {
	store *Store
	snap  snapshot // nil until the first read
	batch *batch
	ended bool

	cells  map[rowKey]*cell  // rows by key, as the unit sees them
	unique map[rowKey]rowKey // rows that the unit wrote, by unique columns
	guards map[rowKey]*guard // what was read

	books books // what the unit did to the ledger
}

var _ store.Ports = (*unit)(nil)

// rowKey names a row by the columns of a key: the primary one or another.
type rowKey struct{ key, values string }

// cell is a row, or its absence, as a unit sees it.
type cell struct {
	row     any
	found   bool
	version int64
}

func newUnit(s *Store) *unit { return &unit{store: s} }

var errEnded = errors.New("sqlstore: the unit of work has ended")

// end gives the snapshot back. A body that keeps the unit finds it read only,
// and with nothing to read.
func (u *unit) end() {
	if u.snap != nil {
		u.snap.end()
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

// query reads from the unit's snapshot.
func (u *unit) query(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	if u.ended {
		return errEnded
	}
	if u.snap == nil {
		snap, err := u.store.db.begin(ctx)
		if err != nil {
			return err
		}
		u.snap = snap
	}
	return u.snap.query(ctx, sql, args, each)
}

// row is query for a result of one row or none.
func (u *unit) row(ctx context.Context, sql string, args []any, into ...any) (found bool, err error) {
	return one(ctx, u, sql, args, into...)
}

func one(ctx context.Context, a asker, sql string, args []any, into ...any) (found bool, err error) {
	err = a.query(ctx, sql, args, func(scan func(...any) error) error {
		found = true
		return scan(into...)
	})
	return found, err
}

// do adds a step. A step without a refusal may touch any number of rows.
func (u *unit) do(refuse func(context.Context, asker) error, sql string, args ...any) {
	u.batch.steps = append(u.batch.steps, step{sql: sql, args: args, refuse: refuse})
}

// ask adds a step that must find a row.
func (u *unit) ask(refuse func(context.Context, asker) error, sql string, args ...any) {
	u.batch.steps = append(u.batch.steps, step{sql: sql, args: args, asks: true, refuse: refuse})
}

// remember makes the commit depend on what was read: the query finds a row as
// long as that is so. A read unit remembers nothing.
func (u *unit) remember(key rowKey, sql string, args ...any) {
	if u.batch == nil || u.guards[key] != nil {
		return
	}
	g := &guard{sql: sql, args: args}
	if u.guards == nil {
		u.guards = map[rowKey]*guard{}
	}
	u.guards[key] = g
	u.batch.guards = append(u.batch.guards, g)
}

// cover marks a guard whose question a step asks too.
func (u *unit) cover(key rowKey) {
	if g := u.guards[key]; g != nil {
		g.covered = true
	}
}

// see keeps a row as the unit sees it from now on.
func (u *unit) see(key rowKey, c *cell) {
	if u.cells == nil {
		u.cells = map[rowKey]*cell{}
	}
	u.cells[key] = c
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
		u.batch.counts[list] += by
	}
}
