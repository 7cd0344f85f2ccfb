package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pressly/goose/v3"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// file is a SQLite database: one session that writes, and sessions that read.
type file struct {
	lock    *sql.DB
	writers *sql.DB
	readers *sql.DB
	units   pool
	looks   pool
	*sqldb.Committer
	writer *fileWriter

	opening int64        // counts how often the file was opened
	claims  atomic.Int64 // counts fencing numbers since then

	closing sync.Once
}

var _ sqldb.Database = (*file)(nil)

// How many may hold a snapshot at once: units, and those who look.
const (
	unitSessions = 8
	lookSessions = 4
)

func openFile(ctx context.Context, on disk, path string, lock *sql.DB, migrate sqldb.Migrate) (*file, error) {
	f := &file{lock: lock, units: make(pool, unitSessions), looks: make(pool, lookSessions)}
	if err := f.open(ctx, on, path, migrate); err != nil {
		f.units.clear()
		f.looks.clear()
		return nil, errors.Join(err, f.closePools())
	}
	return f, nil
}

func (f *file) open(ctx context.Context, on disk, path string, migrate sqldb.Migrate) (err error) {
	if err := on.private(path); err != nil {
		return err
	}
	if err := on.refuseForeign(ctx, path); err != nil {
		return err
	}
	f.writers = on.connect(path, "busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)")
	f.writers.SetMaxOpenConns(1)
	if err := migrate(ctx, f.writers, goose.DialectSQLite3); err != nil {
		return err
	}
	f.readers = on.connect(path, "busy_timeout(5000)", "query_only(ON)")
	if err := errors.Join(f.units.fill(ctx, f.readers), f.looks.fill(ctx, f.readers)); err != nil {
		return err
	}
	writer, err := newSession(ctx, f.writers)
	if err != nil {
		return err
	}
	if err := f.inherit(ctx, writer); err != nil {
		writer.Close()
		return err
	}
	f.writer = &fileWriter{session: writer}
	f.Committer = sqldb.StartCommitter(f.writer)
	return nil
}

// refuseForeign refuses a file that has tables, but not the one that every store
// has, before anything is written to it.
func (on disk) refuseForeign(ctx context.Context, path string) (err error) {
	db := on.connect(path, "busy_timeout(5000)", "query_only(ON)")
	defer func() { err = errors.Join(err, db.Close()) }()
	var foreign bool
	err = db.QueryRowContext(ctx, "SELECT count(*) > 0 AND count(*) FILTER (WHERE name = 'goose_db_version') = 0 FROM sqlite_schema").Scan(&foreign)
	switch {
	case code(err) == sqlite3.SQLITE_NOTADB || err == nil && foreign:
		return fmt.Errorf("%w: %s", ErrForeign, path)
	case err != nil:
		return err
	}
	return nil
}

// inherit counts the opening and ends the leases of the process before, which is
// dead as it no longer has the lock: what it worked on need not wait.
func (f *file) inherit(ctx context.Context, writer *session) error {
	if _, err := sqldb.One(ctx, writer, "UPDATE openings SET times = times + 1 RETURNING times", nil, &f.opening); err != nil {
		return err
	}
	_, err := writer.Exec("UPDATE due_work SET leased_until = 0 WHERE fence > 0", nil)
	return err
}

// Begin opens a snapshot. It is of the moment of its first query.
func (f *file) Begin(ctx context.Context) (sqldb.Snapshot, error) { return f.take(ctx, f.units) }

func (f *file) Ask(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	snap, err := f.take(ctx, f.looks)
	if err != nil {
		return err
	}
	defer snap.End()
	return snap.Query(ctx, sql, args, each)
}

func (f *file) take(ctx context.Context, from pool) (sqldb.Snapshot, error) {
	select {
	case s := <-from:
		if err := s.begin(); err != nil {
			from <- s
			return nil, err
		}
		return &fileSnapshot{s, from}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-f.Closed:
		return nil, sqldb.ErrClosed
	}
}

