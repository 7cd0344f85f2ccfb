package payments

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// ReverseIn takes a payment in naira back from the business, fees included, as a
// chargeback does: it posts the opposite of what booked, the posting of its success,
// brought. What that sent back to the payer was no part of the payment. Errors:
// ErrNotReversible, ferry.ErrInvalidTransition, ledger.ErrInsufficientBalance.
func ReverseIn(ctx context.Context, tx Tx, p Payment, booked ledger.PostingID) (Payment, error) {
	p, err := moveIn(ctx, tx, p, Reverse)
	if err != nil {
		return Payment{}, err
	}
	if p.Method == USDC {
		return Payment{}, ErrNotReversible
	}
	if err := takeBack(ctx, tx, p, booked); err != nil {
		return Payment{}, err
	}
	line, err := tx.Payments().TransactionByReference(ctx, p.Scope, string(p.ID))
	if err != nil {
		return Payment{}, err
	}
	line.Status, line.UpdatedAt = TransactionReversed, tx.Now()
	return p, tx.Payments().UpdateTransaction(ctx, line)
}

// takeBack posts the opposite of a posting.
func takeBack(ctx context.Context, tx Tx, p Payment, booked ledger.PostingID) error {
	entries, err := ledger.EntriesOf(ctx, tx.Ledger(), booked)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return fmt.Errorf("payments: %s was not booked by %q", p.ID, booked)
	}
	legs, err := opposite(entries, ledger.SystemAccount(p.Scope.Env, ledger.Returns, money.AssetNGN))
	if err != nil {
		return err
	}
	return ledger.Post(ctx, tx.Ledger(), ledger.Posting{
		ID: ledger.PostingID("reversal:" + string(p.ID)), Env: p.Scope.Env, Kind: "reversal", Ref: string(p.ID),
		Legs: legs, At: tx.Now(),
	})
}

// opposite are the legs that take back what a posting brought from one account to
// others, but for what it brought to one of them.
func opposite(entries []ledger.Entry, but ledger.AccountID) (legs []ledger.Leg, err error) {
	back := ledger.Leg{Amount: money.NGN(0)}
	for _, e := range entries {
		switch {
		case e.Amount.Sign() < 0:
			back.Account = e.Account
		case e.Account != but:
			legs = append(legs, ledger.Leg{Account: e.Account, Amount: e.Amount.Neg()})
			if back.Amount, err = back.Amount.Add(e.Amount); err != nil {
				return nil, err
			}
		}
	}
	return append(legs, back), nil
}
