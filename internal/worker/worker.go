// Package worker is the one loop that runs background work. The work itself is
// a pass of a domain, which claims what is due, does it and returns; the loop
// only decides when the next pass begins.
package worker

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// Batch is the limit that a pass is given. A pass that did so much is
	// followed by the next at once.
	Batch = 64
	// Grace is how long a pass may continue after the context of Run has ended.
	Grace = 15 * time.Second

	firstBackoff = 250 * time.Millisecond
	maxBackoff   = 30 * time.Second
)

// Worker is one kind of background work.
type Worker struct {
	// Name says in logs which work it is.
	Name string
	// Every is the longest time between two passes, in real time; 0 means a
	// second.
	Every time.Duration
	// Nudge, if not nil, wakes the worker.
	Nudge *Nudge
	// Gap is the least time between the beginnings of two passes, the later of which a
	// nudge has woken: what many nudge for within it is done in one pass. 0 is none.
	Gap time.Duration
	// RunDue is one pass: it works on at most limit due items and returns
	// how many there were.
	RunDue func(ctx context.Context, limit int) (done int, err error)
}

// Run runs the workers beside each other until ctx ends, and returns when the
// last pass has returned. A pass that is under way when ctx ends may finish
// within Grace; then its own context ends.
//
// A worker passes again at once while it has a full batch to do, when its Nudge is
// woken, and otherwise after Every. After an error or a panic,
// which are logged, it waits longer each time, and nudges do not shorten that.
func Run(ctx context.Context, logger *slog.Logger, workers ...Worker) {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	work, done := withGrace(ctx)
	defer done()
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() { w.loop(ctx, work, logger.With("worker", w.Name)) })
	}
	all.Wait()
}

// withGrace returns a context that ends Grace after ctx.
func withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-work.Done():
		case <-time.After(Grace):
			cancel()
		}
	})
	return work, func() { stop(); cancel() }
}

// loop passes until ctx ends; the passes themselves run under work.
func (w Worker) loop(ctx, work context.Context, logger *slog.Logger) {
	nudge := cmp.Or(w.Nudge, new(Nudge))
	failures := 0
	for ctx.Err() == nil {
		began := time.Now()
		woken := nudge.woken() // before the pass: a nudge during it counts
		done, err := w.pass(work)
		if err == nil {
			failures = 0
			if done < Batch {
				rest(ctx, cmp.Or(w.Every, time.Second), woken)
				w.keepGap(ctx, began)
			}
			continue
		}
		logger.Error("background pass failed", "error", err, "failures", failures+1)
		rest(ctx, backoff(failures), nil)
		failures++
	}
}

// pass runs RunDue once and returns its panic as an error.
func (w Worker) pass(ctx context.Context) (done int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return w.RunDue(ctx, Batch)
}

// keepGap waits until the next pass may begin.
func (w Worker) keepGap(ctx context.Context, began time.Time) {
	if left := w.Gap - time.Since(began); w.Gap > 0 && left > 0 {
		rest(ctx, left, nil)
	}
}

// Pause waits for d or for the end of ctx.
func Pause(ctx context.Context, d time.Duration) { rest(ctx, d, nil) }

// rest waits for d, for woken or for the end of ctx.
func rest(ctx context.Context, d time.Duration, woken <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-woken:
	case <-timer.C:
	}
}

// backoff doubles from firstBackoff to maxBackoff.
func backoff(failures int) time.Duration {
	return min(firstBackoff<<min(failures, 20), maxBackoff)
}
