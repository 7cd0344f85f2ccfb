package outgoing

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// outlive gives up an attempt that can no longer land, and signs the next one. Two
// independent answers of the chain must agree: the search for the
// signature, and the history of an address that would have paid.
func (s *Service) outlive(ctx context.Context, j job) error {
	shown, err := s.inHistory(ctx, *j.live)
	if err != nil {
		return s.laterBecause(ctx, j, "the history of a source was not seen", err)
	}
	if shown || j.live.Seen {
		s.config.Logger.ErrorContext(ctx, "the chain contradicts itself: an attempt is missing, but in the history of its source",
			"transfer", j.transfer.ID, "signature", j.live.Signature)
		return errLater
	}
	if err := s.expire(ctx, j); err != nil {
		return err
	}
	next, err := s.reload(ctx, j)
	if err != nil {
		return err
	}
	return s.attempt(ctx, next)
}

// expire ends an attempt that can never land. What was committed to it is freed; the
// reservation of the transfer stays, because it is still to be paid.
func (s *Service) expire(ctx context.Context, j job) error {
	return s.change(ctx, j, checkIn, func(ctx context.Context, tx wallets.Tx, now job) error {
		if err := endAttempt(ctx, tx, *now.live, Outlived); err != nil {
			return err
		}
		return showSignature(ctx, tx, now.transfer, "")
	})
}

// reload reads a job anew and keeps its claim.
func (s *Service) reload(ctx context.Context, j job) (job, error) {
	next, err := ferry.InRead(ctx, s.units.In(j.transfer.Scope.Env), func(ctx context.Context, tx wallets.Tx) (job, error) {
		return loadJob(ctx, tx, j.transfer.Scope, j.transfer.ID)
	})
	next.claim = j.claim
	if err == nil && (next.live != nil || next.transfer.Status != wallets.Pending) {
		err = errLater
	}
	return next, err
}

// inHistory reports whether the history of the first source shows the attempt
// past what has been scanned. What was scanned would have set Seen.
func (s *Service) inHistory(ctx context.Context, a Attempt) (bool, error) {
	c, err := s.config.Chains.In(a.Scope.Env)
	if err != nil {
		return false, err
	}
	source, err := wallets.ReadCustody(ctx, s.units, a.Scope.Env, a.Sources[0].ID)
	if err != nil {
		return false, err
	}
	for m, err := range chain.Movements(ctx, c, source.Address, source.Cursor) {
		if err != nil || m.Signature == a.Signature {
			return err == nil, err
		}
	}
	return false, nil
}
