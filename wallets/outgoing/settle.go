package outgoing

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/books"
)

// conclude ends a transfer whose attempt stands in a finalized block.
func (s *Service) conclude(ctx context.Context, j job, seen chain.Status) error {
	return s.change(ctx, j, finishIn, func(ctx context.Context, tx wallets.Tx, now job) error {
		if seen.Err != "" {
			return s.fail(ctx, tx, now, seen)
		}
		return s.succeed(ctx, tx, now, seen)
	})
}

// succeed books a landed attempt: custody, ledger, statement and event.
func (s *Service) succeed(ctx context.Context, tx wallets.Tx, j job, seen chain.Status) error {
	if err := endAttempt(ctx, tx, *j.live, Landed); err != nil {
		return err
	}
	t := j.transfer
	t.ConfirmedAt = t.confirmedIn(tx, seen.At)
	if t.Kind == Treasury {
		_, _, err := endTransfer(ctx, tx, t, Settled, "")
		return err
	}
	return s.settleTransfer(ctx, tx, t, t.Amount)
}

// settleTransfer ends an external transfer that was paid: ledger, statement and
// event. left is what left the addresses that the store knows: its amount, as a
// rule.
func (s *Service) settleTransfer(ctx context.Context, tx wallets.Tx, t Transfer, left money.Amount) error {
	t, event, err := endTransfer(ctx, tx, t, Settled, "")
	if err != nil {
		return err
	}
	if err := settle(ctx, tx, t, left); err != nil {
		return err
	}
	entry := ledger.EntryID{Posting: t.posting(), Leg: 0}
	if err := closeLine(ctx, tx, t, entry); err != nil {
		return err
	}
	return s.tellEnd(ctx, tx, t, event, entry)
}

// settle takes amount and fee from the sender. A part that did not leave goes into
// suspense.
func settle(ctx context.Context, tx wallets.Tx, t Transfer, left money.Amount) error {
	total, err := t.Total()
	if err != nil {
		return err
	}
	rest, err := t.Amount.Sub(left)
	if err != nil {
		return err
	}
	env := t.Scope.Env
	legs := []ledger.Leg{{Account: ledger.AddressAccount(string(t.FromID)), Amount: total.Neg()}}
	for _, leg := range []ledger.Leg{
		{Account: books.Outside(env), Amount: left},
		{Account: ledger.SystemAccount(env, ledger.NetworkFees, wallets.Asset), Amount: t.Fee},
		{Account: ledger.SystemAccount(env, ledger.Suspense, wallets.Asset), Amount: rest},
	} {
		if !leg.Amount.IsZero() {
			legs = append(legs, leg)
		}
	}
	return ledger.Settle(ctx, tx.Ledger(), t.reservation(), ledger.Posting{
		ID: t.posting(), Env: t.Scope.Env, Kind: "transfer", Ref: string(t.ID), Legs: legs, At: tx.Now(),
	})
}

// fail releases what was reserved for a transfer whose attempt landed with an
// error: it stands in a finalized block and moved nothing.
func (s *Service) fail(ctx context.Context, tx wallets.Tx, j job, seen chain.Status) error {
	if err := endAttempt(ctx, tx, *j.live, Errored); err != nil {
		return err
	}
	return s.giveBack(ctx, tx, j.transfer, Refused, seen.Err)
}

// giveBack ends a transfer that has moved nothing, and releases what was reserved for it.
func (s *Service) giveBack(ctx context.Context, tx wallets.Tx, t Transfer, cause TransferCause, failure string) error {
	t, event, err := endTransfer(ctx, tx, t, cause, failure)
	if err != nil || t.Kind == Treasury {
		return err
	}
	if err := ledger.Release(ctx, tx.Ledger(), t.reservation()); err != nil {
		return err
	}
	if err := closeLine(ctx, tx, t, ledger.EntryID{}); err != nil {
		return err
	}
	return s.tellEnd(ctx, tx, t, event, ledger.EntryID{})
}

// confirmedIn is when a transfer was confirmed: the time of its block, which may be zero. The clock
// of a chain is another one, so the time is brought between the creation of the transfer and now.
func (t Transfer) confirmedIn(tx wallets.Tx, block time.Time) time.Time {
	at := ferry.NotAfter(block.UTC(), tx.Now())
	if at.Before(t.CreatedAt) {
		return t.CreatedAt
	}
	return at
}

// endTransfer moves a transfer to its end and returns the event to emit.
func endTransfer(ctx context.Context, tx wallets.Tx, t Transfer, cause TransferCause, failure string) (Transfer, string, error) {
	edge, err := TransferLifecycle.Next(t.Status, cause)
	if err != nil {
		return Transfer{}, "", err
	}
	t.Status, t.Stage, t.Waiting, t.Failure, t.UpdatedAt = edge.To, outflow.Free, wallets.NotWaiting, failure, tx.Now()
	return t, edge.Event, TransferKind.Update(ctx, tx, t)
}

// closeLine brings the sender's line of the statement to the transfer's end.
func closeLine(ctx context.Context, tx wallets.Tx, t Transfer, entry ledger.EntryID) error {
	line, err := wallets.TransactionKind.Get(ctx, tx, t.Scope, wallets.TransactionID(t.ID))
	if err != nil {
		return err
	}
	line.Status, line.Signature, line.Waiting, line.ConfirmedAt, line.Entry = t.Status, t.Signature, t.Waiting, t.ConfirmedAt, entry
	return wallets.TransactionKind.Update(ctx, tx, line)
}

// endAttempt moves a live attempt to its end and books what it did.
func endAttempt(ctx context.Context, tx wallets.Tx, a Attempt, cause AttemptCause) error {
	edge, err := AttemptLifecycle.Next(a.State, cause)
	if err != nil {
		return err
	}
	a.State, a.UpdatedAt = edge.To, tx.Now()
	if err := AttemptKind.Update(ctx, tx, a); err != nil {
		return err
	}
	return endCommitments(ctx, tx, a, edge.To == AttemptLanded)
}
