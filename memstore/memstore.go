// Package memstore is the reference store: everything in memory, to be read as
// the plain meaning of the ports in package store.
//
// One write unit runs at a time, under a lock, and writes straight into the
// tables; what it replaces goes into an undo log that is played back when its
// body fails. So a unit never runs twice, its reads see its writes, and readers
// see whole units only.
//
// File kind.go says what the rows of all kinds mean that are declared with package records. They
// may be many, so they stand closely: as bytes (rows.go, internal/rowlog), found by hashes
// (finder.go), and listed by their numbers (roster.go). The ledger's rows are changed most often,
// and stand in slabs: books.go. File table.go has the structures for rows of which there are few;
// undo.go says how all of them go back. Then there is one file a port.
//
// A program needs [New]: a store for engine.Config. Nothing of it outlasts the process. A
// simulation, which has a time of its own, begins with [NewOn].
package memstore

import (
	"context"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

// Store is a store in memory. It is safe for concurrent use and forgets
// everything with the process.
type Store struct {
	mu     sync.RWMutex
	tables *tables
	undo   undoLog          // of the write unit that runs, and of those since Snapshot
	kept   bool             // whether Snapshot was called
	now    func() time.Time // the time in which leases run
}

var (
	_ store.Backend  = (*Store)(nil)
	_ store.Resetter = (*Store)(nil)
)

// New returns an empty store.
func New() *Store { return &Store{tables: newTables(), now: time.Now} }

// NewOn returns an empty store whose leases run in the time of a clock, as a simulation
// has one. Those of New run in the machine's time.
func NewOn(clock ferry.Clock) *Store { return &Store{tables: newTables(), now: clock.Now} }

// Reset forgets everything but the settings, as if the store were new.
func (s *Store) Reset(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.tables
	s.tables = newTables()
	s.tables.leases.goOn(before.leases.fences.Load())
	if err := s.tables.shelves.take(before.shelves.of(settings.Kind.Shape)); err != nil {
		return err
	}
	if s.kept {
		s.undo.add(undoFunc(func() {
			before.leases.goOn(s.tables.leases.fences.Load())
			s.tables = before
		}))
	}
	return nil
}

// Read runs body while no unit writes.
func (s *Store) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	ctx, err := ferry.EnterUnit(ctx)
	if err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return body(ctx, &unit{tables: s.tables, now: s.now})
}

// Write runs body alone and undoes its writes unless it returns nil.
func (s *Store) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	ctx, err := ferry.EnterUnit(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err // it ended while others wrote
	}
	u := &unit{tables: s.tables, now: s.now, undo: &s.undo, from: len(s.undo)}
	defer u.end()
	if err := body(ctx, u); err != nil {
		return err
	}
	if !s.kept {
		s.undo.forget()
	}
	u.from = len(s.undo)
	s.tables.heap.tidy()
	return nil
}

// unit is the view of the tables that a body gets. A nil undo log makes it read
// only.
type unit struct {
	tables *tables
	now    func() time.Time
	undo   *undoLog
	from   int                     // where the log has the first write that is not committed
	walks  map[*records.Shape]walk // the last walk of each kind since the last write
}

var _ store.Ports = (*unit)(nil)

// writable returns ferry.ErrReadOnly inside a read unit. Every write asks first.
func (u *unit) writable() error {
	if u.undo == nil {
		return ferry.ErrReadOnly
	}
	u.walks = nil
	return nil
}

// end takes back what the unit wrote and did not commit. A body that keeps the
// unit finds it read only.
func (u *unit) end() {
	u.undo.rollbackTo(u.from)
	u.undo = nil
}
