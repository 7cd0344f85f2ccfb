package ramp

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// QuoteID names a quote: QuotePrefix and 32 hexadecimal digits.
type QuoteID string

// QuotePrefix begins the ids of quotes.
const QuotePrefix = "qte_"

// Side is a direction of the exchange.
type Side string

const (
	// Onramp: naira in, USDC out.
	Onramp Side = "onramp"
	// Offramp: USDC in, naira out.
	Offramp Side = "offramp"
)

// Quote is what naira are exchanged for, and until when. One order uses it; else it never changes.
type Quote struct {
	ID    QuoteID
	Scope ferry.Scope
	Side  Side
	// Fiat is in naira: what an onramp takes in, or an offramp pays out. Crypto is in USDC:
	// what an onramp pays out, or an offramp takes in.
	Fiat, Crypto money.Amount
	Price
	// UsedBy is the id of the order that uses it; empty while none does.
	UsedBy    string
	CreatedAt time.Time
	Version   int64
}

// Price is what one USDC costs in naira, and until when.
type Price struct {
	// Rate is what the payer gets, as a decimal literal. It is that of the source, BaseRate,
	// made worse for the payer by Spread, in basis points.
	Rate, BaseRate string
	Spread         int64
	// ExpiresAt is when the price has run out.
	ExpiresAt time.Time
}

// StandsAt reports whether the price may be used at an instant.
func (p Price) StandsAt(at time.Time) bool { return at.Before(p.ExpiresAt) }

// exchanged is the other amount of the exchange of naira: an onramp pays out no more USDC
// than the naira are worth, and an offramp takes in no less.
func (s Side) exchanged(rate money.Rate, fiat money.Amount) (money.Amount, error) {
	if s == Onramp {
		return rate.ConvertDown(fiat)
	}
	return rate.ConvertUp(fiat)
}

// against is the rate made worse for the payer by a spread: an onramp sells USDC dearer, an
// offramp buys it cheaper.
func (s Side) against(base money.Rate, spread int64) (money.Rate, error) {
	if s == Onramp {
		return base.Marked(spread)
	}
	return base.Marked(-spread)
}
