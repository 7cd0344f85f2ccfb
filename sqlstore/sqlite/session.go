package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"github.com/ferrypay/ferry/internal/statements"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// session is one connection and its prepared statements. It is not for
// concurrent use. Its statements are not bound to any caller's context: what is
// shared is not cancelled for one of those who share it.
type session struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
	see      func(statement string) // of a test, or nil
}

// newSession takes a connection for good.
func newSession(ctx context.Context, db *sql.DB) (*session, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &session{conn, map[string]*sql.Stmt{}, statements.Of(ctx)}, nil
}

// statement prepares a text once. Texts are those of this package: few.
func (s *session) statement(text string) (*sql.Stmt, error) {
	if s.see != nil {
		s.see(text)
	}
	if stmt, ok := s.prepared[text]; ok {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(context.Background(), planned(text))
	if err != nil {
		return nil, err
	}
	s.prepared[text] = stmt
	return stmt, nil
}

// planned returns a statement that SQLite plans once. With a bare parameter behind
// LIMIT it would plan anew for each value, which takes longer than to run it.
func planned(text string) string { return strings.ReplaceAll(text, "LIMIT ?", "LIMIT (? + 0)") }

// begin begins a snapshot. A transaction that a failure left open is ended first.
func (s *session) begin() error {
	_, err := s.Exec("BEGIN DEFERRED", nil)
	if err == nil {
		return nil
	}
	if _, failed := s.Exec("ROLLBACK", nil); failed != nil {
		return err
	}
	_, err = s.Exec("BEGIN DEFERRED", nil)
	return err
}

// Exec runs a statement and returns how many rows it touched.
func (s *session) Exec(text string, args []any) (int64, error) {
	stmt, err := s.statement(text)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (s *session) Query(ctx context.Context, text string, args []any, each func(scan func(...any) error) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	stmt, err := s.statement(text)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(context.Background(), args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	return sqldb.EachRow(rows, each)
}

func (s *session) Close() {
	for _, stmt := range s.prepared {
		_ = stmt.Close()
	}
	_ = s.conn.Close()
}
