package outgoing

import (
	"context"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/wallets"
)

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

// incoming is the receiver's side of an internal transfer.
func (t Transfer) incoming(tx wallets.Tx, to wallets.Address, posting ledger.PostingID) wallets.Transaction {
	in := t.outgoing()
	in.ID = wallets.TransactionID(tx.NewID("trx_"))
	in.Scope, in.Direction = to.Scope, wallets.In
	in.Wallet, in.WalletReference, in.Address = to.Wallet, to.WalletReference, to.ID
	in.Fee = money.Amount{}
	in.Entry = ledger.EntryID{Posting: posting, Leg: 1}
	return in
}
