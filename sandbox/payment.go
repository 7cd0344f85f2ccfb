package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// The bank's documents of what it sends: payments by key, keys of those in progress, and what
// became of payments in the order in which the bank reports it.
const (
	paymentPrefix = "bank/payment/"
	openPrefix    = "bank/open/"
	outcomePrefix = "bank/outcome/"
	paidHeadKey   = "bank/paid"
)

func paymentKey(key string) string { return named(paymentPrefix, key) }
func openKey(key string) string    { return named(openPrefix, key) }

// paidHead counts the payments that were paid, and the outcomes that were reported.
type paidHead struct{ Sessions, Told uint64 }

// payment is the document of one payment.
type payment struct {
	Key, From            string
	To                   bank.Party
	Kobo                 int64
	Reference, Narration string
	State                bank.State
	SessionID, Reason    string
	At                   time.Time
	// Told is the amount that the bank reports, when that is not what it was asked for.
	Told int64 `json:",omitempty"`
}

// outcome is the payment in the form of the port.
func (p payment) outcome(after bank.Cursor) bank.Outcome {
	return bank.Outcome{
		Key: p.Key, State: p.State, SessionID: p.SessionID, To: p.To, Amount: money.NGN(cmp.Or(p.Told, p.Kobo)),
		Reason: p.Reason, At: p.At, Cursor: after,
	}
}

func (b simBank) Pay(ctx context.Context, order bank.Payment) (bank.Outcome, error) {
	var lost bool
	p, err := answered(ctx, b.provider().effect, func(m *moment) (p payment, err error) {
		lost = false
		if err := m.settlePayments(); err != nil {
			return p, err
		}
		found, err := load(m, paymentKey(order.Key), &p)
		if err != nil || found {
			return p, err
		}
		p, lost, err = m.pay(order)
		return p, err
	})
	if err == nil && lost {
		err = bank.ErrUnavailable
	}
	if err != nil {
		return bank.Outcome{}, err
	}
	return p.outcome(""), nil
}

// pay takes in a payment that is not known yet. Lost says that the answer does not arrive.
func (m *moment) pay(order bank.Payment) (p payment, lost bool, err error) {
	p = payment{
		Key: order.Key, From: order.From, To: order.To, Kobo: order.Amount.Minor(),
		Reference: order.Reference, Narration: order.Narration, State: bank.StateInProgress, At: m.now,
	}
	_, known, err := m.Get(accountKey(order.From))
	switch {
	case err != nil:
		return p, false, err
	case !known:
		return p, false, m.conclude(&p, bank.StateFailed, "The debit account is not known")
	case order.Amount.Asset() != money.AssetNGN || order.Amount.Sign() <= 0:
		return p, false, m.conclude(&p, bank.StateFailed, "The amount is not valid")
	}
	will, err := m.will(p)
	if err != nil {
		return p, false, err
	}
	if will == UnpaidUnanswered {
		return p, true, nil
	}
	struck, err := m.strike(TargetBank, LateFailure, WrongAmount)
	if err != nil {
		return p, false, err
	}
	switch struck {
	case LateFailure:
		return p, false, errors.Join(m.accept(&p), m.later(&p, bank.StateFailed, failsAfter))
	case WrongAmount:
		p.Told = p.Kobo + 1_00
	}
	return p, will == PaidUnanswered, m.follow(&p, will)
}

// follow lets happen to a payment what the bank will do with it.
func (m *moment) follow(p *payment, will BankOutcome) error {
	switch will {
	case Fails, UnpaidUnanswered:
		return m.conclude(p, bank.StateFailed, failedReason)
	case StaysPending:
		return m.accept(p)
	case ComesBack:
		if err := m.conclude(p, bank.StatePaid, ""); err != nil {
			return err
		}
		return m.later(p, bank.StateReturned, returnsAfter)
	}
	return m.conclude(p, bank.StatePaid, "")
}

// accept keeps a payment whose outcome is open.
func (m *moment) accept(p *payment) error {
	return errors.Join(save(m, paymentKey(p.Key), p), save(m, openKey(p.Key), p.Key))
}

// conclude brings a payment into a state and reports it.
func (m *moment) conclude(p *payment, state bank.State, reason string) error {
	var head paidHead
	if _, err := load(m, paidHeadKey, &head); err != nil {
		return err
	}
	if state == bank.StatePaid && p.SessionID == "" {
		head.Sessions++
		p.SessionID = fmt.Sprintf("%s%s%012d", BankCode+"001", m.now.Format("060102150405"), head.Sessions)
	}
	p.State, p.Reason, p.At = state, reason, m.now
	head.Told++
	return errors.Join(
		save(m, paymentKey(p.Key), p), save(m, outcomePrefix+ordered(head.Told), p), save(m, paidHeadKey, head),
		m.Delete(openKey(p.Key)),
	)
}

func (b simBank) Outcome(ctx context.Context, key string) (bank.Outcome, error) {
	var found bool
	p, err := answered(ctx, b.provider().query, func(m *moment) (p payment, err error) {
		if err := m.settlePayments(); err != nil {
			return p, err
		}
		found, err = load(m, paymentKey(key), &p)
		return p, err
	})
	if err == nil && !found {
		err = bank.ErrUnknownKey
	}
	if err != nil {
		return bank.Outcome{}, err
	}
	return p.outcome(""), nil
}

func (b simBank) Outcomes(ctx context.Context, after bank.Cursor, limit int) ([]bank.Outcome, error) {
	if err := checkCursor(after, "what became of payments"); err != nil {
		return nil, err
	}
	return answered(ctx, b.provider().query, func(m *moment) ([]bank.Outcome, error) {
		if err := m.settlePayments(); err != nil {
			return nil, err
		}
		struck, err := m.strike(TargetBank, Duplicate)
		if err != nil {
			return nil, err
		}
		found, err := scan[payment](m, outcomePrefix, string(after), limit)
		if err != nil {
			return nil, err
		}
		var all []bank.Outcome
		for _, f := range found {
			all = append(all, f.doc.outcome(bank.Cursor(f.place)))
		}
		return repeatFirst(all, struck == Duplicate, limit), nil
	})
}
