package outgoing

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/wallets"
)

// gather begins a treasury transfer that brings fragments together on the
// sender's address, and lets the transfer wait for it.
func (s *Service) gather(ctx context.Context, j job) error {
	return s.change(ctx, j, s.retryIn, func(ctx context.Context, tx wallets.Tx, now job) error {
		t := now.transfer
		treasury := newTreasury(tx, t)
		if err := TransferKind.Insert(ctx, tx, treasury); err != nil {
			return err
		}
		if err := tx.Leases().Schedule(ctx, QueueTransfers.In(treasury.Scope.Env), dueKey(treasury), tx.Now()); err != nil {
			return err
		}
		t.WaitsFor, t.UpdatedAt = treasury.ID, tx.Now()
		return TransferKind.Update(ctx, tx, t)
	})
}

// newTreasury returns a transfer of whatever can be gathered to the sender of
// t. It belongs to no business; its amount is known when it is signed.
func newTreasury(tx wallets.Tx, t Transfer) Transfer {
	id := wallets.TransferID(tx.NewID("trx_"))
	return Transfer{
		ID:        id,
		Scope:     ferry.Scope{Env: t.Scope.Env},
		Reference: string(id),
		Kind:      Treasury,
		To:        t.From,
		ToID:      t.FromID,
		Amount:    money.Of(wallets.Asset, 0),
		Fee:       money.Of(wallets.Asset, 0),
		Metadata:  ferry.Metadata{},
		Status:    TransferLifecycle.Initial,
		CreatedAt: tx.Now(),
		UpdatedAt: tx.Now(),
	}
}

// awaitGathering returns errNoFunds while the treasury transfer that gathers
// the funds of t is on its way.
func awaitGathering(ctx context.Context, tx wallets.Tx, t Transfer) error {
	if t.WaitsFor == "" {
		return nil
	}
	treasury, err := TransferKind.Get(ctx, tx, ferry.Scope{Env: t.Scope.Env}, t.WaitsFor)
	if err == nil && treasury.Status == wallets.Pending {
		return errNoFunds
	}
	return err
}

// giveUpGathering ends a treasury transfer for which nothing is left to gather:
// nothing of it was ever signed, or what was has expired.
func (s *Service) giveUpGathering(ctx context.Context, j job) error {
	return s.change(ctx, j, finishIn, func(ctx context.Context, tx wallets.Tx, now job) error {
		_, _, err := endTransfer(ctx, tx, now.transfer, Refused, errNothingToGather.Error())
		return err
	})
}
