package main

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ramp"
)

// rampConfig is what the exchange of naira for USDC, and back, is priced by. Spreads are in basis
// points, hundredths of a percent.
type rampConfig struct {
	OnrampSpread  int64 `json:"onramp_spread,omitempty"`
	OfframpSpread int64 `json:"offramp_spread,omitempty"`
	// QuoteSeconds is how long a quote stands; 0 is 15 minutes.
	QuoteSeconds int64 `json:"quote_seconds,omitempty"`
}

// longestQuote is a day: nobody stands by a rate for longer.
const longestQuote = 24 * 60 * 60

// pricing is the configuration as the engine takes it.
func (c rampConfig) pricing() (ramp.Pricing, error) {
	if c.QuoteSeconds < 0 || c.QuoteSeconds > longestQuote {
		return ramp.Pricing{}, wrongValue("ramp.quote_seconds", "0 to 86400")
	}
	for field, of := range map[string]ramp.Pricing{"onramp_spread": {OnrampSpread: c.OnrampSpread}, "offramp_spread": {OfframpSpread: c.OfframpSpread}} {
		var problems ferry.Problems
		if of.Check(&problems); problems.Err() != nil {
			return ramp.Pricing{}, wrongValue("ramp."+field, "0 to 9999 basis points")
		}
	}
	return ramp.Pricing{OnrampSpread: c.OnrampSpread, OfframpSpread: c.OfframpSpread, Validity: time.Duration(c.QuoteSeconds) * time.Second}, nil
}
