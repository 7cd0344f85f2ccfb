package sqlstore

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// World returns the store of the simulated world, which lives in a table of its
// own and ends with s. An update waits until no unit commits and then runs once.
// Inside a unit of work it is refused with ferry.ErrNestedUnit, because it might
// wait for the end of that unit.
//
// A view takes documents from memory, as long as the world still has the version at which they
// were read.
func (s *Store) World() sandbox.Store { return s.world }

type world struct {
	db    sqldb.Database
	ended atomic.Bool

	asking sync.Mutex // held while the version is read, so that one at a time reads it
	mu     sync.Mutex
	newest *worldState
	asked  time.Time // when the newest state was known to be that of the database
	since  time.Time // when this process learned of the newest state
}

var _ sandbox.Store = (*world)(nil)

func newWorld(db sqldb.Database) *world { return &world{db: db, newest: newWorldState(-1)} }

// View runs body on a state. It waits for no unit: a unit may ask the world's clock.
func (w *world) View(ctx context.Context, within time.Duration, body func(sandbox.KV) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		state, err := w.recent(ctx, within)
		if err != nil {
			return err
		}
		view := &worldView{ctx: ctx, world: w, state: state}
		if err := body(view); !view.moved {
			return err
		}
	}
}

// recent returns a state that was the newest one less than within ago.
func (w *world) recent(ctx context.Context, within time.Duration) (*worldState, error) {
	if w.ended.Load() {
		return nil, sqldb.ErrClosed
	}
	if state := w.known(within); state != nil {
		return state, nil
	}
	w.asking.Lock()
	defer w.asking.Unlock()
	if state := w.known(within); state != nil {
		return state, nil
	}
	at := time.Now()
	var version int64
	if err := w.db.Ask(ctx, versionOfWorld, nil, func(scan func(...any) error) error { return scan(&version) }); err != nil {
		return nil, err
	}
	return w.saw(version, at), nil
}

const versionOfWorld = "SELECT version FROM world_version"

func (w *world) known(within time.Duration) *worldState {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.asked) < within {
		return w.newest
	}
	return nil
}

// saw learns the version that the world had after an instant, and returns the newest state. A
// version goes back when a backup is restored. What was asked before this process learned of the
// newest state says nothing about that.
func (w *world) saw(version int64, at time.Time) *worldState {
	w.mu.Lock()
	defer w.mu.Unlock()
	if version > w.newest.version || version < w.newest.version && at.After(w.since) {
		w.newest, w.asked, w.since = newWorldState(version), at, time.Now()
	}
	if version == w.newest.version && at.After(w.asked) {
		w.asked = at
	}
	return w.newest
}

// drop makes the next view read the version again, because a state was found to be old.
func (w *world) drop(old *worldState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.newest == old {
		w.asked = time.Time{}
	}
}

// Update runs body in a transaction; no unit commits meanwhile.
func (w *world) Update(ctx context.Context, body func(sandbox.KV) error) error {
	ctx, err := ferry.EnterUnit(ctx)
	if err != nil {
		return err
	}
	var made *worldState
	var at time.Time
	err = w.db.Update(ctx, func(tx sqldb.Writer) error {
		u, err := w.begin(ctx, tx)
		if err == nil {
			err = body(u)
		}
		if err == nil {
			at = time.Now()
			made, err = u.finish()
		}
		return err
	})
	if err == nil {
		w.put(made, at)
	}
	return err
}

// put makes a state the newest one. When a newer one is known, or the version has gone back, the
// next view reads the version again.
func (w *world) put(made *worldState, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if made.version < w.newest.version {
		w.asked = time.Time{}
		return
	}
	w.newest, w.asked, w.since = made, at, time.Now()
}

// afterKeys sorts after every character that a key may have.
const afterKeys = "\x7f"

const (
	docOfWorld  = "SELECT value FROM world WHERE key = ?"
	scanOfWorld = "SELECT key, value FROM world WHERE key > ? AND key >= ? AND key < ? ORDER BY key LIMIT ?"
)

// args are the parameters of scanOfWorld.
func (s worldScan) args() []any {
	return []any{s.after, s.prefix, s.prefix + afterKeys, max(s.limit, 0)}
}
