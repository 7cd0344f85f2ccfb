package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// Charge is USDC that the engine takes from an address, as a fee.
type Charge struct {
	Address AddressID
	// Posting names the cause: it is charged once.
	Posting ledger.PostingID
	// To are the legs that receive it, each of a positive amount.
	To []ledger.Leg
}

// ChargeIn books a charge within a unit, with a line of the wallet's statement.
// Errors: ErrAddressNotFound, ledger.ErrInsufficientBalance, ledger.ErrPosted.
func ChargeIn(ctx context.Context, tx Tx, scope ferry.Scope, c Charge) error {
	from, err := AddressKind.Get(ctx, tx, scope, c.Address)
	if err != nil {
		return err
	}
	total := money.Of(Asset, 0)
	for _, leg := range c.To {
		if total, err = total.Add(leg.Amount); err != nil {
			return err
		}
	}
	id := tx.NewID("trx_")
	if err := ledger.Post(ctx, tx.Ledger(), ledger.Posting{
		ID: c.Posting, Env: scope.Env, Kind: "fee", Ref: id, At: tx.Now(),
		Legs: append([]ledger.Leg{{Account: from.Account(), Amount: total.Neg()}}, c.To...),
	}); err != nil {
		return err
	}
	return TransactionKind.Insert(ctx, tx, Transaction{
		ID: TransactionID(id), Scope: scope, Reference: id, Direction: Out,
		Wallet: from.Wallet, WalletReference: from.WalletReference, Address: from.ID, Transfer: TransferID(id),
		From: from.Address, Amount: total, Fee: money.Of(Asset, 0), Status: Success,
		Entry: ledger.EntryID{Posting: c.Posting, Leg: 0}, CreatedAt: tx.Now(), ConfirmedAt: tx.Now(),
	})
}
