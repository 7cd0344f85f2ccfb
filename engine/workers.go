package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

const (
	// everySweep is how often the outside world is asked what has happened.
	everySweep = 2 * time.Second
	// everyPass is how often a worker passes when nothing wakes it.
	everyPass = time.Hour
)

// Worker is one kind of background work: a pass that does what is due and says
// how much it did.
type Worker struct {
	Name   string
	RunDue func(ctx context.Context, limit int) (done int, err error)
}

// Workers lists the engine's background work, for an embedder who calls the passes
// instead of Run.
func (e *Engine) Workers() []Worker {
	all := make([]Worker, len(e.workers))
	for i, p := range e.workers {
		all[i] = Worker{p.name, e.unlessAdvancing(p)}
	}
	return all
}

// Run does the engine's background work until ctx ends, and returns when the
// work in hand is finished. Any number of processes may run on one store.
func (e *Engine) Run(ctx context.Context) {
	all := []worker.Worker{e.poller.worker()}
	for _, p := range e.workers {
		all = append(all, worker.Worker{Name: p.name, Every: everyPass, Nudge: &p.nudge, RunDue: e.unlessAdvancing(p)})
	}
	worker.Run(ctx, e.logger, all...)
	e.Webhooks.Wait()
}

// unlessAdvancing is a pass that does nothing while Advance or Drain works: what
// it claimed in between would be missing where the clock has to stop next.
func (e *Engine) unlessAdvancing(p *pass) func(context.Context, int) (int, error) {
	return func(ctx context.Context, limit int) (int, error) {
		if !e.advancing.TryRLock() {
			return 0, nil
		}
		defer e.advancing.RUnlock()
		ctx, cancel := e.era.within(ctx)
		defer cancel()
		e.noticeReset()
		done, err := p.run(ctx, limit)
		if overtaken(ctx) {
			return 0, nil
		}
		return done, err
	}
}

// pass is a worker's pass with its figures. One pass of a worker runs at a time
// in this process, so that Drain waits for the one that Run is in.
type pass struct {
	name string
	// sweeps says that it asks the outside world, whatever is due.
	sweeps bool
	// inHand says that what it claimed may still be in its hands when a pass has ended, and that
	// the next one waits for it.
	inHand bool
	work   func(ctx context.Context, limit int) (int, error)
	nudge  worker.Nudge

	running  sync.Mutex
	figures  sync.Mutex
	done     int64
	failures int64
}

func (p *pass) run(ctx context.Context, limit int) (int, error) {
	p.running.Lock()
	defer p.running.Unlock()
	done, err := p.work(ctx, limit)
	p.figures.Lock()
	defer p.figures.Unlock()
	p.done += int64(done)
	if err != nil && !overtaken(ctx) {
		p.failures++
	}
	return done, err
}

// overtaken reports whether a reset has ended the work of ctx.
func overtaken(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errReset) }

// purgeIdempotency forgets keys whose retention has ended.
func (e *Engine) purgeIdempotency(ctx context.Context, limit int) (int, error) {
	purged := 0
	for _, env := range ferry.Envs() {
		n, err := ferry.InUnit(ctx, e.units.In(env), func(ctx context.Context, tx store.Tx) (int, error) {
			return idempotency.RecordKind.Purge(ctx, tx, env, tx.Now().Add(-idempotency.Retention), limit)
		})
		if err != nil {
			return purged, err
		}
		purged += n
	}
	return purged, nil
}

// Stats are figures for an operator.
type Stats struct {
	// QueueLag is how long the oldest due work of each queue of each environment
	// that the engine serves has waited, by the environment's clock.
	QueueLag map[lease.Queue]time.Duration
	// Holds are those of all environments, in their order, with the stops that stand beside
	// them; each says whether it is in force.
	Holds []custody.OutflowHold
	// Reconciled are the newest regular comparisons that this process made.
	Reconciled []ReconcileStats
	Workers    []WorkerStats
	// Waiting are the transfers on chains that are not signed yet, by environment and reason, also
	// the reasons for which none waits.
	Waiting []WaitingStats
}

// WaitingStats counts the transfers of an environment that are not signed yet for a reason.
type WaitingStats struct {
	Env    ferry.Env
	Reason wallets.Waiting
	// Transfers is how many there are, of which at most 1,000 are counted.
	Transfers int
}

// WorkerStats counts what a worker did in this process.
type WorkerStats struct {
	Name           string
	Done, Failures int64
}

// Stats reads the figures.
func (e *Engine) Stats(ctx context.Context) (Stats, error) {
	stats := Stats{QueueLag: map[lease.Queue]time.Duration{}}
	for env := range e.providers {
		queues := e.queuesIn(env)
		next, err := e.nextDue(ctx, queues)
		if err != nil {
			return Stats{}, err
		}
		now := e.clocks.In(env).Now()
		for _, q := range queues {
			stats.QueueLag[q] = 0
			if due, waits := next[q]; waits {
				stats.QueueLag[q] = max(0, now.Sub(due))
			}
		}
	}
	if err := e.holdStats(ctx, &stats); err != nil {
		return Stats{}, err
	}
	if err := e.waitingStats(ctx, &stats); err != nil {
		return Stats{}, err
	}
	for _, p := range e.workers {
		p.figures.Lock()
		stats.Workers = append(stats.Workers, WorkerStats{p.name, p.done, p.failures})
		p.figures.Unlock()
	}
	return stats, nil
}

func (e *Engine) holdStats(ctx context.Context, stats *Stats) error {
	for _, env := range slices.Sorted(maps.Keys(e.providers)) {
		h, err := e.Custody.OutflowHold(ctx, env)
		if err != nil {
			return err
		}
		stats.Holds = append(stats.Holds, h)
	}
	e.reconciling.Lock()
	defer e.reconciling.Unlock()
	for _, key := range slices.Sorted(maps.Keys(e.reconciled)) {
		stats.Reconciled = append(stats.Reconciled, e.reconciled[key])
	}
	return nil
}

// maxWaiting is how many transfers that wait for one reason are counted.
const maxWaiting = 1000

func (e *Engine) waitingStats(ctx context.Context, stats *Stats) error {
	for _, env := range slices.Sorted(maps.Keys(e.providers)) {
		counted, err := ferry.InRead(ctx, e.Units(env), func(ctx context.Context, tx store.Tx) (counted []WaitingStats, err error) {
			for _, why := range wallets.Waitings() {
				if why == wallets.NotWaiting {
					continue
				}
				found, err := outgoing.TransferKind.After(ctx, tx, outgoing.WaitingIn(env, why), "", maxWaiting)
				if err != nil {
					return nil, err
				}
				counted = append(counted, WaitingStats{env, why, len(found)})
			}
			return counted, nil
		})
		if err != nil {
			return err
		}
		stats.Waiting = append(stats.Waiting, counted...)
	}
	return nil
}

// nextDue returns the earliest due instant of each of the queues that has one.
func (e *Engine) nextDue(ctx context.Context, of []lease.Queue) (map[lease.Queue]time.Time, error) {
	return ferry.InRead(ctx, e.units.In(ferry.Live), func(ctx context.Context, tx store.Tx) (map[lease.Queue]time.Time, error) {
		return tx.Leases().Next(ctx, of)
	})
}
