package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// server is a PostgreSQL database: one connection that commits units, and two
// pools of those that read. Commits take turns, over all processes: see
// serverWriter.
type server struct {
	units *lane
	looks *lane
	*sqldb.Committer
	writer   *serverWriter
	watchdog watchdog
	updating chan struct{} // held by the one update of this process

	closing sync.Once
}

var _ sqldb.Database = (*server)(nil)

func openServer(ctx context.Context, config *pgxpool.Config) (_ *server, err error) {
	s := &server{watchdog: watchdog{config.ConnConfig.Copy()}, updating: make(chan struct{}, 1)}
	defer func() {
		if err != nil {
			s.closePools()
		}
	}()
	if s.units, err = openLane(ctx, config, config.MaxConns); err != nil {
		return nil, err
	}
	few := config.Copy()
	few.MaxConns, few.MinConns, few.MinIdleConns = lookConnections, 0, 0
	maps.Copy(few.ConnConfig.RuntimeParams, byIndexes)
	if s.looks, err = openLane(ctx, few, lookConnections/2); err != nil { // the others write
		return nil, err
	}
	committing := config.ConnConfig.Copy()
	maps.Copy(committing.RuntimeParams, byKeys)
	s.writer = &serverWriter{config: committing, id: rand.Text(), watchdog: s.watchdog, patience: commitPatience}
	if err := s.writer.connect(ctx); err != nil {
		return nil, err
	}
	s.Committer = sqldb.StartCommitter(s.writer)
	return s, nil
}

func (s *server) Begin(ctx context.Context) (sqldb.Snapshot, error) {
	conn, err := s.take(ctx, s.units)
	if err != nil {
		return nil, err
	}
	return &serverSnapshot{lane: s.units, conn: conn}, nil
}

func (s *server) Ask(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	conn, err := s.take(ctx, s.looks)
	if err != nil {
		return err
	}
	defer s.looks.give(conn)
	err = connection{ctx, conn}.Query(ctx, sql, args, each)
	if conn.Conn().IsClosed() {
		return unavailable(err)
	}
	return err
}

func (s *server) take(ctx context.Context, from *lane) (*pgxpool.Conn, error) {
	select {
	case <-s.Closed:
		return nil, sqldb.ErrClosed
	default:
	}
	return from.take(ctx)
}

// AskFenced takes the numbers from a sequence, which no rollback gives back.
func (s *server) AskFenced(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	return s.Ask(ctx, "SELECT nextval('fences'), found.* FROM ("+sql+") AS found", args, each)
}

func (s *server) Now() string {
	return "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)"
}

// List takes an array for each column.
func (s *server) List(columns int, rows [][]string) (sql string, args []any) {
	arrays := make([]string, columns)
	for n := range arrays {
		column := make([]string, len(rows))
		for i, row := range rows {
			column[i] = row[n]
		}
		arrays[n], args = "?::text[]", append(args, column)
	}
	return "SELECT * FROM unnest(" + strings.Join(arrays, ", ") + ")", args
}

// OneOfEach looks for one row at a time, as a join may read all of the table.
func (s *server) OneOfEach(list, table, where string) string {
	return list + " CROSS JOIN LATERAL (SELECT * FROM " + table + " WHERE " + where + " LIMIT 1) AS " + table
}

func (s *server) FirstOfEach(list, table, where, order string) string {
	return s.OneOfEach(list, table, where+" ORDER BY "+order)
}

// Waiting goes from owner to owner, the last one first, and reads the keys of each in one go. It finds an owner
// by its last key: the first ones may have ended, and stay in the index until the table is vacuumed. It names
// an owner by a range, so that only the index by owners has the order. Another index would lead through the
// keys of all owners.
func (s *server) Waiting() string {
	const next = "(SELECT f.owner FROM due_work f WHERE f.queue = %s.queue AND f." + sqldb.ByOwner + "%s ORDER BY f.owner DESC, f.due DESC, f.key DESC LIMIT 1)"
	return `owners (now, clock, queue, owner) AS (
			SELECT a.now, a.clock, a.queue, ` + fmt.Sprintf(next, "a", "") + ` FROM asked a
			UNION ALL SELECT o.now, o.clock, o.queue, ` + fmt.Sprintf(next, "o", " AND f.owner < o.owner") + ` FROM owners o WHERE o.owner IS NOT NULL),
		steps (now, queue, owner, due, key, round, fence, place) AS (
			SELECT o.now, o.queue, o.owner, d.due, d.key, d.round, d.fence, row_number() OVER (PARTITION BY o.queue, o.owner ORDER BY d.due, d.key)
				FROM owners o LEFT JOIN room r ON r.owner = o.owner CROSS JOIN LATERAL (SELECT f.due, f.key, f.round, f.fence FROM due_work f
					WHERE f.queue = o.queue AND f.owner >= o.owner AND f.owner <= o.owner AND f.due <= o.now AND f.` + sqldb.ByOwner + ` AND ` + sqldb.Free("f", "o.clock") + `
					ORDER BY f.owner, f.due, f.key LIMIT greatest(coalesce(r.most, ?), 0)) d)`
}

func (s *server) Close(ctx context.Context) error {
	err := sqldb.ErrClosed
	s.closing.Do(func() {
		if err = s.Committer.Stop(ctx); err != nil {
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
	for _, lane := range []*lane{s.units, s.looks} {
		if lane != nil {
			lane.close()
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
