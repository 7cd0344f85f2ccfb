package outgoing

import (
	"context"
	"time"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/wallets"
)

// inside carries out an internal transfer. One to another business may have to wait for its
// approval: its money is reserved, and the worker carries it out then.
func (s *Service) inside(ctx context.Context, tx wallets.Tx, t Transfer, ends sides, rate money.Rate) (_ Transfer, err error) {
	if ends.to.Scope != t.Scope {
		if t.Stage, err = s.stageOf(ctx, tx, t); err != nil {
			return Transfer{}, err
		}
	}
	if t.Stage == outflow.Free {
		return s.moveInside(ctx, tx, t, ends.from, ends.to, rate)
	}
	if t, err = record(ctx, tx, t); err != nil {
		return Transfer{}, err
	}
	return t, t.reserve(ctx, tx, ends.from)
}

// deliver carries out an internal transfer that has waited for its approval.
func (s *Service) deliver(ctx context.Context, j job) error {
	rate, err := s.config.Priced.Rate(ctx, s.units, j.transfer.Scope.Env, j.transfer.ToID, time.Time{})
	if err != nil {
		return s.laterBecause(ctx, j, "a transfer waits for a rate", err)
	}
	return s.change(ctx, j, finishIn, func(ctx context.Context, tx wallets.Tx, now job) error {
		if err := s.mayMove(ctx, tx, now.transfer); err != nil {
			return err
		}
		return s.deliverIn(ctx, tx, now.transfer, rate)
	})
}

// mayMove returns ErrHeld while nothing leaves the environment, and errSuspended while the
// wallet of the sender is suspended.
func (s *Service) mayMove(ctx context.Context, tx wallets.Tx, t Transfer) error {
	if err := s.config.MayLeave(ctx, tx, t.Scope.Env); err != nil {
		return err
	}
	return checkSender(ctx, tx, t)
}

// deliverIn ends an internal transfer whose money is reserved: what moveInside does, out of the
// reservation.
func (s *Service) deliverIn(ctx context.Context, tx wallets.Tx, t Transfer, rate money.Rate) error {
	to, err := wallets.AddressAt(ctx, tx, t.Scope.Env, t.To)
	if err != nil {
		return err
	}
	t.ConfirmedAt = tx.Now()
	t, event, err := endTransfer(ctx, tx, t, Settled, "")
	if err != nil {
		return err
	}
	posting := t.posting()
	if err := ledger.Settle(ctx, tx.Ledger(), t.reservation(), ledger.Move(
		posting, t.Scope.Env, "transfer", string(t.ID), ledger.AddressAccount(string(t.FromID)), to.Account(), t.Amount, tx.Now(),
	)); err != nil {
		return err
	}
	entry := ledger.EntryID{Posting: posting, Leg: 0}
	if err := closeLine(ctx, tx, t, entry); err != nil {
		return err
	}
	if err := s.tellEnd(ctx, tx, t, event, entry); err != nil {
		return err
	}
	return s.config.Wallets.ArriveIn(ctx, tx, to, t.incoming(tx, to, posting), wallets.Coming{At: tx.Now(), Rate: rate})
}

// moveInside carries out an internal transfer: one posting, a line for each side, and for
// the receiver the event and hooks of a deposit.
func (s *Service) moveInside(ctx context.Context, tx wallets.Tx, t Transfer, from, to wallets.Address, rate money.Rate) (Transfer, error) {
	edge, err := TransferLifecycle.Next(t.Status, Settled)
	if err != nil {
		return Transfer{}, err
	}
	t.Status, t.ConfirmedAt = edge.To, tx.Now()
	if err := TransferKind.Insert(ctx, tx, t); err != nil {
		return Transfer{}, err
	}
	posting := t.posting()
	if err := ledger.Post(ctx, tx.Ledger(), ledger.Move(
		posting, t.Scope.Env, "transfer", string(t.ID), from.Account(), to.Account(), t.Amount, tx.Now(),
	)); err != nil {
		return Transfer{}, err
	}
	sent := t.outgoing()
	sent.Entry = ledger.EntryID{Posting: posting, Leg: 0}
	if err := wallets.TransactionKind.Insert(ctx, tx, sent); err != nil {
		return Transfer{}, err
	}
	if err := s.tellEnd(ctx, tx, t, edge.Event, sent.Entry); err != nil {
		return Transfer{}, err
	}
	return t, s.config.Wallets.ArriveIn(ctx, tx, to, t.incoming(tx, to, posting), wallets.Coming{At: tx.Now(), Rate: rate})
}

// incoming is the receiver's side of an internal transfer. Another business does not see the
// reference of the sender: its own is the id of its line.
func (t Transfer) incoming(tx wallets.Tx, to wallets.Address, posting ledger.PostingID) wallets.Transaction {
	in := t.outgoing()
	in.ID = wallets.TransactionID(tx.NewID("trx_"))
	in.Scope, in.Direction = to.Scope, wallets.In
	if to.Scope != t.Scope {
		in.Reference = string(in.ID)
	}
	in.Wallet, in.WalletReference, in.Address = to.Wallet, to.WalletReference, to.ID
	in.Fee = money.Amount{}
	in.Entry = ledger.EntryID{Posting: posting, Leg: 1}
	return in
}
