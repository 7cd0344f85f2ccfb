package payments

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/statement"
)

// ReverseIn takes a payment in naira back from the business, fees included, as a
// chargeback does: it posts the opposite of what booked, the posting of its success,
// brought. What that sent back to the payer was no part of the payment. Errors:
// ErrNotReversible, ferry.ErrInvalidTransition, ledger.ErrInsufficientBalance.
func ReverseIn(ctx context.Context, tx Tx, p Payment, booked ledger.PostingID) (Payment, error) {
	p, err := ReversedIn(ctx, tx, p)
	if err != nil {
		return Payment{}, err
	}
	return p, takeBack(ctx, tx, p, booked)
}

// ReversedIn notes that a payment in naira was taken back, with its line of
// /v1/transactions. The caller books that. Errors: ErrNotReversible,
// ferry.ErrInvalidTransition.
func ReversedIn(ctx context.Context, tx Tx, p Payment) (Payment, error) {
	p, err := moveIn(ctx, tx, p, Reverse)
	if err != nil {
		return Payment{}, err
	}
	if p.Method == USDC {
		return Payment{}, ErrNotReversible
	}
	return p, statement.ReverseIn(ctx, tx, p.Scope, string(p.ID))
}

// takeBack posts the opposite of a posting.
func takeBack(ctx context.Context, tx Tx, p Payment, booked ledger.PostingID) error {
	entries, err := tx.Ledger().Legs(ctx, booked)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return fmt.Errorf("payments: %s was not booked by %q", p.ID, booked)
	}
	legs, err := ledger.Opposite(entries, ledger.SystemAccount(p.Scope.Env, ledger.Returns, money.AssetNGN))
	if err != nil {
		return err
	}
	return ledger.Post(ctx, tx.Ledger(), ledger.Posting{
		ID: ledger.PostingID("reversal:" + string(p.ID)), Env: p.Scope.Env, Kind: "reversal", Ref: string(p.ID),
		Legs: legs, At: tx.Now(),
	})
}
