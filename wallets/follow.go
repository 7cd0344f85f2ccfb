package wallets

import (
	"context"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/provider/chain"
)

// follow does what the sighting of a live attempt calls for. Only a finalized
// block ends it, or the proof that it can never be in one.
func (s *Service) follow(ctx context.Context, j job, sightings sightings) error {
	seen, answered := sightings[j.live.Signature]
	switch {
	case !answered:
		return errLater
	case seen.Found && seen.Commitment.Rank() >= chain.Finalized.Rank():
		return s.conclude(ctx, j, seen.Status)
	case seen.Found:
		return errLater
	case seen.height > j.live.LastValidHeight+s.config.Margin:
		return s.outlive(ctx, j)
	}
	c, err := s.chain(j.transfer.Scope.Env)
	if err != nil {
		return errLater
	}
	s.send(ctx, c, j, *j.live)
	return errLater
}

// conclude ends a transfer whose attempt stands in a finalized block.
func (s *Service) conclude(ctx context.Context, j job, seen chain.Status) error {
	return s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := finishIn(ctx, tx, j); err != nil {
			return err
		}
		now, err := j.current(ctx, tx)
		if err != nil {
			return err
		}
		if seen.Err != "" {
			return s.fail(ctx, tx, now, seen)
		}
		return s.succeed(ctx, tx, now, seen)
	})
}

// succeed books a landed attempt: custody, ledger, statement and event.
func (s *Service) succeed(ctx context.Context, tx Tx, j job, seen chain.Status) error {
	if err := endAttempt(ctx, tx, *j.live, Landed); err != nil {
		return err
	}
	t := j.transfer
	if t.ConfirmedAt = seen.At.UTC(); seen.At.IsZero() {
		t.ConfirmedAt = tx.Now()
	}
	t, err := conclude(ctx, tx, t, Settled, "")
	if err != nil || t.Kind == Treasury {
		return err
	}
	if err := settle(ctx, tx, t); err != nil {
		return err
	}
	entry := ledger.EntryID{Posting: t.posting(), Leg: 0}
	if err := closeLine(ctx, tx, t, entry); err != nil {
		return err
	}
	return s.tellTransfer(ctx, tx, t, EventSent, entry)
}

// settle takes amount and fee from the sender for good.
func settle(ctx context.Context, tx Tx, t Transfer) error {
	total, err := t.Total()
	if err != nil {
		return err
	}
	legs := []ledger.Leg{
		{Account: ledger.AddressAccount(string(t.FromID)), Amount: total.Neg()},
		{Account: outside(t.Scope.Env), Amount: t.Amount},
	}
	if !t.Fee.IsZero() {
		fees := ledger.SystemAccount(t.Scope.Env, ledger.NetworkFees, Asset)
		legs = append(legs, ledger.Leg{Account: fees, Amount: t.Fee})
	}
	return ledger.Settle(ctx, tx.Ledger(), t.reservation(), ledger.Posting{
		ID: t.posting(), Env: t.Scope.Env, Kind: "transfer", Ref: string(t.ID), Legs: legs, At: tx.Now(),
	})
}

// fail releases what was reserved for a transfer whose attempt landed with an
// error: it stands in a finalized block and moved nothing.
func (s *Service) fail(ctx context.Context, tx Tx, j job, seen chain.Status) error {
	if err := endAttempt(ctx, tx, *j.live, Errored); err != nil {
		return err
	}
	t, err := conclude(ctx, tx, j.transfer, Refused, seen.Err)
	if err != nil || t.Kind == Treasury {
		return err
	}
	if err := ledger.Release(ctx, tx.Ledger(), t.reservation()); err != nil {
		return err
	}
	if err := closeLine(ctx, tx, t, ledger.EntryID{}); err != nil {
		return err
	}
	return s.tellTransfer(ctx, tx, t, EventFailed, ledger.EntryID{})
}

// conclude moves a transfer to its end.
func conclude(ctx context.Context, tx Tx, t Transfer, cause TransferCause, failure string) (Transfer, error) {
	edge, err := TransferLifecycle.Next(t.Status, cause)
	if err != nil {
		return Transfer{}, err
	}
	t.Status, t.Failure, t.UpdatedAt = edge.To, failure, tx.Now()
	return t, tx.Wallets().UpdateTransfer(ctx, t)
}

// closeLine brings the sender's line of the statement to the transfer's end.
func closeLine(ctx context.Context, tx Tx, t Transfer, entry ledger.EntryID) error {
	line, err := tx.Wallets().Transaction(ctx, t.Scope, TransactionID(t.ID))
	if err != nil {
		return err
	}
	line.Status, line.Signature, line.ConfirmedAt, line.Entry = t.Status, t.Signature, t.ConfirmedAt, entry
	return tx.Wallets().UpdateTransaction(ctx, line)
}

// endAttempt moves a live attempt to its end and books what it did.
func endAttempt(ctx context.Context, tx Tx, a Attempt, cause AttemptCause) error {
	edge, err := AttemptLifecycle.Next(a.State, cause)
	if err != nil {
		return err
	}
	a.State, a.UpdatedAt = edge.To, tx.Now()
	if err := tx.Wallets().UpdateAttempt(ctx, a); err != nil {
		return err
	}
	return book(ctx, tx, a, edge.To == AttemptLanded)
}

// outlive gives up an attempt that can never land any more, and signs the next
// one. Two independent answers of the chain must agree: the search for the
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
	return s.sign(ctx, next)
}