// Update runs body in a turn of its own, in the caller's goroutine.
func (f *file) Update(ctx context.Context, body func(sqldb.Writer) error) error {
	turn, err := f.Alone(ctx)
	if err != nil {
		return err
	}
	defer turn.End()
	return f.writer.transaction(func() error { return body(f.writer) })
}

// AskFenced joins the number of the opening and a count, so that no crash and no rollback makes
// a fencing number come again.
func (f *file) AskFenced(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	return f.Ask(ctx, sql, args, func(scan func(...any) error) error {
		return each(func(into ...any) error {
			*into[0].(*int64) = f.opening<<32 | f.claims.Add(1)
			return scan(into[1:]...)
		})
	})
}

func (f *file) Now() string { return "CAST(unixepoch('subsec') * 1000000 AS INTEGER)" }

// List takes one text in JSON, in which each text is in hexadecimal: so it may have any bytes, as in a column.
func (f *file) List(columns int, rows [][]string) (sql string, args []any) {
	var list strings.Builder
	for i, row := range rows {
		between := ",["
		if i == 0 {
			between = "["
		}
		for _, text := range row {
			fmt.Fprintf(&list, `%s"%x"`, between, text)
			between = ","
		}
		list.WriteByte(']')
	}
	texts := make([]string, columns)
	for n := range texts {
		texts[n] = fmt.Sprintf("CAST(unhex(value ->> %d) AS TEXT)", n)
	}
	return "SELECT " + strings.Join(texts, ", ") + " FROM json_each(?)", []any{"[" + list.String() + "]"}
}

func (f *file) OneOfEach(list, table, where string) string {
	return list + " CROSS JOIN " + table + " ON " + where
}

func (f *file) FirstOfEach(list, table, where, order string) string {
	return list + " CROSS JOIN " + table + " ON " + table + ".id = (SELECT id FROM " + table + " WHERE " + where + " ORDER BY " + order + " LIMIT 1)"
}

// Waiting steps through the index by owners: from a key to the next one that is due of the same owner, as
// far as there is room for it, and else to the first key of the next owner. It says which index and which
// order (CROSS JOIN), because SQLite would take the index by instants, or begin with due_work, and pass over
// the keys of all owners at each step.
func (f *file) Waiting() string {
	return `steps (now, clock, queue, owner, due, key, round, fence, place) AS (
			SELECT a.now, a.clock, d.queue, d.owner, d.due, d.key, d.round, d.fence, CAST(1 AS BIGINT) FROM asked a
				JOIN due_work d ON d.queue = a.queue AND d.key = (SELECT f.key FROM due_work f INDEXED BY due_work_by_owner
					WHERE f.queue = a.queue AND ` + sqldb.Free("f", "a.clock") + ` ORDER BY f.owner, f.due, f.key LIMIT 1)
			UNION ALL SELECT s.now, s.clock, d.queue, d.owner, d.due, d.key, d.round, d.fence, CASE WHEN d.owner = s.owner THEN s.place + 1 ELSE 1 END
				FROM steps s LEFT JOIN room r ON r.owner = s.owner CROSS JOIN due_work d ON d.queue = s.queue AND d.key = coalesce(
					CASE WHEN s.place < coalesce(r.most, ?) THEN
						(SELECT f.key FROM due_work f INDEXED BY due_work_by_owner WHERE f.queue = s.queue AND f.owner = s.owner
							AND f.due <= s.now AND (f.due, f.key) > (s.due, s.key) AND ` + sqldb.Free("f", "s.clock") + ` ORDER BY f.due, f.key LIMIT 1) END,
					(SELECT f.key FROM due_work f INDEXED BY due_work_by_owner WHERE f.queue = s.queue AND f.owner > s.owner AND ` + sqldb.Free("f", "s.clock") + `
						ORDER BY f.owner, f.due, f.key LIMIT 1)))`
}

func (f *file) Close(ctx context.Context) error {
	err := sqldb.ErrClosed
	f.closing.Do(func() {
		if err = f.Committer.Stop(ctx); err != nil {
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
