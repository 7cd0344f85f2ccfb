package hosted

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

// whereabouts is where the money of a payment is that did not fit.
type whereabouts struct {
	// Back goes back through the bank; Held waits for the business; Accepted
	// it has taken; Returned went back on the chain.
	Back, Held, Accepted, Returned money.Amount
	// Before says that all that is not part of the payment came before it was paid.
	Before bool
}

// locate sums what the receipts of a session say.
func (v *visit) locate(ctx context.Context, s checkout.State) (whereabouts, error) {
	at := whereabouts{Back: money.NGN(0), Held: money.USDC(0), Accepted: money.USDC(0), Returned: money.USDC(0), Before: true}
	if s.Payment.Status == payments.Pending || len(s.Payment.Exceptions) == 0 {
		return at, nil
	}
	receipts, err := ferry.InRead(ctx, v.engine.Units(s.Scope.Env), func(ctx context.Context, tx store.Tx) ([]payments.Receipt, error) {
		return payments.ReceiptsOf(ctx, tx, s.Payment)
	})
	for _, r := range receipts {
		if err == nil {
			err = at.add(r)
		}
		if !r.Paid() && !r.CreatedAt.Before(s.Payment.PaidAt) {
			at.Before = false
		}
	}
	return at, err
}

// add counts the parts of one receipt.
func (at *whereabouts) add(r payments.Receipt) error {
	parts, err := r.Parts()
	accepted := money.Of(r.Amount.Asset(), 0)
	if r.State == payments.Accepted {
		accepted = r.Decided
	}
	for _, place := range []struct {
		sum  *money.Amount
		more money.Amount
	}{{&at.Back, parts.Returned}, {&at.Held, parts.Held}, {&at.Accepted, accepted}, {&at.Returned, parts.Refunded}} {
		if err == nil && !place.more.IsZero() {
			*place.sum, err = place.sum.Add(place.more)
		}
	}
	if err != nil {
		return fmt.Errorf("hosted: receipt %s: %w", r.ID, err)
	}
	return nil
}

// remarks are sentences about what did not fit, and about where that money is.
func (v *visit) remarks(s checkout.State, at whereabouts, shop string) []string {
	var all []string
	for _, e := range s.Payment.Exceptions {
		key := "exception." + string(e)
		if e == payments.Duplicate && at.Before {
			key = "exception.before"
		}
		all = append(all, v.words.Say(key, "shop", shop,
			"expected", v.words.Money(s.Payment.Expected), "received", v.words.Money(s.Payment.Received)))
	}
	for _, place := range []struct {
		key    string
		amount money.Amount
	}{{"back", at.Back}, {"held", at.Held}, {"accepted", at.Accepted}, {"returned", at.Returned}} {
		if place.amount.Sign() > 0 {
			all = append(all, v.words.Say("money."+place.key, "amount", v.words.Money(place.amount), "shop", shop))
		}
	}
	return all
}
