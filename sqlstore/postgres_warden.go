package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// Keys of the advisory locks that make the processes of one database take turns:
// one for the commits of units, one for the updates of the simulated world.
const (
	unitLock  int64 = 0x66657272790001
	worldLock int64 = 0x66657272790002
)

// takeLock waits for a lock, which the transaction has until it ends.
const takeLock = "SELECT pg_advisory_xact_lock($1)"

// A process that is stopped, or whose machine hangs, keeps its connections. When
// it has a lock by which all take turns, the others wait for it. The server's own
// time-outs see only a transaction that is idle, not one that has got a part of
// its statements or has answers that nobody reads. So whoever waits too long for
// a turn looks who has it, and ends the connection of one that waits for its
// client.
type warden struct{ config *pgx.ConnConfig }

const (
	// firstLook is how long somebody waits for a turn before he looks, and
	// nextLook the pause between two looks.
	firstLook = time.Second
	nextLook  = 500 * time.Millisecond
	// standstill is how long the holder of a lock may wait for its client.
	standstill = 5 * time.Second
)

// watch watches over a lock until the returned function is called: by somebody
// who is about to wait for it.
func (w warden) watch(lock int64) (stop func()) {
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
func (w warden) guard(ctx context.Context, lock int64) {
	for ctx.Err() == nil {
		w.lookAfter(ctx, lock)
		pause(ctx, nextLook)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// sleeper is a backend that has a lock and waits for its client, since a change of
// its state.
type sleeper struct {
	pid   int64
	since time.Time
}

// lookAfter looks at the lock over one connection until that fails.
func (w warden) lookAfter(ctx context.Context, lock int64) {
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
	for ; ; pause(ctx, nextLook) {
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

// sleeperOf returns who keeps others from a lock while it waits for its client, or
// nobody.
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
