package sqlstore

import "context"

// exclusiveTurn is a time in which the committer serves one unit only.
type exclusiveTurn struct {
	ready  chan struct{} // closed when the turn begins, or could not
	failed error
	batch  chan *waiter
	over   chan struct{} // closed when it ends
}

func (c *committer) alone(ctx context.Context) (turn, error) {
	t := &exclusiveTurn{ready: make(chan struct{}), batch: make(chan *waiter), over: make(chan struct{})}
	select {
	case c.turns <- t:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, ErrClosed
	}
	select {
	case <-t.ready:
		if t.failed != nil {
			return nil, t.failed
		}
		return t, nil
	case <-ctx.Done():
		t.end() // before it has begun
		return nil, ctx.Err()
	}
}

// give serves a turn until its unit ends it.
func (c *committer) give(t *exclusiveTurn) {
	t.failed = c.groups.hold()
	close(t.ready)
	if t.failed != nil {
		return
	}
	defer c.groups.release()
	for {
		select {
		case w := <-t.batch:
			c.serve(w)
		case <-t.over:
			return
		}
	}
}

func (t *exclusiveTurn) commit(ctx context.Context, b *batch) error {
	w := &waiter{ctx: ctx, batch: b, done: make(chan struct{})}
	w.claim()
	t.batch <- w
	return w.wait(nil)
}

func (t *exclusiveTurn) end() { close(t.over) }
