package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/statement"
)

// CreditIn takes in a bank credit to a session's account: it returns the legs of its
// posting and moves the payment. It reports false when the number is not that of a
// session.
//
//	pending, as expected         the payment succeeds
//	pending, less                it fails, all goes back          (strict)
//	                             it succeeds for what came        (accept)
//	pending, more                it succeeds, the rest goes back  (strict)
//	                             it succeeds for what came        (accept)
//	paid before                  duplicate: all goes back
//	ended unpaid, or over        late: all goes back
//
// A credit is in time when the bank took it in before the session's time was over, whenever
// the bank reports it. A later credit does not end the session, because another one may
// have come in time. An order in USDC expects its price of that time: rate is that of
// CreditRate. Errors: ErrCryptoUnavailable without a rate that is needed.
func (s *Service) CreditIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, rate money.Rate) (legs []ledger.Leg, ours bool, err error) {
	at, ours, err := s.creditedIn(ctx, tx, env, c)
	if err != nil || !ours {
		return nil, false, err
	}
	switch {
	case at.inTime():
		if at.naira, err = at.s.nairaFor(c, tx.Now(), rate); err == nil {
			legs, err = at.pay(ctx, c)
		}
	case at.paid():
		legs, err = at.giveBack(ctx, c, "paid already", func() error { return at.noteDuplicate(ctx, c.Amount) })
	default:
		legs, err = at.tooLate(ctx, c)
	}
	return legs, true, err
}

// arrival is money that came in for a session, in the unit that books it.
type arrival struct {
	*Service
	tx Tx
	s  Session
	p  payments.Payment
	// naira is what the order costs when it is paid in naira.
	naira NairaOffer
	// over reports that it came when the time of its session was over, which may be
	// pending nevertheless: what came before is still asked for.
	over bool
}

