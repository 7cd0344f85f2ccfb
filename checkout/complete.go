package checkout

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
)

// completeIn ends a session whose payment is paid: the payment is a success and the
// link counts it. The caller has noted on the payment how it was paid, and books what
// that brought in the same unit.
func completeIn(ctx context.Context, tx Tx, s Session, p payments.Payment, b payments.Brought) (Session, payments.Payment, error) {
	p, err := payments.ConfirmIn(ctx, tx, p, b)
	if err != nil {
		return Session{}, payments.Payment{}, err
	}
	if s, err = endSession(ctx, tx, s, causePaid, p.Method); err != nil {
		return Session{}, payments.Payment{}, err
	}
	if s.Link != "" {
		err = links.CountIn(ctx, tx, s.Scope, s.Link, p.Amount)
	}
	return s, p, err
}

// paymentCauses are what the end of a session means for its payment.
var paymentCauses = map[cause]payments.Cause{causeFailed: payments.Fail, causeCancelled: payments.Cancel, causeExpired: payments.Expire}

// endIn ends a pending session and its payment unpaid, and gives the link its place
// back. Of USDC that came, but not enough, the payment says so.
func endIn(ctx context.Context, tx Tx, s Session, p payments.Payment, cause cause, why string) (Session, payments.Payment, error) {
	held, err := holds(ctx, tx, p)
	if err != nil {
		return Session{}, payments.Payment{}, err
	}
	if held {
		p = p.With(payments.Underpaid)
	}
	if p, err = payments.EndIn(ctx, tx, p, paymentCauses[cause], why); err != nil {
		return Session{}, payments.Payment{}, err
	}
	if s, err = endSession(ctx, tx, s, cause, p.Method); err != nil {
		return Session{}, payments.Payment{}, err
	}
	if s.Link != "" {
		err = links.FreeIn(ctx, tx, s.Scope, s.Link)
	}
	return s, p, err
}

// holds reports whether something that counts for a payment is set aside.
func holds(ctx context.Context, tx Tx, p payments.Payment) (bool, error) {
	receipts, err := payments.ReceiptsOf(ctx, tx, p)
	return slices.ContainsFunc(receipts, counts), err
}

// counts reports whether a receipt is set aside for a payment, and was in time.
func counts(r payments.Receipt) bool { return r.State == payments.Held && !r.Late }

// endSession makes the last move of a session and of its instruction.
func endSession(ctx context.Context, tx Tx, s Session, cause cause, method payments.Method) (Session, error) {
	edge, err := Lifecycle.Next(s.Status, cause)
	if err != nil {
		return Session{}, err
	}
	s.Status, s.EndedAt = edge.To, tx.Now()
	if s, err = saveSession(ctx, tx, s); err != nil || s.Instruction == "" {
		return s, err
	}
	current, err := InstructionKind.Anyones(ctx, tx, Instruction{Address: s.Instruction})
	if err != nil {
		return Session{}, err
	}
	if cause == causePaid && method == payments.USDC && current.Status == Detected {
		return s, moveInstruction(ctx, tx, current, Pay)
	}
	return s, moveInstruction(ctx, tx, current, Lapse)
}

// brings is what an amount brings that pays the order.
func (s Session) brings(amount money.Amount) (payments.Brought, error) {
	fees, err := s.Pricing.feesOf(amount)
	return payments.Brought{Amount: amount, Fees: fees, Order: s.payable()}, err
}

// take notes on the payment that an amount of naira was taken for it, which may be
// another one than it costs, and returns what that brings and where it goes.
func (a *arrival) take(amount money.Amount) (payments.Brought, []ledger.Leg, error) {
	brought, err := a.s.brings(amount)
	if err != nil {
		return brought, nil, err
	}
	legs, err := brought.Fees.Shares(a.s.Scope, amount)
	if err != nil || amount == a.naira.Amount() {
		return brought, legs, err
	}
	worth := amount
	if a.s.Pricing.Type == InCrypto {
		if worth, err = a.naira.worth(amount, a.s.payable()); err != nil {
			return brought, nil, err
		}
	}
	a.p, err = a.s.paidWith(a.p, worth)
	return brought, legs, err
}

// paidWith notes on a payment that it was paid with another amount than it costs, in
// the asset of the order.
func (s Session) paidWith(p payments.Payment, amount money.Amount) (_ payments.Payment, err error) {
	p.Amount = amount
	p.Fees, err = s.Pricing.feesOf(amount)
	return p, err
}
