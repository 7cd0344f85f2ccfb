package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// settleTime is how long Advance and Drain work before they answer that they
// are not done (docs/api.md, "Test helpers").
const settleTime = 20 * time.Second

// Progress is how far Advance or Drain came.
type Progress struct {
	Now time.Time
	// Done reports whether the target was reached and nothing is due. When
	// it is false, advance by nothing to go on.
	Done bool
}

// Advance moves the clock of the test environment forward by d, stopping at every instant at
// which something is due on the way, and does what is due there. Where the clock
// is to go is the world's: any server on one store goes on with what another
// one was asked.
func (e *Engine) Advance(ctx context.Context, d time.Duration) (Progress, error) {
	ctx, end := e.era.within(ctx)
	defer end()
	e.advancing.Lock()
	defer e.advancing.Unlock()
	e.noticeReset()
	target, err := e.World.Aim(ctx, d)
	if err != nil {
		return Progress{Now: e.clocks.Test.Now()}, ignoreTimeout(err, ctx)
	}
	working, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		began := e.clocks.Test.Now()
		quiet, err := e.settle(working)
		if err != nil || !quiet {
			return Progress{Now: e.clocks.Test.Now()}, ignoreTimeout(err, ctx)
		}
		now := e.clocks.Test.Now()
		if !now.Before(target) {
			return Progress{Now: now, Done: true}, nil
		}
		next, err := e.nextInstant(working, began, now, target)
		if err != nil {
			return Progress{Now: now}, ignoreTimeout(err, ctx)
		}
		if _, err := e.World.AdvanceTo(working, next); err != nil {
			return Progress{Now: now}, ignoreTimeout(err, ctx)
		}
	}
}

// Drain does what is due until nothing is, without moving the clock.
func (e *Engine) Drain(ctx context.Context) (Progress, error) {
	ctx, end := e.era.within(ctx)
	defer end()
	e.advancing.Lock()
	defer e.advancing.Unlock()
	working, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	quiet, err := e.settle(working)
	return Progress{Now: e.clocks.Test.Now(), Done: quiet && err == nil}, ignoreTimeout(err, ctx)
}

// drainOwn is Drain without the work of others.
func (e *Engine) drainOwn(ctx context.Context) error {
	e.advancing.Lock()
	defer e.advancing.Unlock()
	e.settleOwn(ctx)
	return nil
}

// othersLook is how often settle looks whether others have ended their work, in
// real time.
const othersLook = 20 * time.Millisecond

// settle works until nothing is due and no other server is at work. It reports
// false when the time ran out before.
func (e *Engine) settle(working context.Context) (bool, error) {
	for {
		if !e.settleOwn(working) {
			return false, nil
		}
		others, err := e.othersWork(working)
		switch {
		case working.Err() != nil:
			return false, nil
		case err != nil || !others:
			return err == nil, err
		}
		worker.Pause(working, othersLook)
	}
}

// settleOwn runs rounds until one does nothing. It reports false when the time ran out before.
func (e *Engine) settleOwn(working context.Context) bool {
	if err := e.scheduleReconcile(working); err != nil {
		e.logger.WarnContext(working, "no comparison is scheduled", "error", err)
	}
	for e.round(working) > 0 && working.Err() == nil {
	}
	return working.Err() == nil
}

// round runs one pass of each worker that may have something to do, and returns how much they
// did. First come those that ask the outside world, then those whose queues have due work, for
// which the store is asked once. When there is none of that, the rest clears up.
func (e *Engine) round(working context.Context) (done int) {
	done = e.runPasses(working, func(d domain) bool { return d.pass.sweeps })
	due, err := e.dueNow(working)
	if err != nil {
		e.logger.WarnContext(working, "the store does not say what is due", "error", err)
		return done
	}
	done += e.runPasses(working, func(d domain) bool {
		return !d.pass.sweeps && (d.pass.inHand || slices.ContainsFunc(d.due(), due))
	})
	if done == 0 {
		done = e.runPasses(working, func(d domain) bool { return !d.pass.sweeps && len(d.due()) == 0 })
	}
	return done
}

// runPasses runs one pass of each of some workers, and returns how much they did.
func (e *Engine) runPasses(working context.Context, of func(domain) bool) (done int) {
	for _, d := range e.domains {
		if d.pass == nil || !of(d) {
			continue
		}
		n, err := d.pass.run(working, worker.Batch)
		if working.Err() != nil {
			return done
		}
		if err != nil {
			e.logger.WarnContext(working, "a pass failed", "worker", d.pass.name, "error", err)
		}
		done += n
	}
	return done
}

// dueNow returns which kinds of queues have due work in some environment.
func (e *Engine) dueNow(ctx context.Context) (func(lease.Kind) bool, error) {
	next, err := e.nextDue(ctx, e.queues())
	due := map[lease.Queue]bool{}
	for q, at := range next {
		due[q] = !at.After(e.clocks.In(q.Env()).Now())
	}
	return func(kind lease.Kind) bool {
		return slices.ContainsFunc(ferry.Envs(), func(env ferry.Env) bool { return due[kind.In(env)] })
	}, err
}

// othersWork reports whether something is claimed, which is by another process
// then: the passes of this one have ended.
func (e *Engine) othersWork(ctx context.Context) (others bool, err error) {
	err = e.units.In(ferry.Test).Read(ctx, func(ctx context.Context, tx store.Tx) error {
		others, err = tx.Leases().Held(ctx, e.queuesIn(ferry.Test))
		return err
	})
	return others, err
}

// nextInstant is where the clock stops next, from now to the target: at the next
// instant at which something happens. What came due since the last settling
// began, while the clock went on, may be left over: then it stays now.
func (e *Engine) nextInstant(ctx context.Context, began, now, target time.Time) (time.Time, error) {
	due, err := e.nextDue(ctx, e.queuesIn(ferry.Test))
	if err != nil {
		return target, err
	}
	change, changes, err := e.World.NextChange(ctx)
	if err != nil {
		return target, err
	}
	next := target
	for _, at := range due {
		next = sooner(next, at, began)
	}
	if changes {
		next = sooner(next, change, began)
	}
	if next.Before(now) {
		next = now
	}
	return next, nil
}

// sooner returns the first instant of a unit at which at has come, when that
// lies after began and before next, or else next. Units cut their time to
// milliseconds, so the instant is at rounded up.
func sooner(next, at, began time.Time) time.Time {
	at = at.Add(time.Millisecond - 1).Truncate(time.Millisecond)
	if at.After(began) && at.Before(next) {
		return at
	}
	return next
}

// ignoreTimeout drops the end of settleTime and of an era, but not that of the
// caller's own context.
func ignoreTimeout(err error, caller context.Context) error {
	if overtaken(caller) {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) && caller.Err() == nil {
		return nil
	}
	return err
}
