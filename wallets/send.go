package wallets

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// Transfer sends USDC. An internal transfer is a Success when it returns; an
// external one is Pending, with its money reserved. Errors:
// ferry.ErrValidation, ErrInvalidNetwork, ErrInvalidAsset, ErrAmountTooLow,
// ErrAddressNotOwned, ErrWalletNotActive, ErrInvalidAddress, ErrUnavailable,
// ErrDuplicateReference, ledger.ErrInsufficientBalance. A refused transfer
// leaves no record.
func (s *Service) Transfer(ctx context.Context, scope ferry.Scope, p TransferParams) (Transfer, error) {
	prepared, err := s.Prepare(ctx, scope, p)
	if err != nil {
		return Transfer{}, err
	}
	t, err := ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Transfer, error) {
		return s.TransferIn(ctx, tx, scope, prepared)
	})
	if err != nil || t.Status != Pending {
		return t, err
	}
	now, err := s.Advance(ctx, scope, t.ID)
	if err != nil { // it has begun all the same
		s.config.Logger.WarnContext(ctx, "a transfer waits for its worker", "transfer", t.ID, "error", err)
		return t, nil
	}
	return now, nil
}

// TransferIn begins a prepared transfer within a unit: an internal one is done
// with it, for an external one Advance is to be called once the unit has
// committed. Its errors are those of Transfer.
func (s *Service) TransferIn(ctx context.Context, tx Tx, scope ferry.Scope, prepared Prepared) (Transfer, error) {
	p := prepared.params
	if err := s.checkTransfer(scope.Env, p); err != nil {
		return Transfer{}, err
	}
	sides, err := findSides(ctx, tx, scope, p.From, cmp.Or(string(prepared.receiver), p.To))
	if err != nil {
		return Transfer{}, err
	}
	if !sides.internal && prepared.receiver == "" {
		return Transfer{}, ErrInvalidAddress.Saying("The destination was not prepared")
	}
	t := s.newTransfer(tx, scope, p, sides)
	_, err = tx.Wallets().TransferByReference(ctx, scope, t.Reference)
	switch {
	case err == nil:
		return Transfer{}, ErrDuplicateReference
	case !isAbsent(err):
		return Transfer{}, err
	}
	if sides.internal {
		return s.moveInside(ctx, tx, t, sides.from, sides.to, prepared.rate)
	}
	return t, s.begin(ctx, tx, t, sides.from)
}

func (s *Service) newTransfer(tx Tx, scope ferry.Scope, p TransferParams, sides sides) Transfer {
	t := Transfer{
		ID:              TransferID(tx.NewID("trx_")),
		Scope:           scope,
		Reference:       p.Reference,
		Kind:            External,
		Wallet:          sides.wallet.ID,
		WalletReference: sides.wallet.Reference,
		FromID:          sides.from.ID,
		From:            sides.from.Address,
		To:              chain.Address(p.To),
		Amount:          p.Amount,
		Fee:             s.config.Fee,
		Memo:            text.Clean(p.Memo),
		Metadata:        ferry.Metadata{}.Merge(p.Metadata),
		Status:          TransferLifecycle.Initial,
		CreatedAt:       tx.Now(),
		UpdatedAt:       tx.Now(),
	}
	if t.Reference == "" {
		t.Reference = string(t.ID)
	}
	if sides.internal {
		t.Kind, t.To, t.ToID, t.Fee = Internal, sides.to.Address, sides.to.ID, money.Of(Asset, 0)
	}
	return t
}

// begin records an external transfer, reserves its money and makes it due. The
// worker's turn comes a little later than that of Advance, which follows at
// once unless the process dies.
func (s *Service) begin(ctx context.Context, tx Tx, t Transfer, from Address) error {
	total, err := t.Total()
	if err != nil {
		return ferry.ErrValidation.About("amount", "Is out of range").Because(err)
	}
	if err := tx.Wallets().InsertTransfer(ctx, t); err != nil {
		return err
	}
	if err := tx.Wallets().InsertTransaction(ctx, t.outgoing()); err != nil {
		return err
	}
	if err := ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
		ID: t.reservation(), Account: from.account(), Amount: total, At: tx.Now(),
	}); err != nil {
		return err
	}
	return tx.Leases().Schedule(ctx, QueueTransfers.In(t.Scope.Env), dueKey(t), tx.Now().Add(s.config.Retry))
}

// outgoing is the sender's side of a transfer.
func (t Transfer) outgoing() Transaction {
	return Transaction{
		ID:              TransactionID(t.ID),
		Scope:           t.Scope,
		Reference:       t.Reference,
		Direction:       Out,
		Wallet:          t.Wallet,
		WalletReference: t.WalletReference,
		Address:         t.FromID,
		Transfer:        t.ID,
		From:            t.From,
		To:              t.To,
		Amount:          t.Amount,
		Fee:             t.Fee,
		Status:          t.Status,
		Signature:       t.Signature,
		CreatedAt:       t.CreatedAt,
		ConfirmedAt:     t.ConfirmedAt,
	}
}
