package custody

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/memo"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

const (
	// matchEvery is how often a hold looks whether enough blocks have passed,
	// openEvery how often whether everything was adopted.
	matchEvery = 15 * time.Second
	openEvery  = time.Minute
	// matchPage is how many histories are read under one claim.
	matchPage = 20
	// sentPage is how many payments are read and classified at once.
	sentPage = 100
)

// RunHolds takes the holds that are due a step further and returns how many
// there were. The first time it finds out whether there have to be any: a hold
// that stands is matched anew, since this may be an older state of the store, and
// a store that does not know what was sent is held.
func (s *Service) RunHolds(ctx context.Context, limit int) (int, error) {
	var failed error
	for _, env := range ferry.Envs() {
		if _, err := s.config.Chains.In(env); err != nil {
			continue
		}
		failed = errors.Join(failed, s.startHold(ctx, env), s.Verify(ctx, env))
	}
	n, err := s.stepHolds(ctx, limit)
	return n, errors.Join(failed, err)
}

// startHold begins the matching of a hold anew, once in the life of a service.
func (s *Service) startHold(ctx context.Context, env ferry.Env) error {
	s.starting.Lock()
	started := s.started[env]
	s.starting.Unlock()
	if started {
		return nil
	}
	h, err := s.OutflowHold(ctx, env)
	if err != nil {
		return err
	}
	if h.Held {
		return s.HoldOutflows(ctx, env, h.Reason)
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	s.started[env] = true
	return nil
}

func (s *Service) stepHolds(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueHolds, s.config.Lease, limit, func(ctx context.Context, claim lease.Claim) error {
		wait, err := s.stepHold(ctx, claim)
		if errors.Is(err, outgoing.ErrHeld) || errors.Is(err, wallets.ErrNoChain) {
			err = nil
		}
		if wait >= 0 {
			err = errors.Join(err, s.resumeHold(ctx, claim, wait))
		}
		return err
	})
}

// done says that a claim was finished.
const done time.Duration = -1

// resumeHold ends a claim and makes its hold due again.
func (s *Service) resumeHold(ctx context.Context, claim lease.Claim, wait time.Duration) error {
	return lease.IgnoreLost(s.units.In(ferry.Env(claim.Key)).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		return tx.Leases().Retry(ctx, claim, tx.Now().Add(wait))
	}))
}

// stepHold does what is next for a hold and returns how long to wait then.
func (s *Service) stepHold(ctx context.Context, claim lease.Claim) (time.Duration, error) {
	env := ferry.Env(claim.Key)
	h, err := s.OutflowHold(ctx, env)
	switch {
	case err != nil:
		return matchEvery, err
	case !h.Held || !h.Matched.IsZero():
		if err := s.endHold(ctx, claim); err != nil {
			return openEvery, err
		}
		return done, nil
	}
	settled, err := s.settleHold(ctx, claim, h)
	if err != nil || !settled {
		return matchEvery, err
	}
	return s.matchHold(ctx, claim, h)
}

// endHold finishes the claim of a hold that has ended, and ends one that can be.
func (s *Service) endHold(ctx context.Context, claim lease.Claim) error {
	return lease.IgnoreLost(s.units.In(ferry.Env(claim.Key)).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		if err := tx.Leases().Finish(ctx, claim); err != nil {
			return err
		}
		return s.release(ctx, tx, ferry.Env(claim.Key))
	}))
}

// changeHold writes what a claim's work has changed on a hold, unless the hold
// has moved on.
func (s *Service) changeHold(ctx context.Context, claim lease.Claim, h OutflowHold) error {
	return lease.IgnoreLost(s.units.In(h.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		if err := tx.Leases().Check(ctx, claim); err != nil {
			return err
		}
		now, err := holdOf(ctx, tx, h.Env)
		if err != nil {
			return err
		}
		if !now.Held || now.Round != h.Round {
			return nil // the matching was begun anew
		}
		now.Height, now.After, now.Matched = h.Height, h.After, h.Matched
		return OutflowHoldKind.Put(ctx, tx, now)
	}))
}

