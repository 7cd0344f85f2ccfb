package sim

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// giveBack lets the operator give back what is in suspense, as docs/operations.md says, and reports whether
// there was anything. Only naira for an order in USDC may be there: those that waited for a rate for too long.
func (r *run) giveBack() (some bool) {
	e := r.servers[0].engine
	held, err := e.BankFeed.Suspense(context.Background(), ferry.Test)
	r.must(err)
	for _, h := range held {
		if !r.needsRate(h.Session) {
			r.fail("orders", "session %s of %s is in suspense, and needed no rate", h.Session, h.Amount)
		}
		_, err := e.ReturnSuspended(context.Background(), ferry.Test, h.Session)
		r.must(err)
		r.note("the operator gives %s of session %s back", h.Amount, h.Session)
	}
	return len(held) > 0
}

// needsRate reports whether a session paid an order in USDC.
func (r *run) needsRate(session string) bool {
	o, c := r.creditOf(session)
	return c != nil && slices.ContainsFunc(o.things, func(t *thing) bool {
		return t.isOrder() && t.asset == money.AssetUSDC && t.account == c.account
	})
}

// creditOf is the credit of a session, and the business to which it came; or nil.
func (r *run) creditOf(session string) (*owner, *credit) {
	for _, o := range r.businesses {
		for _, c := range o.credits {
			if c.session == session {
				return o, c
			}
		}
	}
	return nil, nil
}
