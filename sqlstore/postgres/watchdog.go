package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ferrypay/ferry/internal/worker"
)

// Keys of the advisory locks that make the processes of one database take turns:
// one for the commits of units, one for the updates of the simulated world.
const (
	unitLock  int64 = 0x66657272790001
	worldLock int64 = 0x66657272790002
)

// takeLock waits for a lock, which the transaction has until it ends.
const takeLock = "SELECT pg_advisory_xact_lock($1)"

// watchdog ends the database session of a process that has stopped while it holds a
// lock.
//
// A process that is stopped, or whose machine hangs, keeps its connections, and its lock
// makes all others wait. The time-outs of the server see only a transaction that is idle.
// They miss one whose statements have arrived in part, and one whose answers are not
// read. So a process that waits too long for the lock looks which session holds it, and
// ends that session when it waits for its client.
type watchdog struct{ config *pgx.ConnConfig }

const (
	// firstLook is how long a process waits for the lock before it looks, and
	// nextLook the pause between two looks.
	firstLook = time.Second
	nextLook  = 500 * time.Millisecond
	// standstill is how long the holder of a lock may wait for its client.
	standstill = 5 * time.Second
)

// watch watches a lock until the returned function is called. A process calls it before
// it waits for the lock.
func (w watchdog) watch(lock int64) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	timer := time.AfterFunc(firstLook, func() {
		defer close(done)
		w.guard(ctx, lock)
	})
	return func() {
		cancel()
		if !timer.Stop() {
			<-done
		}
	}
}

// guard looks until ctx ends. A server that cannot be asked is asked again.
func (w watchdog) guard(ctx context.Context, lock int64) {
	for ctx.Err() == nil {
		w.endStalled(ctx, lock)
		worker.Pause(ctx, nextLook)
	}
}

// sleeper is a backend that has a lock and waits for its client, since a change of
// its state.
type sleeper struct {
	pid   int64
	since time.Time
}

// endStalled ends stalled holders of the lock, over one connection, until that fails.
func (w watchdog) endStalled(ctx context.Context, lock int64) {
	conn, err := pgx.ConnectConfig(ctx, w.config)
	if err != nil {
		return
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing)
	}()
	var seen sleeper
	var first time.Time
	for ; ; worker.Pause(ctx, nextLook) {
		now, err := sleeperOf(ctx, conn, lock)
		switch {
		case err != nil:
			return
		case now != seen:
			seen, first = now, time.Now()
		case now != (sleeper{}) && time.Since(first) >= standstill:
			if err := now.end(ctx, conn); err != nil {
				return
			}
		}
	}
}

// end ends the session of a sleeper, unless it has woken up.
func (s sleeper) end(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND state_change = $2", s.pid, s.since)
	return err
}

// sleeperOf returns the session that holds a lock while it waits for its client, or the
// zero sleeper.
func sleeperOf(ctx context.Context, conn *pgx.Conn, lock int64) (s sleeper, err error) {
	err = conn.QueryRow(ctx, `SELECT a.pid, a.state_change FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.granted AND a.wait_event_type = 'Client' AND a.state_change IS NOT NULL
			AND l.locktype = 'advisory' AND l.objsubid = 1 AND l.classid = $1::bigint::oid AND l.objid = $2::bigint::oid
			AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND EXISTS (SELECT 1 FROM pg_locks w WHERE NOT w.granted AND w.locktype = l.locktype AND w.database = l.database
				AND w.classid = l.classid AND w.objid = l.objid AND w.objsubid = l.objsubid)`,
		lock>>32, lock&0xffffffff).Scan(&s.pid, &s.since)
	if errors.Is(err, pgx.ErrNoRows) {
		return sleeper{}, nil
	}
	return s, err
}
