package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// OpenPostgres opens the store in a PostgreSQL database, version 13 or newer, and
// brings its tables up to date. url is a connection string as libpq takes it;
// pool_max_conns sets how many units may read at once (16). Any number of
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
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: the connection string is not one of PostgreSQL: %w", hidden(err))
	}
	settle(config)
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

// hidden is an error of a connection string, which may have a password in it,
// without that string.
func hidden(err error) error {
	if parse, ok := errors.AsType[*pgconn.ParseConfigError](err); ok {
		return errors.Unwrap(parse)
	}
	return err
}

// How many connections read: for units, and for those who look.
const (
	unitConnections = 16
	lookConnections = 4
)

// Settings of every connection, whatever the role or the database says.
var settings = map[string]string{
	"default_transaction_isolation":       "read committed",
	"synchronous_commit":                  "on",
	"lock_timeout":                        "0", // who waits for a turn has a deadline of his own
	"timezone":                            "UTC",
	"idle_in_transaction_session_timeout": "10s", // who sleeps in a transaction must not keep the others waiting
}

func settle(config *pgxpool.Config) {
	if config.MaxConns <= lookConnections {
		config.MaxConns = unitConnections
	}
	config.ConnConfig.StatementCacheCapacity = 1024
	for name, value := range settings {
		config.ConnConfig.RuntimeParams[name] = value
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "ferry"
	}
}

// server is a PostgreSQL database: one connection that commits units, and two
// pools of those that read. Commits take turns, over all processes: see
// serverWriter.
type server struct {
	units *pgxpool.Pool
	looks *pgxpool.Pool
	*committer
	warden   warden
	updating chan struct{} // held by the one update of this process

	closing sync.Once
}

var _ database = (*server)(nil)

func openServer(ctx context.Context, config *pgxpool.Config) (_ *server, err error) {
	s := &server{warden: warden{config.ConnConfig.Copy()}, updating: make(chan struct{}, 1)}
	defer func() {
		if err != nil {
			s.closePools()
		}
	}()
	if s.units, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, err
	}
	few := config.Copy()
	few.MaxConns, few.MinConns = lookConnections, 0
	if s.looks, err = pgxpool.NewWithConfig(ctx, few); err != nil {
		return nil, err
	}
	committing := config.ConnConfig.Copy()
	committing.RuntimeParams["plan_cache_mode"] = "force_generic_plan" // its statements go by keys: planning them costs more than running them
	writer := &serverWriter{config: committing, id: rand.Text(), warden: s.warden, patience: commitPatience}
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
		return nil, err
	}
	return &serverSnapshot{conn: conn}, nil
}

// fences takes numbers from a sequence, which no rollback gives back.
func (s *server) fences(ctx context.Context, n int) ([]int64, error) {
	rows, err := s.looks.Query(ctx, "SELECT nextval('fences') FROM generate_series(1, $1)", n)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

func (s *server) now() string {
	return "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)"
}

// Keys of the advisory locks that make the processes of one database take turns:
// one for the commits of units, one for the updates of the simulated world.
const (
	unitLock  = 0x66657272790001
	worldLock = 0x66657272790002
)

// update runs body in a transaction of its own, under the world's lock. One of a
// process at a time waits for that lock, so that those who look find connections.
func (s *server) update(ctx context.Context, body func(writer) error) error {
	select {
	case s.updating <- struct{}{}:
		defer func() { <-s.updating }()
	case <-ctx.Done():
		return ctx.Err()
	}
	conn, err := s.looks.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = ending(ctx, tx.Rollback) }()
	if err := s.waitFor(ctx, tx, worldLock); err != nil {
		return err
	}
	if err := body(connection{ctx, tx}); err != nil {
		return err
	}
	return outcome(ending(ctx, tx.Commit))
}

// ending ends a transaction although its caller may have no more time, if the
// server answers.
func ending(ctx context.Context, end func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return end(ctx)
}

// waitFor waits for a lock, which the transaction has until it ends.
func (s *server) waitFor(ctx context.Context, tx pgx.Tx, lock int64) error {
	defer s.warden.watch(lock)()
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", lock)
	return err
}

// outcome returns the error of a commit: ErrOutcomeUnknown when the server has
// not said what became of it.
func outcome(err error) error {
	if err == nil || answered(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
}

// answered reports whether an error is the server's word that it has done
// nothing, and not the end of the connection.
func answered(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.SeverityUnlocalized == "ERROR"
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

// serverSnapshot is one state of the database, that of its first query.
type serverSnapshot struct {
	conn  *pgxpool.Conn
	begun bool
}

const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

// query sends the first query together with what opens the snapshot.
func (s *serverSnapshot) query(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	var b pgx.Batch
	if !s.begun {
		b.Queue(beginSnapshot)
	}
	b.Queue(numbered(sql), args...)
	results := s.conn.SendBatch(ctx, &b)
	err := s.read(results, each)
	if closeErr := results.Close(); err == nil {
		err = closeErr
	}
	return err
}

func (s *serverSnapshot) read(results pgx.BatchResults, each func(scan func(...any) error) error) error {
	if !s.begun {
		if _, err := results.Exec(); err != nil {
			return nil // Close says it
		}
		s.begun = true
	}
	rows, _ := results.Query() // its error is that of rows
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return nil // Close says the rest
}

// endTimeout is how long the server may take to end a snapshot before the
// connection is given up.
const endTimeout = 5 * time.Second

// end gives the connection back; nobody has to wait for that.
func (s *serverSnapshot) end() {
	if !s.begun {
		s.conn.Release()
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
		defer cancel()
		_, _ = s.conn.Exec(ctx, "ROLLBACK") // Release closes a connection that is not idle
		s.conn.Release()
	}()
}

// connection runs statements, with a round trip for each. They end with ctx.
type connection struct {
	ctx context.Context
	to  interface {
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
		Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	}
}

func (c connection) query(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	rows, err := c.to.Query(ctx, numbered(sql), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (c connection) exec(sql string, args []any) (int64, error) {
	tag, err := c.to.Exec(c.ctx, numbered(sql), args...)
	return tag.RowsAffected(), err
}
