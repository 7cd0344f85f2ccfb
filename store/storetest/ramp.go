package storetest

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
)

// rampQuote is the n-th quote of a scope, with no field empty.
func rampQuote(scope ferry.Scope, n int) ramp.Quote {
	return ramp.Quote{
		ID: ramp.QuoteID(idOf(ramp.QuotePrefix, n)), Scope: scope, Side: ramp.Offramp,
		Fiat: money.NGN(1_500_000), Crypto: money.USDC(1_010_000),
		Price:     ramp.Price{Rate: "1485", BaseRate: "1500", Spread: 100, ExpiresAt: after(n + 900)},
		CreatedAt: after(n),
	}
}

var _ = caseOf(kindCase[ramp.QuoteID, ramp.Quote]{
	kind: ramp.QuoteKind, row: rampQuote,
	change: func(*ramp.Quote) {},
})
