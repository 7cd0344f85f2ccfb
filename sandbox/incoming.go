package sandbox

import (
	"context"
	"math"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

var (
	_ chain.Minted          = simChain{}
	_ chain.PendingReporter = simChain{}
)

// Mint is the mint of the chain's USDC.
func (simChain) Mint() chain.Address { return USDCMint }

// PendingDeposits sums the deposits in blocks that are not final.
func (c simChain) PendingDeposits(ctx context.Context, addresses []chain.Address) ([]chain.PendingDeposits, error) {
	all, _, err := viewedEach(ctx, c, addresses, (*tip).incoming)
	return all, err
}

// incoming sums the rows of an owner that were not final at a slot.
func (t *tip) incoming(slot uint64, owner chain.Address) (in chain.PendingDeposits, err error) {
	in.Amount = money.USDC(0)
	var a account
	if _, err := load(t, accountOf(owner), &a); err != nil {
		return in, err
	}
	rows, err := scan[row](t, historyOf(owner), ordered(a.finalRow(t.finalized(slot))), math.MaxInt32)
	if err != nil {
		return in, err
	}
	for _, found := range rows {
		r := found.doc
		if r.Mint != USDCMint || r.Delta <= 0 || r.Slot > slot {
			continue
		}
		if in.Amount, err = in.Amount.Add(money.USDC(r.Delta)); err != nil {
			return in, err
		}
		in.Commitment = commitment(t.height(slot) - r.Height) // the newest row is the least sure
	}
	return in, nil
}
