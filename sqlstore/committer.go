package sqlstore

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// committer is the one goroutine that writes. It takes all batches that wait and
// has them committed in one transaction, each with its own verdict.
type committer struct {
	groups groupWriter
	queue  chan *waiter
	turns  chan *exclusiveTurn
	halt   chan struct{} // closed to stop it
	closed chan struct{} // closed when it has stopped
	once   sync.Once
}

// groupWriter is how a kind of database commits. Only the committer's goroutine
// calls it.
type groupWriter interface {
	// write commits batches in one transaction and sets the verdict of each.
	write(group []*waiter)
	// hold keeps everybody else from committing, those of other processes too,
	// until release. Between the two, write gets one batch at most.
	hold() error
	release()
	close()
}

// waiter is a batch that waits for its verdict.
type waiter struct {
	ctx     context.Context
	batch   *batch
	verdict error
	done    chan struct{}
	// claimed by the committer, which commits it, or by the caller, who takes
	// it back.
	claimed atomic.Bool
}

// claim takes the batch, and reports false when it was taken before.
func (w *waiter) claim() bool { return w.claimed.CompareAndSwap(false, true) }

// afterDeadline is how long a caller whose context has ended waits for a commit
// that has begun: longer than one takes of a database that answers.
const afterDeadline = 2 * time.Second

// wait returns the verdict. When the caller's context ends, a batch that waits is
// withdrawn; the outcome of one that is being committed is unknown.
func (w *waiter) wait(closed <-chan struct{}) error {
	select {
	case <-w.done:
		return w.verdict
	case <-closed:
	case <-w.ctx.Done():
		if w.claim() {
			return w.ctx.Err()
		}
		return w.waitLonger()
	}
	select {
	case <-w.done: // it was among the last
		return w.verdict
	default:
		return ErrClosed
	}
}

func (w *waiter) waitLonger() error {
	select {
	case <-w.done:
		return w.verdict
	case <-time.After(afterDeadline):
		return fmt.Errorf("%w: %w", ErrOutcomeUnknown, w.ctx.Err())
	}
}

// maxGroup is the greatest number of batches of one transaction.
const maxGroup = 256

func startCommitter(groups groupWriter) *committer {
	c := &committer{
		groups: groups,
		queue:  make(chan *waiter, maxGroup),
		turns:  make(chan *exclusiveTurn),
		halt:   make(chan struct{}),
		closed: make(chan struct{}),
	}
	go c.run()
	return c
}

// stop waits until what was queued is committed, or until ctx ends.
func (c *committer) stop(ctx context.Context) error {
	c.once.Do(func() { close(c.halt) })
	select {
	case <-c.closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *committer) commit(ctx context.Context, b *batch) error {
	w := &waiter{ctx: ctx, batch: b, done: make(chan struct{})}
	select {
	case c.queue <- w:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.closed:
		return ErrClosed
	}
	return w.wait(c.closed)
}

func (c *committer) run() {
	defer close(c.closed)
	defer c.groups.close()
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
func (c *committer) gather(first *waiter) (group []*waiter) {
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
func (c *committer) serve(group ...*waiter) {
	if len(group) > 0 {
		c.groups.write(group)
	}
	for _, w := range group {
		close(w.done)
	}
}