// settleHold reports whether so many blocks have passed since the hold began
// that nothing signed before it can still land. The margin is wide, because a node that
// lags may have reported too low a height at the beginning.
func (s *Service) settleHold(ctx context.Context, claim lease.Claim, h OutflowHold) (bool, error) {
	c, err := s.config.Chains.In(h.Env)
	if err != nil {
		return false, err
	}
	seen, err := c.Statuses(ctx, nil)
	if err != nil {
		return false, err
	}
	if h.Height == 0 {
		h.Height = max(seen.FinalizedHeight, 1)
		return false, s.changeHold(ctx, claim, h)
	}
	return seen.FinalizedHeight > h.Height && seen.FinalizedHeight-h.Height > s.config.Settling, nil
}

// matchHold reads on: first all that was sent, then the histories of the next
// addresses.
func (s *Service) matchHold(ctx context.Context, claim lease.Claim, h OutflowHold) (time.Duration, error) {
	if h.After == "" {
		if err := s.matchSent(ctx, h.Env); err != nil {
			return matchEvery, err
		}
	}
	page, err := wallets.ReadCustodies(ctx, s.units, h.Env, h.After, matchPage)
	if err != nil {
		return matchEvery, err
	}
	for _, custody := range page {
		if _, err := s.config.Deposits.ScanAddress(ctx, h.Env, custody.Address); err != nil {
			return matchEvery, errors.Join(err, s.changeHold(ctx, claim, h))
		}
		h.After = custody.ID
	}
	if len(page) < matchPage {
		if h.Matched, err = ferry.Now(ctx, s.units.In(h.Env)); err != nil {
			return matchEvery, err
		}
	}
	return 0, s.changeHold(ctx, claim, h)
}

// Verify makes sure, once in the life of a service and before it signs
// anything, that the store knows what the chain says was sent: else the store is
// an older one, and the environment is held.
func (s *Service) Verify(ctx context.Context, env ferry.Env) error {
	s.verifying.Lock()
	defer s.verifying.Unlock()
	if s.verified[env] {
		return nil
	}
	if err := s.matchSent(ctx, env); err != nil {
		return err
	}
	s.verified[env] = true
	return nil
}

// matchSent classifies everything that was sent since the place reached.
func (s *Service) matchSent(ctx context.Context, env ferry.Env) error {
	c, err := s.config.Chains.In(env)
	if err != nil {
		return err
	}
	for {
		reached, err := ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx wallets.Tx) (SentCursor, error) {
			return sentCursor(ctx, tx, env)
		})
		if err != nil {
			return err
		}
		payments, err := c.Sent(ctx, reached.Cursor, sentPage)
		if err != nil {
			return err
		}
		if len(payments) == 0 {
			return nil
		}
		err = s.classifyPage(ctx, reached, payments)
		if err != nil && !errors.Is(err, errMatched) {
			return err
		}
	}
}

// classifyPage classifies a page of what was sent and saves the place after it.
func (s *Service) classifyPage(ctx context.Context, reached SentCursor, payments []chain.Payment) error {
	return s.units.In(reached.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		now, err := sentCursor(ctx, tx, reached.Env)
		if err != nil {
			return err
		}
		if now != reached {
			return errMatched
		}
		for _, p := range payments {
			if err := s.classifySent(ctx, tx, now.Env, p); err != nil {
				return err
			}
		}
		now.Cursor = payments[len(payments)-1].Cursor
		return SentCursorKind.Put(ctx, tx, now)
	})
}

// classifySent records a payment that the store does not know. A payment without our mark
// was made by another engine with the same fee payer; when it was not, the history of an
// address shows it. A failed payment moved nothing, but proves that the store is older
// than the chain.
func (s *Service) classifySent(ctx context.Context, tx wallets.Tx, env ferry.Env, p chain.Payment) error {
	a, err := outgoing.AttemptBy(ctx, tx, env, p.Signature)
	switch {
	case err == nil && (a.State == outgoing.AttemptLive || a.State == outgoing.AttemptLanded || p.Err != ""):
		return nil
	case err == nil:
		return s.noteSent(ctx, tx, env, p, memo.Mark{Transfer: string(a.Transfer), Attempt: a.Number})
	case !errors.Is(err, outgoing.ErrAttemptNotFound):
		return err
	}
	m, ours := s.marks.Read(env, p.Memo)
	switch {
	case !ours:
		return nil
	case p.Err != "":
		return s.holdIn(ctx, tx, env)
	}
	return s.noteSent(ctx, tx, env, p, m)
}

// errMatched says that another process has matched the page meanwhile.
var errMatched = errors.New("wallets: what was sent was matched by another process")
