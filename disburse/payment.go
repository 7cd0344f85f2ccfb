package disburse

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry/provider/bank"
)

// submissions is how often a bank is asked to make a payment that it then knows nothing of.
const submissions = 2

// errNotAsPaid says that the bank reports another payment than the one it was asked for.
var errNotAsPaid = errors.New("disburse: the bank reports another payment")

// Paying completes a kind whose rows pay accounts of others: how a bank is asked, and what it
// reports. Order returns the payment of a row. Named returns a row that has the key columns of
// the row whose payment has a key, and whether that is a key of the kind.
//
// A bank is asked to make the payment, and from then on what became of it. When it knows
// nothing of the payment after all, it is asked to make it once more, under the same key.
// When it knows nothing of that either, the payment has failed.
func Paying[T Tx, K ~string, P any](k Kind[T, K, P], order func(P) bank.Payment, named func(key string) (like P, mine bool)) *Kind[T, K, P] {
	k.Ask = func(ctx context.Context, b bank.Bank, p P) (Reply, error) {
		return askToPay(ctx, b, order(p), k.Progress(&p).Submissions)
	}
	k.Told = func(ctx context.Context, b bank.Bank, after bank.Cursor, limit int) ([]Told, error) {
		return toldPayments(ctx, b, func(key string) bool { _, mine := named(key); return mine }, after, limit)
	}
	k.named = named
	k.check = func(p P, o bank.Outcome) error { return checked(o, order(p), nil) }
	return &k
}

// askToPay asks a bank to make a payment, or what became of it when it was asked before.
func askToPay(ctx context.Context, b bank.Bank, order bank.Payment, before int) (Reply, error) {
	reply, err := askOnce(before, func() (Reply, error) {
		o, err := b.Outcome(ctx, order.Key)
		return Reply{Outcome: o}, err
	}, func() (Reply, error) {
		o, err := b.Pay(ctx, order)
		return Reply{Outcome: o}, err
	})
	return reply, checked(reply.Outcome, order, err)
}

// askOnce asks what became of a payment that was asked for before, and for the payment itself
// when it was not, or when the other side knows nothing of it after the first time.
func askOnce(before int, find, pay func() (Reply, error)) (Reply, error) {
	if before > 0 {
		reply, err := find()
		if answerOf(reply.Outcome, err) != UnknownKey || before >= submissions {
			return reply, err
		}
	}
	reply, err := pay()
	reply.Submitted = true
	return reply, err
}

// checked refuses an outcome that is not the one of an order.
func checked(o bank.Outcome, order bank.Payment, err error) error {
	if err != nil || isOf(o, order) {
		return err
	}
	return fmt.Errorf("%w: %s to %s %s", errNotAsPaid, o.Amount, o.To.BankCode, o.To.AccountNumber)
}

// isOf reports whether an outcome is that of an order. A payment that was not made has no
// amount and no receiver that count.
func isOf(o bank.Outcome, order bank.Payment) bool {
	return o.State == bank.StateFailed ||
		o.Amount == order.Amount && o.To.BankCode == order.To.BankCode && o.To.AccountNumber == order.To.AccountNumber
}

// toldPayments returns reports of payments that were made and that belong to a kind.
func toldPayments(ctx context.Context, b bank.Bank, mine func(string) bool, after bank.Cursor, limit int) (all []Told, err error) {
	for {
		page, err := b.Outcomes(ctx, after, limit)
		if err != nil || len(page) == 0 {
			return nil, err
		}
		for _, o := range page {
			after = o.Cursor
			if o.State != bank.StateFailed && mine(o.Key) {
				all = append(all, Told{
					Key: o.Key, Ref: o.SessionID, Party: PartyOf(o.To), Amount: o.Amount,
					Back: o.State == bank.StateReturned, Cursor: o.Cursor,
				})
			}
		}
		if len(all) > 0 {
			return all, nil
		}
	}
}

// PartyOf names the receiver of a payment, for the Party of an Order.
func PartyOf(to bank.Party) string { return "to " + to.BankCode + " " + to.AccountNumber }
