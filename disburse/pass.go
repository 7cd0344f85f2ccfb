package disburse

import (
	"context"
	"errors"
	"sync"

	"github.com/ferrypay/ferry/lease"
)

func (s *service[T, K, P]) RunDue(ctx context.Context, limit int) (int, error) {
	claims, err := lease.ClaimDue(ctx, s.units, s.kind.Queue, s.config.Lease, limit)
	return len(claims), errors.Join(err, s.sendAll(ctx, claims), lease.GiveBack(ctx, s.units, s.kind.Queue, claims))
}

// sendAll sends the payments of claims until ctx ends. An error of one does not stop the
// others, and a claim that was lost meanwhile is no error.
func (s *service[T, K, P]) sendAll(ctx context.Context, claims []lease.Claim) error {
	failed := make([]error, len(claims))
	send := func(i int) {
		if ctx.Err() == nil {
			failed[i] = lease.IgnoreLost(s.send(ctx, claims[i]))
		}
	}
	if s.config.AtOnce == 1 {
		for i := range claims {
			send(i)
		}
		return errors.Join(failed...)
	}
	waiting := make(chan int)
	var workers sync.WaitGroup
	for range min(s.config.AtOnce, len(claims)) {
		workers.Go(func() {
			for i := range waiting {
				send(i)
			}
		})
	}
	for i := range claims {
		waiting <- i
	}
	close(waiting)
	workers.Wait()
	return errors.Join(failed...)
}
