package engine

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
)

// What the pages for payers ask an environment's chain. A chain without the ability leaves
// it out.

// Mint is the mint of the environment's USDC, or empty.
func (e *Engine) Mint(env ferry.Env) chain.Address {
	if minted, ok := e.providers[env].Chain.(chain.Minted); ok {
		return minted.Mint()
	}
	return ""
}

// PendingDeposits is USDC that was seen on its way to an address and is not final yet.
func (e *Engine) PendingDeposits(ctx context.Context, env ferry.Env, to chain.Address) (chain.PendingDeposits, error) {
	found, err := e.Deposits.PendingDeposits(ctx, env, to)
	if err != nil {
		return chain.PendingDeposits{}, err
	}
	return found[0], nil
}
