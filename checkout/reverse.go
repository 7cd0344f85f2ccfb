package checkout

import (
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
)

// Reverse takes a payment by card or mobile wallet back from the business, fees included,
// and out of its link's count, as an acquirer's chargeback does. A bank transfer is taken
// back by its recall, which the bank reports. Errors: payments.ErrNotFound,
// payments.ErrInvalidReference, payments.ErrNotRecalled, payments.ErrNotReversible,
// ferry.ErrInvalidTransition, ledger.ErrInsufficientBalance.
func (s *Service) Reverse(ctx context.Context, scope ferry.Scope, ref payments.Ref) (payments.Payment, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (payments.Payment, error) {
		return ReverseIn(ctx, tx, scope, ref)
	})
}

// ReverseIn is Service.Reverse within a unit.
func ReverseIn(ctx context.Context, tx Tx, scope ferry.Scope, ref payments.Ref) (payments.Payment, error) {
	p, err := payments.Find(ctx, tx, scope, ref)
	if err != nil {
		return payments.Payment{}, err
	}
	if p.Method == payments.BankTransfer && p.Status == payments.Success {
		return payments.Payment{}, payments.ErrNotRecalled
	}
	if err := withdrawIn(ctx, tx, p); err != nil {
		return payments.Payment{}, err
	}
	if p, err = payments.ReverseIn(ctx, tx, p, acquired(p.ID)); err != nil {
		return p, err
	}
	return p, uncount(ctx, tx, p)
}

// RecalledIn reverses the payment that a credit paid which the bank recalls: the caller
// books the recall. A credit that paid none is no concern of it.
func RecalledIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) error {
	found, err := SessionKind.Find(ctx, tx, byNumber, sessionNumbered(env, c.AccountNumber))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := payments.PaymentKind.Get(ctx, tx, found.Scope, found.Payment)
	if err != nil || p.Status != payments.Success {
		return err
	}
	receipts, err := payments.ReceiptsOf(ctx, tx, p)
	paid := func(r payments.Receipt) bool { return r.State == payments.Settled && r.Source == c.SessionID }
	if err != nil || !slices.ContainsFunc(receipts, paid) {
		return err
	}
	if err := withdrawIn(ctx, tx, p); err != nil {
		return err
	}
	if p, err = payments.ReversedIn(ctx, tx, p); err != nil {
		return err
	}
	return uncount(ctx, tx, p)
}

// withdrawIn cancels the pending refunds of a payment that is taken back.
func withdrawIn(ctx context.Context, tx Tx, p payments.Payment) error {
	if p.Status != payments.Success {
		return nil
	}
	return refunds.WithdrawIn(ctx, tx, p.Scope, string(p.ID))
}

// uncount takes a payment out of its link's count.
func uncount(ctx context.Context, tx Tx, p payments.Payment) error {
	if p.Link == "" {
		return nil
	}
	return links.UncountIn(ctx, tx, p.Scope, links.ID(p.Link), p.Amount)
}

// acquired names the posting of what an acquirer owes for a payment.
func acquired(id payments.ID) ledger.PostingID { return ledger.PostingID("acquired:" + string(id)) }
