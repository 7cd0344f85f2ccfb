package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry/provider/bank"
)

// BankOutcome is what the bank does with a payment.
type BankOutcome string

const (
	// Pays: the payment is made at once.
	Pays BankOutcome = "success"
	// Fails: the bank refuses the payment.
	Fails BankOutcome = "failed"
	// PaidUnanswered: the payment is made, but the answer does not arrive.
	PaidUnanswered BankOutcome = "timeout_paid"
	// UnpaidUnanswered: the bank neither makes the payment nor answers. It knows nothing of it
	// afterwards.
	UnpaidUnanswered BankOutcome = "timeout_unpaid"
	// StaysPending: the payment is accepted, and stays so until an outcome is set.
	StaysPending BankOutcome = "pending"
	// ComesBack: the payment is made, and comes back a day later.
	ComesBack BankOutcome = "returned"
)

// BankOutcomes returns all words that SetBankOutcome takes.
func BankOutcomes() []BankOutcome {
	return []BankOutcome{Pays, Fails, PaidUnanswered, UnpaidUnanswered, StaysPending, ComesBack}
}

const (
	// LateFailure: a payment is accepted, and fails half a minute later.
	LateFailure Kind = "late_failure"
	// WrongAmount: the bank reports that it paid one naira more than it was asked for.
	WrongAmount Kind = "wrong_amount"

	failsAfter   = 30 * time.Second
	returnsAfter = 24 * time.Hour
	failedReason = "The account cannot be credited"
	backReason   = "The receiving bank sent the payment back"
)

// byEnding is what the last digit of an account number decides; any other is paid.
var byEnding = map[byte]BankOutcome{
	'9': Fails, '8': PaidUnanswered, '7': UnpaidUnanswered, '6': StaysPending, '5': ComesBack,
}

// The bank's documents of what it was told to do, by the number of an account or the reference
// of a payment, and of payments whose outcome changes with time.
const (
	willPrefix    = "bank/will/"
	bankDuePrefix = "bank/due/"
)

func willKey(by string) string { return named(willPrefix, by) }

// will is what the bank does with a payment.
func (m *moment) will(p payment) (will BankOutcome, err error) {
	for _, by := range []string{p.Reference, p.To.AccountNumber} {
		if found, err := load(m, willKey(by), &will); err != nil || found {
			return will, err
		}
	}
	return cmp.Or(byEnding[ending(p.To.AccountNumber)], Pays), nil
}

// ErrUnknownOutcome refuses a word that BankOutcomes does not list.
var ErrUnknownOutcome = errors.New("sandbox: unknown outcome")

// SetBankOutcome sets what the bank does with payments to an account number or with payments
// of a reference: with those that it is asked for from now on, and with those that are in
// progress. It returns how many were in progress. Errors: ErrUnknownOutcome.
func (w *World) SetBankOutcome(ctx context.Context, by string, will BankOutcome) (applied int, err error) {
	if !slices.Contains(BankOutcomes(), will) {
		return 0, fmt.Errorf("%w: %q", ErrUnknownOutcome, will)
	}
	return answered(ctx, w.write, func(m *moment) (applied int, err error) {
		if err := errors.Join(m.settlePayments(), save(m, willKey(by), will)); err != nil {
			return 0, err
		}
		return m.apply(by, will)
	})
}

// apply lets an outcome happen to the payments in progress that it is meant for.
func (m *moment) apply(by string, will BankOutcome) (applied int, err error) {
	for after := ""; ; {
		page, err := scan[string](m, openPrefix, after, settlePage)
		if err != nil || len(page) == 0 {
			return applied, err
		}
		for _, open := range page {
			after = open.place
			var p payment
			if _, err := load(m, paymentKey(open.doc), &p); err != nil {
				return applied, err
			}
			if p.Reference != by && p.To.AccountNumber != by {
				continue
			}
			if err := m.follow(&p, will); err != nil {
				return applied, err
			}
			applied++
		}
	}
}

// change is the document of what becomes of a payment at an instant.
type change struct {
	Key   string
	State bank.State
	At    time.Time
}

// later makes a payment reach a state after some time.
func (m *moment) later(p *payment, state bank.State, by time.Duration) error {
	c := change{p.Key, state, m.now.Add(by)}
	return save(m, named(bankDuePrefix+ordered(uint64(c.At.UnixNano()))+"/", p.Key), c)
}

// settlePage is how many documents are read at once.
const settlePage = 64

// settlePayments lets happen to payments what was due until the moment.
func (m *moment) settlePayments() error {
	for {
		docs, err := m.Scan(bankDuePrefix, "", settlePage)
		if err != nil || len(docs) == 0 {
			return err
		}
		for _, doc := range docs {
			var c change
			if err := decode(doc.Key, doc.Data, &c); err != nil {
				return err
			}
			if c.At.After(m.now) {
				return nil
			}
			if err := errors.Join(m.Delete(doc.Key), m.settlePayment(c)); err != nil {
				return err
			}
		}
	}
}

// settlePayment brings a payment into the state that is due, unless it is in a final one.
func (m *moment) settlePayment(c change) error {
	var p payment
	_, err := load(m, paymentKey(c.Key), &p)
	switch {
	case err != nil:
		return err
	case c.State == bank.StateReturned && p.State == bank.StatePaid:
		return m.conclude(&p, bank.StateReturned, backReason)
	case c.State == bank.StateFailed && p.State == bank.StateInProgress:
		return m.conclude(&p, bank.StateFailed, failedReason)
	}
	return nil
}

// nextPayment is the instant at which something becomes of a payment next, or zero.
func (m *moment) nextPayment() (time.Time, error) {
	found, err := scan[change](m, bankDuePrefix, "", 1)
	if err != nil || len(found) == 0 {
		return time.Time{}, err
	}
	return found[0].doc.At, nil
}
