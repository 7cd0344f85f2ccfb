package sqldb

import "context"

// exclusiveTurn is a time in which the committer serves one unit only.
type exclusiveTurn struct {
	ready  chan struct{} // closed when the turn begins, or could not
	failed error
	batch  chan *Waiter
	over   chan struct{} // closed when it ends
}

func (c *Committer) Alone(ctx context.Context) (Turn, error) {
	t := &exclusiveTurn{ready: make(chan struct{}), batch: make(chan *Waiter), over: make(chan struct{})}
	select {
	case c.turns <- t:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.Closed:
		return nil, ErrClosed
	}
	select {
	case <-t.ready:
		if t.failed != nil {
			return nil, t.failed
		}
		return t, nil
	case <-ctx.Done():
		t.End() // before it has begun
		return nil, ctx.Err()
	}
}

// give serves a turn until its unit ends it.
func (c *Committer) give(t *exclusiveTurn) {
	t.failed = c.groups.Hold()
	close(t.ready)
	if t.failed != nil {
		return
	}
	defer c.groups.Release()
	for {
		select {
		case w := <-t.batch:
			c.serve(w)
		case <-t.over:
			return
		}
	}
}

func (t *exclusiveTurn) Commit(ctx context.Context, b *Batch) error {
	w := &Waiter{Ctx: ctx, Batch: b, done: make(chan struct{})}
	w.claim()
	t.batch <- w
	return w.wait(nil)
}

func (t *exclusiveTurn) End() { close(t.over) }
