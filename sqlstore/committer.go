package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"
)

// committer is the one goroutine that writes. It takes all batches that wait and
// commits them in one transaction, each with its own verdict.
type committer struct {
	writer *session
	queue  chan *waiter
	turns  chan *ownTurn
	halt   chan struct{} // closed to stop it
	closed chan struct{} // closed when it has stopped
	once   sync.Once
	broken error // ErrBroken after a commit whose outcome is unknown
}

// waiter is a batch that waits for its verdict.
type waiter struct {
	ctx     context.Context
	batch   *batch
	verdict error
	done    chan struct{}
}

// maxGroup is the greatest number of batches of one transaction.
const maxGroup = 256

func startCommitter(writer *session) *committer {
	c := &committer{
		writer: writer,
		queue:  make(chan *waiter, maxGroup),
		turns:  make(chan *ownTurn),
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
	select {
	case <-w.done:
		return w.verdict
	case <-c.closed:
	}
	select {
	case <-w.done: // it was among the last
		return w.verdict
	default:
		return ErrClosed
	}
}

func (c *committer) run() {
	defer close(c.closed)
	defer c.writer.close()
	for {
		select {
		case w := <-c.queue:
			c.commitGroup(c.gather(w))
		case t := <-c.turns:
			c.give(t)
		case <-c.halt:
			for len(c.queue) > 0 {
				c.commitGroup(c.gather(<-c.queue))
			}
			return
		}
	}
}

// gather takes all that wait beside the first.
func (c *committer) gather(first *waiter) []*waiter {
	group := []*waiter{first}
	for len(group) < maxGroup {
		select {
		case w := <-c.queue:
			group = append(group, w)
		default:
			return group
		}
	}
	return group
}

// commitGroup commits batches in one transaction and tells each its verdict.
// When the transaction fails, they are tried one by one.
func (c *committer) commitGroup(group []*waiter) {
	if err := c.transact(group); err != nil && len(group) > 1 && c.broken == nil {
		for _, w := range group {
			c.fail(c.transact([]*waiter{w}), w)
		}
	} else {
		c.fail(err, group...)
	}
	for _, w := range group {
		close(w.done)
	}
}

// fail makes an error of the transaction the verdict of its batches.
func (c *committer) fail(err error, group ...*waiter) {
	for _, w := range group {
		if err != nil {
			w.verdict = err
		}
	}
}

// transact applies batches within one transaction. The error is that of the
// transaction; what becomes of a batch is its verdict.
func (c *committer) transact(group []*waiter) error {
	return c.transaction(func() error {
		counts := map[string]int64{}
		for _, w := range group {
			var err error
			if w.verdict, err = c.attempt(w); err != nil {
				return err
			}
			if w.verdict == nil {
				for list, n := range w.batch.counts {
					counts[list] += n
				}
			}
		}
		return c.count(counts)
	})
}

// transaction runs body within a transaction of the writer and commits it, or
// takes it back when body returns an error or panics.
func (c *committer) transaction(body func() error) error {
	if c.broken != nil {
		return c.broken
	}
	if _, err := c.writer.exec("BEGIN IMMEDIATE", nil); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			_, _ = c.writer.exec("ROLLBACK", nil) // the database may have done so itself
		}
	}()
	if err := body(); err != nil {
		return err
	}
	done = true
	if _, err := c.writer.exec("COMMIT", nil); err != nil {
		return c.undecided(err)
	}
	return nil
}

// undecided handles a commit that failed. After an error of the disk nobody
// knows what a restart will find, so that nothing more is written: the next
// opening reads what is there. A full disk has taken no commit, and the database
// has rolled back by itself.
func (c *committer) undecided(cause error) error {
	_, err := c.writer.exec("ROLLBACK", nil)
	if code(cause) == sqlite3.SQLITE_IOERR || err != nil && code(cause) != sqlite3.SQLITE_FULL {
		c.broken = fmt.Errorf("%w: %w", ErrBroken, cause)
		return fmt.Errorf("%w: %w", ErrOutcomeUnknown, cause)
	}
	return cause
}

// attempt applies one batch within a savepoint. err is for what spoils the
// whole transaction.
func (c *committer) attempt(w *waiter) (verdict, err error) {
	if err := w.ctx.Err(); err != nil {
		return err, nil
	}
	if _, err := c.writer.exec("SAVEPOINT unit", nil); err != nil {
		return nil, err
	}
	if verdict = c.apply(w.batch); verdict == nil {
		_, err = c.writer.exec("RELEASE unit", nil)
		return nil, err
	}
	if _, err := c.writer.exec("ROLLBACK TO unit", nil); err != nil {
		return nil, errors.Join(verdict, err)
	}
	if _, err := c.writer.exec("RELEASE unit", nil); err != nil {
		return nil, err
	}
	return c.explain(w.batch, verdict), nil
}

// apply checks what a batch has read and takes its steps.
func (c *committer) apply(b *batch) error {
	for _, g := range b.guards {
		if g.covered {
			continue
		}
		if ok, err := c.finds(g.sql, g.args); err != nil {
			return err
		} else if !ok {
			return errRerun
		}
	}
	for _, s := range b.steps {
		if err := c.take(s); err != nil {
			return err
		}
	}
	return nil
}

// errRefused is the refusal of a step that gives no reason.
var errRefused = errors.New("sqlstore: a step was refused")

// take runs one step.
func (c *committer) take(s step) (err error) {
	touched := true
	if s.asks {
		touched, err = c.finds(s.sql, s.args)
	} else {
		var n int64
		n, err = c.writer.exec(s.sql, s.args)
		touched = n > 0
	}
	switch {
	case err != nil:
		return err
	case !touched && s.refuse != nil:
		return cmp.Or(s.refuse(context.Background(), c.writer), errRefused)
	}
	return nil
}

func (c *committer) finds(sql string, args []any) (bool, error) {
	var n int64
	return one(context.Background(), c.writer, sql, args, &n)
}

// explain returns the verdict on a refused batch. When something that it read
// has changed, its refusal means nothing: the body runs again.
func (c *committer) explain(b *batch, refusal error) error {
	for _, g := range b.guards {
		if ok, err := c.finds(g.sql, g.args); err == nil && !ok {
			return errRerun
		}
	}
	return refusal
}

// count brings the counters of lists up to date, once a transaction.
func (c *committer) count(counts map[string]int64) error {
	for _, list := range slices.Sorted(maps.Keys(counts)) {
		if counts[list] == 0 {
			continue
		}
		n, err := c.writer.exec("UPDATE counters SET rows = rows + ? WHERE list = ?", []any{counts[list], list})
		if err == nil && n == 0 {
			_, err = c.writer.exec("INSERT INTO counters (list, rows) VALUES (?, ?)", []any{list, counts[list]})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
