package hosted

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
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
}

// locate sums what the receipts of a session say.
func (v *visit) locate(ctx context.Context, s checkout.State) (whereabouts, error) {
	at := whereabouts{Back: money.NGN(0), Held: money.USDC(0), Accepted: money.USDC(0), Returned: money.USDC(0)}
	if s.Payment.Status == payments.Pending || len(s.Payment.Exceptions) == 0 {
		return at, nil
	}
	receipts, err := ferry.InRead(ctx, v.engine.Units(), func(ctx context.Context, tx store.Tx) ([]payments.Receipt, error) {
		return payments.ReceiptsOf(ctx, tx.Payments(), s.Payment)
	})
	for _, r := range receipts {
		if err == nil {
			err = at.add(s, r)
		}
	}
	return at, err
}

func (at *whereabouts) add(s checkout.State, r payments.Receipt) (err error) {
	switch r.State {
	case payments.GivenBack:
		at.Back, err = at.Back.Add(r.Amount)
	case payments.Settled:
		if r.Method == payments.BankTransfer && s.Mismatch != business.Accept && r.Amount.Minor() > s.Pricing.Fiat.Minor() {
			at.Back = money.NGN(at.Back.Minor() + r.Amount.Minor() - s.Pricing.Fiat.Minor())
		}
	case payments.Held:
		at.Held, err = at.Held.Add(r.Held)
	case payments.Accepted:
		at.Accepted, err = at.Accepted.Add(r.Decided)
	case payments.Refunded:
		at.Returned, err = at.Returned.Add(r.Decided)
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
		all = append(all, v.words.Say("exception."+string(e), "shop", shop,
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
