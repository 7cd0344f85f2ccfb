package sqlstore

import "context"

// ownTurn is a time in which the committer serves one unit only.
type ownTurn struct {
	c     *committer
	ready chan struct{} // closed when the turn begins
	batch chan *waiter
	over  chan struct{} // closed when it ends
}

func (c *committer) alone(ctx context.Context) (turn, error) {
	t := &ownTurn{c, make(chan struct{}), make(chan *waiter), make(chan struct{})}
	select {
	case c.turns <- t:
		<-t.ready
		return t, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, ErrClosed
	}
}

// give serves a turn until its unit ends it.
func (c *committer) give(t *ownTurn) {
	close(t.ready)
	for {
		select {
		case w := <-t.batch:
			c.commitGroup([]*waiter{w})
		case <-t.over:
			return
		}
	}
}

func (t *ownTurn) commit(ctx context.Context, b *batch) error {
	w := &waiter{ctx: ctx, batch: b, done: make(chan struct{})}
	t.batch <- w
	<-w.done
	return w.verdict
}

func (t *ownTurn) end() { close(t.over) }
