package sqlstore

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// OpenPostgres opens the store in a PostgreSQL database, version 13 or newer, and
// brings its tables up to date. url is a connection string as libpq takes it, and
// pool_max_conns in it says how many units may read at once (16). Any number of
// processes may have the database open. One that a newer release has migrated is
// refused with ErrNewerSchema, and one on an older server, or that cannot be written,
// or is not in UTF8, with ErrUnsuitable.
//
// A unit whose Write has returned nil survives the death of this process, and
// that of the server's machine as far as the server's settings let it. When the
// connection breaks in a commit, the store connects again and looks whether the
// commit has happened; only when that takes longer than half a minute is the
// unit's error ErrOutcomeUnknown.
func OpenPostgres(ctx context.Context, url string) (*Store, error) {
	config, err := parse(url)
	if err != nil {
		return nil, err
	}
	if err := requireSuitable(ctx, config.ConnConfig); err != nil {
		return nil, err
	}
	migration, err := migrateServer(ctx, config.ConnConfig)
	if err != nil {
		return nil, err
	}
	s, err := openServer(ctx, config)
	if err != nil {
		return nil, err
	}
	return &Store{db: s, migration: migration}, nil
}

// server is a PostgreSQL database: one connection that commits units, and two
// pools of those that read. Commits take turns, over all processes: see
// serverWriter.
type server struct {
	units *pgxpool.Pool
	looks *pgxpool.Pool
	*committer
	watchdog watchdog
	updating chan struct{} // held by the one update of this process

	closing sync.Once
}

var _ database = (*server)(nil)

func openServer(ctx context.Context, config *pgxpool.Config) (_ *server, err error) {
	s := &server{watchdog: watchdog{config.ConnConfig.Copy()}, updating: make(chan struct{}, 1)}
	defer func() {
		if err != nil {
			s.closePools()
		}
	}()
	if s.units, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, err
	}
	few := config.Copy()
	few.MaxConns, few.MinConns, few.MinIdleConns = lookConnections, 0, 0
	if s.looks, err = pgxpool.NewWithConfig(ctx, few); err != nil {
		return nil, err
	}
	committing := config.ConnConfig.Copy()
	committing.RuntimeParams["plan_cache_mode"] = "force_generic_plan" // its statements go by keys: planning them costs more than running them
	writer := &serverWriter{config: committing, id: rand.Text(), watchdog: s.watchdog, patience: commitPatience}
	if err := writer.connect(ctx); err != nil {
		return nil, err
	}
	s.committer = startCommitter(writer)
	return s, nil
}

func (s *server) begin(ctx context.Context) (snapshot, error) { return s.take(ctx, s.units) }

func (s *server) look(ctx context.Context) (snapshot, error) { return s.take(ctx, s.looks) }

func (s *server) take(ctx context.Context, from *pgxpool.Pool) (snapshot, error) {
	select {
	case <-s.closed:
		return nil, ErrClosed
	default:
	}
	conn, err := from.Acquire(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	return &serverSnapshot{conn: conn}, nil
}

// fences takes numbers from a sequence, which no rollback gives back.
func (s *server) fences(ctx context.Context, n int) ([]int64, error) {
	rows, err := s.looks.Query(ctx, "SELECT nextval('fences') FROM generate_series(1, $1)", n)
	if err != nil {
		return nil, unavailable(err)
	}
	fences, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	return fences, unavailable(err)
}

func (s *server) now() string {
	return "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)"
}

func (s *server) close(ctx context.Context) error {
	err := ErrClosed
	s.closing.Do(func() {
		if err = s.committer.stop(ctx); err != nil {
			return // somebody still writes
		}
		closed := make(chan struct{})
		go func() {
			s.closePools()
			close(closed)
		}()
		select {
		case <-closed:
		case <-ctx.Done():
			err = ctx.Err()
		}
	})
	return err
}

func (s *server) closePools() {
	for _, pool := range []*pgxpool.Pool{s.units, s.looks} {
		if pool != nil {
			pool.Close()
		}
	}
}

// endTimeout is how long the server may take to end a transaction or a
// session before the connection is given up.
const endTimeout = 5 * time.Second

// ending ends a transaction even if the time of its caller is over, if the
// server answers.
func ending(ctx context.Context, end func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return end(ctx)
}
