package sandbox

import (
	"context"
	"fmt"
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
	if len(addresses) > chain.MaxAddresses {
		return nil, fmt.Errorf("sandbox: %d addresses, at most %d", len(addresses), chain.MaxAddresses)
	}
	var all []chain.PendingDeposits
	err := c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		all = make([]chain.PendingDeposits, len(addresses))
		for i, address := range addresses {
			if all[i], err = t.incoming(address, slot); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// incoming sums the rows of an owner that were not final at a slot.
func (t *tip) incoming(owner chain.Address, slot uint64) (in chain.PendingDeposits, err error) {
	in.Amount = money.USDC(0)
	var a account
	if _, err := load(t, accountOf(owner), &a); err != nil {
		return in, err
	}
	prefix := historyOf(owner)
	docs, err := t.Scan(prefix, prefix+ordered(a.finalRow(t.finalized(slot))), math.MaxInt32)
	if err != nil {
		return in, err
	}
	for _, doc := range docs {
		var r row
		if err := decode(doc.Key, doc.Data, &r); err != nil {
			return in, err
		}
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
