package inspect

import (
	"context"
	"net/http"

	"github.com/ferrypay/ferry/sandbox"
)

// railsData is the page of the bank and the chain.
type railsData struct {
	sandbox.Overview
	// RealChain reports whether the chain is a real one, of which the page shows nothing.
	RealChain bool
}

// rails shows what the simulated bank and chain have: accounts and addresses to pay to, and what is
// under way.
func (i *Inspector) rails(ctx context.Context, _ *http.Request) (any, error) {
	seen, err := i.engine.World.Look(ctx)
	return railsData{seen, i.engine.RealChain()}, err
}

// Credit makes naira arrive at an account, Deposit USDC at an address.
func (railsData) Credit(account string) Act { return act("₦5,000 arrive", credit(account, "5000")) }
func (railsData) Deposit(address string) Act {
	return act("25 USDC arrive", deposit(address, "25"))
}

// Stage says how sure a transaction is.
func (railsData) Stage(t sandbox.RecentTransaction) string {
	if !t.Status.Found {
		return "waits for a block"
	}
	return string(t.Status.Commitment)
}

// FinalAfter is how many blocks above make a transaction final.
func (railsData) FinalAfter() uint64 { return sandbox.FinalizedAfter }
