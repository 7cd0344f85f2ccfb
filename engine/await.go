package engine

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets/deposits"
)

// awaitLook is how often await looks again, in real time.
const awaitLook = 50 * time.Millisecond

// AwaitCredit reads the bank's feed until a session is booked, and reports
// whether it was within 20 seconds.
func (e *Engine) AwaitCredit(ctx context.Context, env ferry.Env, session string) (bool, error) {
	return e.await(ctx, e.drainOwn, func(ctx context.Context) (bool, error) { return e.BankFeed.Booked(ctx, env, session) })
}

// AwaitRecall is AwaitCredit for the recall of a session.
func (e *Engine) AwaitRecall(ctx context.Context, env ferry.Env, session string) (bool, error) {
	return e.await(ctx, e.drainOwn, func(ctx context.Context) (bool, error) { return e.BankFeed.Recalled(ctx, env, session) })
}

// AwaitDeposit moves the clock of the test environment from block to block until the
// chain has finalized a deposit of World, and returns how the deposit was judged:
// wallets.ArrivalUnknown when it was not within 20 seconds. It works on nothing else
// that becomes due meanwhile: the workers do.
func (e *Engine) AwaitDeposit(ctx context.Context, to chain.Address, signature chain.Signature) (deposits.Arrival, error) {
	arrival := deposits.ArrivalUnknown
	look := func(ctx context.Context) (bool, error) {
		found, err := e.Deposits.ArrivalOf(ctx, ferry.Test, to, signature)
		if err == nil {
			arrival = found
		}
		return arrival != deposits.ArrivalUnknown, err
	}
	_, err := e.await(ctx, func(waiting context.Context) error { return e.finalize(waiting, to, look) }, look)
	return arrival, err
}

// finalize makes blocks and scans an address until look is content or nothing on the
// chain is under way.
func (e *Engine) finalize(ctx context.Context, to chain.Address, look func(context.Context) (bool, error)) error {
	for {
		if _, err := e.Deposits.ScanAddress(ctx, ferry.Test, to); err != nil && !errors.Is(err, ferry.Unavailable) {
			return err
		}
		if judged, err := look(ctx); err != nil || judged {
			return err
		}
		if moved, err := e.toNextChange(ctx); err != nil || !moved {
			return err
		}
	}
}

// toNextChange moves the clock of the test environment to the next block that changes
// something under way on the chain, and reports whether there is one. Several callers
// move it together; while Advance, Drain or Reset works, they wait.
func (e *Engine) toNextChange(ctx context.Context) (bool, error) {
	e.advancing.RLock()
	defer e.advancing.RUnlock()
	change, changes, err := e.World.NextChange(ctx)
	if err != nil || !changes {
		return false, err
	}
	_, err = e.World.AdvanceTo(ctx, change)
	return true, err
}

// await works until look is content, for 20 seconds at most, and reports whether it
// was.
func (e *Engine) await(ctx context.Context, work func(context.Context) error, look func(context.Context) (bool, error)) (bool, error) {
	ctx, end := e.era.within(ctx)
	defer end()
	waiting, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		if err := ignoreTimeout(work(waiting), ctx); err != nil {
			return false, err
		}
		content, err := look(ctx)
		if err != nil || content {
			return content, ignoreTimeout(err, ctx)
		}
		if worker.Pause(waiting, awaitLook); waiting.Err() != nil {
			return false, ignoreTimeout(ctx.Err(), ctx)
		}
	}
}
