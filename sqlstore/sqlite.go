package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// OpenFile opens the store in a SQLite file through a driver for SQLite. Programs call
// Open of package sqlite beside this one, which has the driver and says the rest: so
// only they are linked with it.
func OpenFile(ctx context.Context, through driver.Driver, path string) (*Store, error) {
	path, err := realPath(path)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(ctx, through, path)
	if err != nil {
		return nil, err
	}
	db, err := openFile(ctx, through, path)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	db.lock = lock
	return &Store{db: db, migration: db.migration}, nil
}

// realPath returns the one name of a file, so that its lock is one too.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, filepath.Base(path))
	target, err := os.Readlink(path)
	switch {
	case err != nil:
		return path, nil // it is not there yet
	case !filepath.IsAbs(target):
		target = filepath.Join(folder, target)
	}
	return linked(path, target)
}

// linked is realPath for what a link leads to where nothing is yet.
func linked(path, target string) (string, error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("sqlstore: the link %s leads nowhere: %w", path, err)
	}
	return realPath(target)
}

// dsn returns the name of a file for the driver, with pragmas.
func dsn(path string, pragmas ...string) string {
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	return u.String()
}

// connector opens connections to one file.
type connector struct {
	through driver.Driver
	dsn     string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.through.Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return c.through }

// connect returns a file as package database/sql sees it, with pragmas.
func connect(through driver.Driver, path string, pragmas ...string) *sql.DB {
	return sql.OpenDB(connector{through, dsn(path, pragmas...)})
}

