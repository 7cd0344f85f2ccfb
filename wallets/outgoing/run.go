package outgoing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/wallets"
)

// QueueTransfers is the queue of transfers that wait for the chain.
const QueueTransfers lease.Kind = "wallets.transfer"

// dueKey names a transfer in its queue.
func dueKey(t Transfer) string { return lease.RecordKey(t.Scope, string(t.ID)) }

// job is one transfer in hand, as it was read.
type job struct {
	// claim is nil when a request has it in hand: then the row versions alone
	// keep it apart from a worker.
	claim    *lease.Claim
	transfer Transfer
	// live is the live attempt, or nil.
	live *Attempt
}

// RunDue takes at most limit transfers that are due one step further, and
// returns how many there were. An error of one does not stop the others.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	claims, err := lease.ClaimDue(ctx, s.units, QueueTransfers, s.config.Lease, limit)
	if len(claims) == 0 {
		return 0, err
	}
	jobs, unread := s.loadJobs(ctx, claims)
	err = errors.Join(err, unread)
	seen := s.statuses(ctx, jobs)
	for _, j := range jobs {
		if ctx.Err() == nil {
			err = errors.Join(err, s.step(ctx, j, seen))
		}
	}
	return len(jobs), errors.Join(err, lease.GiveBack(ctx, s.units, QueueTransfers, claims))
}

// loadJobs reads the transfers of claims. One that cannot be read does not stop
// the others.
func (s *Service) loadJobs(ctx context.Context, claims []lease.Claim) ([]job, error) {
	var failed error
	jobs, err := ferry.InRead(ctx, s.units.In(ferry.Live), func(ctx context.Context, tx wallets.Tx) ([]job, error) {
		failed = nil
		var jobs []job
		for _, claim := range claims {
			j, err := loadClaimed(ctx, tx, claim)
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("wallets: transfer %q is due: %w", claim.Key, err))
				continue
			}
			jobs = append(jobs, j)
		}
		return jobs, nil
	})
	return jobs, errors.Join(failed, err)
}

func loadClaimed(ctx context.Context, tx wallets.Tx, claim lease.Claim) (job, error) {
	scope, id, err := lease.ParseRecordKey(claim.Key)
	if err != nil {
		return job{}, err
	}
	j, err := loadJob(ctx, tx, scope, wallets.TransferID(id))
	j.claim = &claim
	return j, err
}

func loadJob(ctx context.Context, tx wallets.Tx, scope ferry.Scope, id wallets.TransferID) (job, error) {
	t, err := TransferKind.Get(ctx, tx, scope, id)
	if err != nil {
		return job{}, err
	}
	live, err := LiveAttempt(ctx, tx, scope, id)
	if errors.Is(err, ErrAttemptNotFound) {
		return job{transfer: t}, nil
	}
	return job{transfer: t, live: &live}, err
}

// step does what is next for a job. What the chain or another worker spoils is
// no error: the job comes again.
func (s *Service) step(ctx context.Context, j job, seen statuses) error {
	var err error
	switch {
	case j.transfer.Status != wallets.Pending:
		return s.finish(ctx, j)
	case j.transfer.Stage != outflow.Free, s.config.Wallets.Serves(j.transfer.Scope.Env) != nil:
		return s.later(ctx, j, heldRetry)
	case j.transfer.Kind == Internal:
		err = s.deliver(ctx, j)
	case j.live == nil:
		err = s.attempt(ctx, j)
	default:
		err = s.follow(ctx, j, seen)
	}
	switch {
	case errors.Is(err, lease.ErrLost):
		return nil // another worker has it
	case isHeld(err):
		return s.later(ctx, j, heldRetry)
	case waits(err):
		return s.later(ctx, j, s.config.Retry)
	}
	return err
}

// waits reports whether an error only says that a job has to wait.
func waits(err error) bool {
	return isHeld(err) || errors.Is(err, errLater) || errors.Is(err, ErrAttemptExists)
}

func isHeld(err error) bool { return errors.Is(err, ErrHeld) || errors.Is(err, errSuspended) }

// errLater says that a job has to wait: for the chain, for funds, or because
// its rows moved on while it was in hand.
var errLater = errors.New("wallets: later")

// ErrHeld says that nothing leaves the addresses of an environment for now.
var ErrHeld = errors.New("wallets: outflows are held")

// heldRetry is when a transfer that a hold, or the suspension of its wallet, keeps
// from being signed comes again, unless the end of either makes it due; and when one
// comes again that waits for a chain to be configured.
const heldRetry = 10 * time.Minute

// later ends the claim of a job and makes it due again after a while.
func (s *Service) later(ctx context.Context, j job, wait time.Duration) error {
	if j.claim == nil {
		return nil // it is scheduled anyway
	}
	return lease.IgnoreLost(s.units.In(j.transfer.Scope.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		return tx.Leases().Retry(ctx, *j.claim, tx.Now().Add(wait))
	}))
}

func (s *Service) retryIn(ctx context.Context, tx wallets.Tx, j job) error {
	if j.claim == nil {
		return nil
	}
	return tx.Leases().Retry(ctx, *j.claim, tx.Now().Add(s.config.Retry))
}

// finish ends the claim of a job, and its work.
func (s *Service) finish(ctx context.Context, j job) error {
	return lease.IgnoreLost(s.units.In(j.transfer.Scope.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		return finishIn(ctx, tx, j)
	}))
}

func finishIn(ctx context.Context, tx wallets.Tx, j job) error {
	if j.claim == nil {
		return nil
	}
	return tx.Leases().Finish(ctx, *j.claim)
}

func checkIn(ctx context.Context, tx wallets.Tx, j job) error {
	if j.claim == nil {
		return nil
	}
	return tx.Leases().Check(ctx, *j.claim)
}

// change changes a job's rows in one unit, after the unit has dealt with the claim. It
// returns errLater when anything moved on since they were read.
func (s *Service) change(ctx context.Context, j job, claim, change func(context.Context, wallets.Tx, job) error) error {
	return s.units.In(j.transfer.Scope.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		if err := claim(ctx, tx, j); err != nil {
			return err
		}
		now, err := j.current(ctx, tx)
		if err != nil {
			return err
		}
		return change(ctx, tx, now)
	})
}

// current reads a job's rows again within the unit that is to change them, and
// returns errLater when anything moved on since they were read. The claim stays with j.
func (j job) current(ctx context.Context, tx wallets.Tx) (job, error) {
	now, err := loadJob(ctx, tx, j.transfer.Scope, j.transfer.ID)
	if err != nil {
		return job{}, err
	}
	sameAttempt := (now.live == nil) == (j.live == nil) && (now.live == nil || now.live.Version == j.live.Version)
	if now.transfer.Version != j.transfer.Version || !sameAttempt {
		return job{}, errLater
	}
	return now, nil
}

// unsignedIn reads again, within the unit that is to sign it, a transfer that has no live
// attempt. It returns errLater when it moved on since it was read, as an attempt of it would
// have changed it, and while it waits for its approval.
func (j job) unsignedIn(ctx context.Context, tx wallets.Tx) (Transfer, error) {
	now, err := TransferKind.Get(ctx, tx, j.transfer.Scope, j.transfer.ID)
	if err == nil && (now.Version != j.transfer.Version || now.Status != wallets.Pending || now.Stage != outflow.Free) {
		err = errLater
	}
	return now, err
}