// creditedIn finds the session of a credit by its number, and reports false for a number of
// no session.
func (s *Service) creditedIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) (at *arrival, ours bool, err error) {
	found, err := SessionKind.Find(ctx, tx, byNumber, sessionNumbered(env, c.AccountNumber))
	if errors.Is(err, ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	at, err = s.currentIn(ctx, tx, found, ferry.NotAfter(c.At, tx.Now()))
	return at, true, err
}

// currentIn reads the payment of a session for money that came at an instant.
func (s *Service) currentIn(ctx context.Context, tx Tx, found Session, came time.Time) (*arrival, error) {
	p, err := payments.PaymentKind.Get(ctx, tx, found.Scope, found.Payment)
	return &arrival{Service: s, tx: tx, s: found, p: p, over: !came.Before(dueAt(found, p))}, err
}

// inTime reports whether the money may pay its session.
func (a *arrival) inTime() bool { return a.p.Status == payments.Pending && !a.over }

// paid reports whether the session was paid before.
func (a *arrival) paid() bool {
	return a.p.Status == payments.Success || a.p.Status == payments.Reversed
}

// pay takes naira for a pending payment.
func (a *arrival) pay(ctx context.Context, c bank.Credit) ([]ledger.Leg, error) {
	expected := a.naira.Amount()
	if err := a.note(c); err != nil {
		return nil, err
	}
	accept := a.s.Mismatch == business.Accept
	switch {
	case c.Amount.Minor() < expected.Minor():
		a.p = a.p.With(payments.Underpaid)
		if !accept {
			return a.giveBack(ctx, c, "underpaid", func() (err error) {
				a.s, a.p, err = endIn(ctx, a.tx, a.s, a.p, causeFailed, "underpaid")
				return err
			})
		}
	case c.Amount.Minor() > expected.Minor():
		a.p = a.p.With(payments.Overpaid)
	}
	taken := c.Amount
	if !accept {
		taken = expected
	}
	return a.succeed(ctx, c, taken)
}

// note notes a credit among the facts of the payment.
func (a *arrival) note(c bank.Credit) (err error) {
	if a.p.Received.Asset() != money.AssetNGN {
		a.p.Received = money.NGN(0)
	}
	a.p.Method, a.p.Expected = payments.BankTransfer, a.naira.Amount()
	a.p.Received, err = a.p.Received.Add(c.Amount)
	return err
}

// giveBack records a credit, notes it on the payment, and sends all of it back.
func (a *arrival) giveBack(ctx context.Context, c bank.Credit, why string, note func() error) ([]ledger.Leg, error) {
	if err := a.receive(ctx, c, payments.Returned, c.Amount); err != nil {
		return nil, err
	}
	if err := note(); err != nil {
		return nil, err
	}
	return a.returnCredit(ctx, c, c.Amount, why)
}

// succeed takes an amount of a credit as the payment, and gives the rest back.
func (a *arrival) succeed(ctx context.Context, c bank.Credit, taken money.Amount) (legs []ledger.Leg, err error) {
	if err := a.noteHeld(ctx); err != nil {
		return nil, err
	}
	rest, err := c.Amount.Sub(taken)
	if err != nil {
		return nil, err
	}
	if err := a.receive(ctx, c, payments.Settled, rest); err != nil {
		return nil, err
	}
	var brought payments.Brought
	if brought, legs, err = a.take(taken); err != nil {
		return nil, err
	}
	if a.s, a.p, err = completeIn(ctx, a.tx, a.s, a.p, brought); err != nil {
		return nil, err
	}
	if rest.IsZero() {
		return legs, nil
	}
	back, err := a.returnCredit(ctx, c, rest, "overpaid")
	return append(legs, back...), err
}

// noteHeld notes on a payment that is paid in naira that part of it came in USDC
// before.
func (a *arrival) noteHeld(ctx context.Context) error {
	held, err := holds(ctx, a.tx, a.p)
	if held {
		a.p = a.p.With(payments.Duplicate)
	}
	return err
}

// receive records a credit and returns a part of it.
func (a *arrival) receive(ctx context.Context, c bank.Credit, state payments.ReceiptState, back money.Amount) (err error) {
	a.p, _, err = payments.ReceiveIn(ctx, a.tx, a.p, payments.Receipt{
		Method: payments.BankTransfer, Amount: c.Amount, Decided: back, Source: c.SessionID, State: state, Sender: statement.SenderOf(c),
		Price: a.naira.Price,
	})
	return err
}

// returnCredit sends an amount of a credit back to its sender.
func (a *arrival) returnCredit(ctx context.Context, c bank.Credit, amount money.Amount, why string) ([]ledger.Leg, error) {
	line := statement.Incoming(a.tx, a.s.Scope, string(a.p.Channel), c.SessionID, amount, statement.SenderOf(c))
	leg, err := payments.ReturnLineIn(ctx, a.tx, line, "payment "+string(a.p.ID)+": "+why)
	return []ledger.Leg{leg}, err
}

// noteDuplicate notes money that a payment does not need.
func (a *arrival) noteDuplicate(ctx context.Context, came money.Amount) error {
	p, err := withReceived(a.p.With(payments.Duplicate), came)
	if err == nil {
		_, err = payments.SaveIn(ctx, a.tx, p)
	}
	return err
}

// withReceived counts money that came beside what a payment counts. What a payment
// received is kept in one asset: what came in the other one stands in the receipts only.
func withReceived(p payments.Payment, came money.Amount) (_ payments.Payment, err error) {
	if came.Asset() == p.Received.Asset() {
		p.Received, err = p.Received.Add(came)
	}
	return p, err
}

// tooLate returns a credit that came after the end, with an event within the time of match.
func (a *arrival) tooLate(ctx context.Context, c bank.Credit) ([]ledger.Leg, error) {
	end := a.s.EndedAt
	if end.IsZero() {
		end = dueAt(a.s, a.p)
	}
	if ferry.NotAfter(c.At, a.tx.Now()).Sub(end) > match {
		return a.returnCredit(ctx, c, c.Amount, "long over")
	}
	return a.giveBack(ctx, c, "late", func() error { return a.noteLate(ctx, c.Amount, a.s.Naira().Amount()) })
}

// noteLate adds money that came after the end to what the payment received, in its own
// asset, unless the payment received another asset before. asked is the price in that
// asset.
func (a *arrival) noteLate(ctx context.Context, came, asked money.Amount) error {
	p := a.p
	if p.Received.IsZero() {
		p.Expected, p.Received = asked, money.Of(came.Asset(), 0)
	}
	p, err := withReceived(p, came)
	if err == nil {
		_, err = payments.LateIn(ctx, a.tx, p)
	}
	return err
}
