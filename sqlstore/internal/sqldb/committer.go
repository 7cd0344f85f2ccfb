package sqldb

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Committer is the one goroutine that writes. It takes all batches that wait and
// has them committed in one transaction, each with its own verdict.
type Committer struct {
	groups GroupWriter
	queue  chan *Waiter
	turns  chan *exclusiveTurn
	halt   chan struct{} // closed to stop it
	Closed chan struct{} // closed when it has stopped
	once   sync.Once
}

// GroupWriter is how a kind of database commits. Only the committer's goroutine
// calls it.
type GroupWriter interface {
	// Write commits batches in one transaction and sets the verdict of each.
	Write(group []*Waiter)
	// Hold keeps everybody else from committing, those of other processes too,
	// until release. Between the two, write gets one batch at most.
	Hold() error
	Release()
	Close()
}

// Waiter is a batch that waits for its verdict.
type Waiter struct {
	Ctx     context.Context
	Batch   *Batch
	Verdict error
	done    chan struct{}
	// claimed by the committer, which commits it, or by the caller, who takes
	// it back.
	claimed atomic.Bool
}

// claim takes the batch, and reports false when it was taken before.
func (w *Waiter) claim() bool { return w.claimed.CompareAndSwap(false, true) }

// afterDeadline is how long a caller whose context has ended waits for a commit
// that has begun: longer than one takes of a database that answers.
const afterDeadline = 2 * time.Second

// wait returns the verdict. When the caller's context ends, a batch that waits is
// withdrawn; the outcome of one that is being committed is unknown.
func (w *Waiter) wait(closed <-chan struct{}) error {
	select {
	case <-w.done:
		return w.Verdict
	case <-closed:
	case <-w.Ctx.Done():
		if w.claim() {
			return w.Ctx.Err()
		}
		return w.waitLonger()
	}
	select {
	case <-w.done: // it was among the last
		return w.Verdict
	default:
		return ErrClosed
	}
}

func (w *Waiter) waitLonger() error {
	select {
	case <-w.done:
		return w.Verdict
	case <-time.After(afterDeadline):
		return fmt.Errorf("%w: %w", ErrOutcomeUnknown, w.Ctx.Err())
	}
}

// maxGroup is the greatest number of batches of one transaction.
const maxGroup = 256

func StartCommitter(groups GroupWriter) *Committer {
	c := &Committer{
		groups: groups,
		queue:  make(chan *Waiter, maxGroup),
		turns:  make(chan *exclusiveTurn),
		halt:   make(chan struct{}),
		Closed: make(chan struct{}),
	}
	go c.run()
	return c
}

// Stop waits until what was queued is committed, or until ctx ends.
func (c *Committer) Stop(ctx context.Context) error {
	c.once.Do(func() { close(c.halt) })
	select {
	case <-c.Closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Committer) Commit(ctx context.Context, b *Batch) error {
	w := &Waiter{Ctx: ctx, Batch: b, done: make(chan struct{})}
	select {
	case c.queue <- w:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.Closed:
		return ErrClosed
	}
	return w.wait(c.Closed)
}

func (c *Committer) run() {
	defer close(c.Closed)
	defer c.groups.Close()
	for {
		select {
		case w := <-c.queue:
			c.serve(c.gather(w)...)
		case t := <-c.turns:
			c.give(t)
		case <-c.halt:
			for len(c.queue) > 0 {
				c.serve(c.gather(<-c.queue)...)
			}
			return
		}
	}
}

// gather takes all that wait beside the first, but for what was taken back.
func (c *Committer) gather(first *Waiter) (group []*Waiter) {
	for next := first; ; {
		if next.claim() {
			group = append(group, next)
		}
		if len(group) == maxGroup {
			return group
		}
		select {
		case next = <-c.queue:
		default:
			return group
		}
	}
}

// serve commits batches and gives each its verdict.
func (c *Committer) serve(group ...*Waiter) {
	if len(group) > 0 {
		c.groups.Write(group)
	}
	for _, w := range group {
		close(w.done)
	}
}
