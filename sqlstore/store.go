package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/pressly/goose/v3"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/store"
)

var (
	// ErrOutcomeUnknown says that a commit was cut off in a way that leaves
	// open whether the unit is in the store. Look before doing it again: by
	// the key of the request, or by the id of the posting.
	ErrOutcomeUnknown = sqldb.ErrOutcomeUnknown
	// ErrNewerSchema refuses a database that a newer release has migrated.
	ErrNewerSchema = errors.New("sqlstore: the database was migrated by a newer release")
	// ErrClosed refuses work on a store that is closed.
	ErrClosed = sqldb.ErrClosed
)

// errContradiction is the error of a unit that is refused while no other unit commits: its
// own steps exclude each other, as two claims of one key do.
var errContradiction = errors.New("sqlstore: the steps of the unit contradict each other")

// Store is a store in a SQL database. It is safe for concurrent use.
type Store struct {
	db        sqldb.Database
	migration Migration
	accounts  factsCache
	rows      rowCache
	world     *world
}

var (
	_ store.Backend   = (*Store)(nil)
	_ store.Resetter  = (*Store)(nil)
	_ store.Forgetter = (*Store)(nil)
)

// Open opens a store through what opens a kind of database. Programs call Open of package
// sqlite or postgres beside this one, which has the driver: so they are linked with no other.
func Open(ctx context.Context, through sqldb.Opener) (*Store, error) {
	s := &Store{}
	var err error
	s.db, err = through(ctx, func(ctx context.Context, db *sql.DB, dialect goose.Dialect, options ...goose.ProviderOption) (err error) {
		s.migration, err = migrate(ctx, db, dialect, options...)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.world = newWorld(s.db)
	return s, nil
}

// Close waits for the units that are being committed and closes the database.
// Units that come later are refused with ErrClosed. When ctx ends before the last
// of those units has, its error is returned and the file stays open, and locked,
// until the process ends.
func (s *Store) Close(ctx context.Context) error {
	s.world.ended.Store(true)
	return s.db.Close(ctx)
}

// Read runs body against one snapshot of the database. Within ferry.MayBeOld it may also take
// rows from the cache.
func (s *Store) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	ctx, err := ferry.EnterUnit(ctx)
	if err != nil {
		return err
	}
	u := newUnit(s)
	defer u.end()
	took, may := ferry.TakesOld(ctx)
	u.caching = may
	err = body(ctx, u)
	if u.cached {
		took()
	}
	return err
}

// maxOptimisticRuns is the number of runs after which a unit runs while no other commits.
const maxOptimisticRuns = 3

// Write runs body against a snapshot and commits what it wrote together with
// other units. When a row that it read has changed meanwhile, the body runs
// again; after the third run no other unit commits until it is done.
func (s *Store) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	ctx, err := ferry.EnterUnit(ctx)
	if err != nil {
		return err
	}
	for runs := 1; ; runs++ {
		alone := runs > maxOptimisticRuns
		err := s.run(ctx, body, runs == 1, alone)
		switch {
		case !errors.Is(err, sqldb.ErrRerun):
			return err
		case alone:
			return errContradiction
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// run runs body once and commits it. The first run may take rows from the cache.
func (s *Store) run(ctx context.Context, body func(context.Context, store.Ports) error, first, alone bool) error {
	commit := s.db.Commit
	if alone {
		turn, err := s.db.Alone(ctx)
		if err != nil {
			return err
		}
		defer turn.End()
		commit = turn.Commit
	}
	u, batch, err := s.collect(ctx, body, first)
	if u.cached && !errors.Is(err, ferry.ErrUnprepared) && (err != nil || batch.Empty() || u.unsure) {
		u, batch, err = s.collect(ctx, body, false)
	}
	if err != nil || batch.Empty() {
		return err
	}
	if err = commit(ctx, batch); err == nil {
		u.retain()
	}
	return err
}

// collect runs body and returns what it wants to commit. The snapshot is given
// back however the body ends.
func (s *Store) collect(ctx context.Context, body func(context.Context, store.Ports) error, caching bool) (*unit, *sqldb.Batch, error) {
	u := newUnit(s)
	u.batch, u.caching = &sqldb.Batch{Counts: sqldb.Counts{}}, caching
	b := u.batch
	defer u.end()
	return u, b, body(ctx, u)
}
