package disburse

import (
	"context"

	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
)

// Buying completes a kind whose rows are bought of a biller: how it is asked, and what it
// reports. Order returns the purchase of a row. Receive keeps on a row what its customer gets; it
// runs in the unit that records an answer, before Paid. Named is that of Paying.
//
// A biller is asked as a bank is in Paying: to sell, from then on what became of it, and once more
// to sell when it knows nothing of the purchase. What it delivers counts as paid. It lists no
// purchases, so that such a kind has no Told: ReconcileSince compares it, in place of Reconcile.
func Buying[T Tx, K ~string, P any](
	k Kind[T, K, P], order func(P) biller.Purchase, receive func(*P, biller.Receipt), named func(key string) (like P, mine bool),
) *Kind[T, K, P] {
	k.sells = func(b biller.Biller) seller[P] {
		return seller[P]{b, order, func(p P) int { return k.Progress(&p).Submissions }}
	}
	k.receive, k.named = receive, named
	k.check = func(p P, o bank.Outcome) error { return checked(o, asPayment(order(p)), nil) }
	return &k
}

// seller is a biller as rows of a kind ask it.
type seller[P any] struct {
	biller biller.Biller
	order  func(P) biller.Purchase
	before func(P) int
}

// sell asks the biller to sell, or what became of the purchase when it was asked before.
func (s seller[P]) sell(ctx context.Context, p P) (Reply, error) {
	order := s.order(p)
	reply, err := askOnce(s.before(p), func() (Reply, error) { return s.find(ctx, p) }, func() (Reply, error) {
		o, err := s.biller.Buy(ctx, order)
		return replyOf(o), err
	})
	return reply, checked(reply.Outcome, asPayment(order), err)
}

// find asks what became of a purchase.
func (s seller[P]) find(ctx context.Context, p P) (Reply, error) {
	o, err := s.biller.Outcome(ctx, s.order(p).Key)
	return replyOf(o), err
}

// asPayment is a purchase as the payment that is compared with its outcome.
func asPayment(p biller.Purchase) bank.Payment {
	return bank.Payment{Key: p.Key, To: customerOf(p.Provider, p.Number), Amount: p.Amount}
}

// replyOf is what a biller said as the word of a bank.
func replyOf(o biller.Outcome) Reply {
	states := map[biller.State]bank.State{
		biller.StateDelivered: bank.StatePaid, biller.StateFailed: bank.StateFailed, biller.StateInProgress: bank.StateInProgress,
	}
	return Reply{Receipt: o.Receipt, Outcome: bank.Outcome{
		Key: o.Key, State: states[o.State], SessionID: o.Ref, To: customerOf(o.Provider, o.Number), Amount: o.Amount, Reason: o.Reason, At: o.At,
	}}
}

// customerOf is the number of a customer in the place of an account.
func customerOf(provider, number string) bank.Party {
	return bank.Party{BankCode: provider, AccountNumber: number}
}

// asked names who is asked for the payments of a kind.
func (k *Kind[T, K, P]) asked() string {
	if k.sells != nil {
		return "biller"
	}
	return "bank"
}