// lockFile takes the lock that keeps other processes out, and other stores of
// this one. The system lets go of it when the process dies.
func lockFile(ctx context.Context, through driver.Driver, path string) (*sql.DB, error) {
	if err := newPrivate(path + "-lock"); err != nil {
		return nil, err
	}
	db := connect(through, path+"-lock", "journal_mode(MEMORY)", "locking_mode(EXCLUSIVE)")
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		if code(err) == resultBusy {
			err = fmt.Errorf("%w: %s", ErrInUse, path)
		}
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Primary result codes of SQLite, as https://www.sqlite.org/rescode.html has them.
const (
	resultBusy         = 5
	resultIOError      = 10
	resultFull         = 13
	resultNotADatabase = 26
)

// coded is an error of a driver for SQLite.
type coded interface {
	error
	Code() int
}

// code returns the primary result code of an error of SQLite, or 0.
func code(err error) int {
	if e, ok := errors.AsType[coded](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// private makes a file that only its owner may read: it holds secrets.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// newPrivate is private for a file that may be locked. One that is there is not
// touched: closing it would give up the locks that this process has on it.
func newPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// file is a SQLite database: one session that writes, and sessions that read.
type file struct {
	lock    *sql.DB
	writers *sql.DB
	readers *sql.DB
	units   pool
	looks   pool
	*committer
	writer *fileWriter

	migration Migration
	opening   int64        // counts how often the file was opened
	claims    atomic.Int64 // counts fencing numbers since then

	closing sync.Once
}

var _ database = (*file)(nil)

// pool is idle sessions.
type pool chan *session

// How many may hold a snapshot at once: units, and those who look.
const (
	unitSessions = 8
	lookSessions = 4
)

func openFile(ctx context.Context, through driver.Driver, path string) (*file, error) {
	f := &file{units: make(pool, unitSessions), looks: make(pool, lookSessions)}
	if err := f.open(ctx, through, path); err != nil {
		f.units.clear()
		f.looks.clear()
		return nil, errors.Join(err, f.closePools())
	}
	return f, nil
}

func (f *file) open(ctx context.Context, through driver.Driver, path string) (err error) {
	if err := private(path); err != nil {
		return err
	}
	if err := refuseForeign(ctx, through, path); err != nil {
		return err
	}
	f.writers = connect(through, path, "busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)")
	f.writers.SetMaxOpenConns(1)
	if f.migration, err = migrateFile(ctx, f.writers); err != nil {
		return err
	}
	f.readers = connect(through, path, "busy_timeout(5000)", "query_only(ON)")
	if err := errors.Join(f.units.fill(ctx, f.readers), f.looks.fill(ctx, f.readers)); err != nil {
		return err
	}
	writer, err := newSession(ctx, f.writers)
	if err != nil {
		return err
	}
	if err := f.inherit(ctx, writer); err != nil {
		writer.close()
		return err
	}
	f.writer = &fileWriter{session: writer}
	f.committer = startCommitter(f.writer)
	return nil
}

// refuseForeign refuses a file that has tables, but not the one that every store
// has, before anything is written to it.
func refuseForeign(ctx context.Context, through driver.Driver, path string) (err error) {
	db := connect(through, path, "busy_timeout(5000)", "query_only(ON)")
	defer func() { err = errors.Join(err, db.Close()) }()
	var foreign bool
	err = db.QueryRowContext(ctx, "SELECT count(*) > 0 AND count(*) FILTER (WHERE name = 'goose_db_version') = 0 FROM sqlite_schema").Scan(&foreign)
	switch {
	case code(err) == resultNotADatabase || err == nil && foreign:
		return fmt.Errorf("%w: %s", ErrForeign, path)
	case err != nil:
		return err
	}
	return nil
}

// inherit counts the opening and ends the leases of the process before, which is
// dead as it no longer has the lock: what it worked on need not wait.
func (f *file) inherit(ctx context.Context, writer *session) error {
	if _, err := one(ctx, writer, "UPDATE openings SET times = times + 1 RETURNING times", nil, &f.opening); err != nil {
		return err
	}
	_, err := writer.exec("UPDATE due_work SET leased_until = 0 WHERE fence > 0", nil)
	return err
}

// begin opens a snapshot. It is of the moment of its first query.
func (f *file) begin(ctx context.Context) (snapshot, error) { return f.take(ctx, f.units) }

func (f *file) look(ctx context.Context) (snapshot, error) { return f.take(ctx, f.looks) }

func (f *file) take(ctx context.Context, from pool) (snapshot, error) {
	select {
	case s := <-from:
		if err := s.begin(); err != nil {
			from <- s
			return nil, err
		}
		return &fileSnapshot{s, from}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-f.closed:
		return nil, ErrClosed
	}
}

// update runs body in a turn of its own, in the caller's goroutine.
func (f *file) update(ctx context.Context, body func(writer) error) error {
	turn, err := f.alone(ctx)
	if err != nil {
		return err
	}
	defer turn.end()
	return f.writer.transaction(func() error { return body(f.writer) })
}

// fill opens as many sessions as a pool holds.
func (p pool) fill(ctx context.Context, db *sql.DB) error {
	for range cap(p) {
		s, err := newSession(ctx, db)
		if err != nil {
			return err
		}
		p <- s
	}
	return nil
}

// empty closes sessions as they come back, until ctx ends.
func (p pool) empty(ctx context.Context) {
	for range cap(p) {
		select {
		case s := <-p:
			s.close()
		case <-ctx.Done():
			return
		}
	}
}

// clear closes the idle sessions.
func (p pool) clear() {
	for len(p) > 0 {
		(<-p).close()
	}
}

type fileSnapshot struct {
	*session
	pool pool
}

func (s *fileSnapshot) end() {
	_, _ = s.exec("ROLLBACK", nil)
	s.pool <- s.session
}

// fences join the number of the opening and a count, so that no crash and no
// rollback makes a number come again.
func (f *file) fences(_ context.Context, n int) ([]int64, error) {
	fences := make([]int64, n)
	for i := range fences {
		fences[i] = f.opening<<32 | f.claims.Add(1)
	}
	return fences, nil
}

func (f *file) now() string { return "CAST(unixepoch('subsec') * 1000000 AS INTEGER)" }

func (f *file) close(ctx context.Context) error {
	err := ErrClosed
	f.closing.Do(func() {
		if err = f.committer.stop(ctx); err != nil {
			return // somebody still writes: the file stays locked
		}
		f.units.empty(ctx)
		f.looks.empty(ctx)
		err = errors.Join(f.closePools(), f.lock.Close())
	})
	return err
}

func (f *file) closePools() error {
	var errs []error
	for _, db := range []*sql.DB{f.readers, f.writers} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}
