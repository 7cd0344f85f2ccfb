package sqlite

import (
	"context"
	"database/sql"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// pool is idle sessions.
type pool chan *session

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
			s.Close()
		case <-ctx.Done():
			return
		}
	}
}

// clear closes the idle sessions.
func (p pool) clear() {
	for len(p) > 0 {
		(<-p).Close()
	}
}

type fileSnapshot struct {
	*session
	pool pool
}

// All runs queries one by one: there are no round trips.
func (s *fileSnapshot) All(ctx context.Context, queries ...sqldb.Query) error {
	for _, q := range queries {
		if err := s.Query(ctx, q.SQL, q.Args, q.Each); err != nil {
			return err
		}
	}
	return nil
}

func (s *fileSnapshot) End() {
	_, _ = s.Exec("ROLLBACK", nil)
	s.pool <- s.session
}
