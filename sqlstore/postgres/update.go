package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Update runs body in a transaction of its own, under the world's lock.
func (s *server) Update(ctx context.Context, body func(sqldb.Writer) error) error {
	return s.under(ctx, worldLock, body)
}

// under runs body in a transaction of its own, under a lock. One of a process at
// a time waits for that lock, so that those who look find connections.
func (s *server) under(ctx context.Context, lock int64, body func(sqldb.Writer) error) error {
	select {
	case s.updating <- struct{}{}:
		defer func() { <-s.updating }()
	case <-ctx.Done():
		return ctx.Err()
	}
	conn, err := s.looks.pool.Acquire(ctx)
	if err != nil {
		return unavailable(err)
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return unavailable(err)
	}
	defer func() { _ = ending(ctx, tx.Rollback) }()
	if err := s.waitFor(ctx, tx, lock); err != nil {
		return unavailable(err)
	}
	if err := body(connection{ctx, tx}); err != nil {
		return err
	}
	return outcome(ending(ctx, tx.Commit))
}

// waitFor waits for a lock, which the transaction has until it ends.
func (s *server) waitFor(ctx context.Context, tx pgx.Tx, lock int64) error {
	defer s.watchdog.watch(lock)()
	_, err := tx.Exec(ctx, takeLock, lock)
	return err
}
