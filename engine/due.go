package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
)

// World is the name of Due for what the simulated world does: a block, a payment of the bank.
const World = "world"

// Due is when something of one kind happens next in the test environment.
type Due struct {
	// What is a queue of due work, as in "webhook.stream", or World.
	What string
	At   time.Time
}

// DueNext lists what happens next in the test environment, the soonest first: each queue with due
// work, and the simulated world. Without any of it the list is empty. Work that a worker has
// claimed is not in it.
func (e *Engine) DueNext(ctx context.Context) (list []Due, err error) {
	next, err := e.nextDue(ctx, e.queuesIn(ferry.Test))
	if err != nil {
		return nil, err
	}
	for _, d := range e.domains {
		for _, kind := range d.Queues {
			if at, waits := next[kind.In(ferry.Test)]; waits {
				list = append(list, Due{string(kind), at})
			}
		}
	}
	at, changes, err := e.World.NextChange(ctx)
	if changes {
		list = append(list, Due{World, at})
	}
	slices.SortStableFunc(list, func(a, b Due) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.What, b.What)) })
	return list, err
}
