package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// serverSnapshot is one state of the database, that of its first query.
type serverSnapshot struct {
	lane  *lane
	conn  *pgxpool.Conn
	begun bool
}

const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

// Query runs one query.
func (s *serverSnapshot) Query(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	return s.All(ctx, sqldb.Query{SQL: sql, Args: args, Each: each})
}

// All sends the first queries together with what opens the snapshot.
func (s *serverSnapshot) All(ctx context.Context, queries ...sqldb.Query) error {
	var b pgx.Batch
	if !s.begun {
		if inTransaction(s.conn) { // of an earlier reader
			b.Queue("ROLLBACK")
		}
		b.Queue(beginSnapshot)
	}
	before := b.Len()
	for _, q := range queries {
		b.Queue(numbered(q.SQL), q.Args...)
	}
	results := s.conn.SendBatch(ctx, &b)
	err := s.read(results, before, queries)
	if closeErr := results.Close(); err == nil {
		err = closeErr
	}
	if s.conn.Conn().IsClosed() {
		return unavailable(err)
	}
	return err
}

// read reads the results of queries that stand behind other statements in a batch.
func (s *serverSnapshot) read(results pgx.BatchResults, before int, queries []sqldb.Query) error {
	for range before {
		if _, err := results.Exec(); err != nil {
			return nil // Close says it
		}
	}
	s.begun = true
	for _, q := range queries {
		rows, _ := results.Query() // its error is that of rows
		err := sqldb.EachRow(rows, q.Each)
		rows.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// End gives the connection back.
func (s *serverSnapshot) End() { s.lane.give(s.conn) }

// connection runs statements, with a round trip for each. They end with ctx.
type connection struct {
	ctx context.Context
	to  interface {
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
		Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	}
}

func (c connection) Query(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error {
	rows, err := c.to.Query(ctx, numbered(sql), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return sqldb.EachRow(rows, each)
}

func (c connection) Exec(sql string, args []any) (int64, error) {
	tag, err := c.to.Exec(c.ctx, numbered(sql), args...)
	return tag.RowsAffected(), err
}
