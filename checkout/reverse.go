package checkout

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
)

// Reverse takes a payment in naira back from the business, fees included, and out of
// its link's count. Errors: payments.ErrNotFound, payments.ErrInvalidReference,
// payments.ErrNotReversible, ferry.ErrInvalidTransition,
// ledger.ErrInsufficientBalance.
func (s *Service) Reverse(ctx context.Context, scope ferry.Scope, ref payments.Ref) (payments.Payment, error) {
	return ferry.InUnit(ctx, s.units, func(ctx context.Context, tx Tx) (payments.Payment, error) {
		return ReverseIn(ctx, tx, scope, ref)
	})
}

// ReverseIn is Service.Reverse within a unit.
func ReverseIn(ctx context.Context, tx Tx, scope ferry.Scope, ref payments.Ref) (payments.Payment, error) {
	p, err := payments.Find(ctx, tx.Payments(), scope, ref)
	if err != nil {
		return payments.Payment{}, err
	}
	booked, err := bookedAs(ctx, tx, p)
	if err != nil {
		return payments.Payment{}, err
	}
	if p, err = payments.ReverseIn(ctx, tx, p, booked); err != nil || p.Link == "" {
		return p, err
	}
	return p, links.UncountIn(ctx, tx, scope, links.ID(p.Link), p.Amount)
}

// bookedAs names the posting by which a payment in naira was booked: that of its
// credit, or that of what the acquirer owes. A payment that was not paid has none.
func bookedAs(ctx context.Context, tx Tx, p payments.Payment) (ledger.PostingID, error) {
	if p.Method != payments.BankTransfer {
		return acquired(p.ID), nil
	}
	receipts, err := payments.ReceiptsOf(ctx, tx.Payments(), p)
	if err != nil {
		return "", err
	}
	for _, r := range receipts {
		if r.Method == payments.BankTransfer && r.State == payments.Settled {
			return funding.PostingID(p.Scope.Env, r.Source), nil
		}
	}
	return "", nil
}

// acquired names the posting of what an acquirer owes for a payment.
func acquired(id payments.ID) ledger.PostingID { return ledger.PostingID("acquired:" + string(id)) }
