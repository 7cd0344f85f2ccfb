package solana

import (
	"context"
	"strconv"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// balances are what the token accounts of some owners hold for one mint as of one block: -1
// where there is no account.
func (c *Chain) balances(ctx context.Context, at rpc.CommitmentType, owners []sol.PublicKey, mint sol.PublicKey) (held []int64, slot uint64, err error) {
	keys := accountsOf(owners, mint)
	if len(keys) == 0 {
		keys = []sol.PublicKey{mint} // one account tells the slot
	}
	found, err := c.accounts(ctx, at, keys...)
	if err != nil {
		return nil, 0, err
	}
	for i := range owners {
		units := int64(-1)
		if h, ok := holdingOf(found.Value[i]); ok && h.mint == mint {
			units = int64(h.amount)
		}
		held = append(held, units)
	}
	return held, found.Context.Slot, nil
}

// ChangeTokens tells the finalized balances: of USDC and of the other watched mints. A balance
// that went and came back is the same token; whoever sends from an address reads its history
// afterwards.
func (c *Chain) ChangeTokens(ctx context.Context, addresses []chain.Address) ([]chain.ChangeToken, error) {
	owners, err := ownersOf(addresses)
	if err != nil {
		return nil, err
	}
	tokens := make([]chain.ChangeToken, len(owners))
	for _, mint := range c.mints {
		held, _, err := c.balances(ctx, rpc.CommitmentFinalized, owners, mint)
		if err != nil {
			return nil, err
		}
		for i, units := range held {
			tokens[i] += chain.ChangeToken(strconv.FormatInt(units, 36) + ".")
		}
	}
	return tokens, nil
}

// Holdings reads the token accounts as of the newest finalized block.
func (c *Chain) Holdings(ctx context.Context, addresses []chain.Address) (chain.Holdings, error) {
	owners, err := ownersOf(addresses)
	if err != nil {
		return chain.Holdings{}, err
	}
	held, slot, err := c.balances(ctx, rpc.CommitmentFinalized, owners, c.usdc())
	if err != nil {
		return chain.Holdings{}, err
	}
	h := chain.Holdings{Slot: slot}
	for _, units := range held {
		h.Amounts = append(h.Amounts, money.USDC(max(units, 0)))
	}
	return h, nil
}

// PendingDeposits compares what is confirmed with what is finalized.
func (c *Chain) PendingDeposits(ctx context.Context, addresses []chain.Address) ([]chain.PendingDeposits, error) {
	owners, err := ownersOf(addresses)
	if err != nil || len(owners) == 0 {
		return nil, err
	}
	// The finalized balances come first: what is final in between is still told.
	final, _, err := c.balances(ctx, rpc.CommitmentFinalized, owners, c.usdc())
	if err != nil {
		return nil, err
	}
	confirmed, _, err := c.balances(ctx, rpc.CommitmentConfirmed, owners, c.usdc())
	if err != nil {
		return nil, err
	}
	pending := make([]chain.PendingDeposits, len(owners))
	for i := range owners {
		if more := max(confirmed[i], 0) - max(final[i], 0); more > 0 {
			pending[i] = chain.PendingDeposits{Amount: money.USDC(more), Commitment: chain.Confirmed}
		} else {
			pending[i].Amount = money.USDC(0)
		}
	}
	return pending, nil
}
