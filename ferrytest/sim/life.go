package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// life is that of a process. What a process does after its death has no effect.
type life struct {
	dead bool
	// fails draws whether a unit of the store fails when it begins or when it commits, and
	// loses whether the answer to a commit is lost.
	fails, loses func() bool
}

// living is the key of the life of the process that does a task.
type living struct{}

// isDead reports whether the process that does the task of a context is dead.
func isDead(ctx context.Context) bool {
	l, ok := ctx.Value(living{}).(*life)
	return ok && l.dead
}

var (
	errDead   = errors.New("sim: the process is dead")
	errStore  = fmt.Errorf("sim: nothing was committed: %w", store.ErrUnavailable)
	errUnsure = errors.New("sim: the answer of the store was lost")
)

// mortalStore is the store as a process that may die sees it. Before and after each unit the
// process awaits the store.
type mortalStore struct {
	store.Backend
	life *life
	run  *run
}

func (m mortalStore) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	await(ctx, "read")
	switch {
	case m.life.dead:
		return errDead
	case m.life.fails():
		return errStore
	}
	err := m.Backend.Read(ctx, body)
	if m.run.power.fails(m.life) {
		return errDead
	}
	return err
}

func (m mortalStore) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	await(ctx, "write")
	switch {
	case m.life.dead:
		return errDead
	case m.life.fails():
		return errStore
	}
	var unit *unitClaims
	err := m.Backend.Write(ctx, func(ctx context.Context, p store.Ports) error {
		unit = &unitClaims{Ports: p}
		if err := body(ctx, unit); err != nil {
			return err
		}
		if m.life.fails() {
			return errStore
		}
		return nil
	})
	switch dark := m.run.power.fails(m.life); {
	case err != nil && dark:
		return errDead
	case err != nil:
		return err
	}
	m.run.committed = true
	m.run.claims.committed(unit)
	await(ctx, "committed")
	switch {
	case m.life.dead:
		return errDead
	case m.life.loses():
		return errUnsure
	}
	return nil
}

// mortalWorld is the outside world as a process that may die sees it.
type mortalWorld struct {
	sandbox.Store
	life *life
}

func (m mortalWorld) View(ctx context.Context, within time.Duration, body func(sandbox.KV) error) error {
	await(ctx, "ask outside")
	if m.life.dead && paused(ctx) {
		return errDead
	}
	return m.Store.View(ctx, within, body)
}

func (m mortalWorld) Update(ctx context.Context, body func(sandbox.KV) error) error {
	await(ctx, "call outside")
	if m.life.dead {
		return errDead
	}
	if err := m.Store.Update(ctx, body); err != nil {
		return err
	}
	await(ctx, "called outside")
	if m.life.dead {
		return errDead
	}
	return nil
}

// paused reports whether a context is that of a task. The clock of the world is read without one.
func paused(ctx context.Context) bool { return ctx.Value(pausing{}) != nil }
