package solana

import (
	"context"

	"github.com/gagliardetto/solana-go/rpc"
)

// FeePayerBalance is what the fee payer has, in lamports, as of the newest confirmed block.
// Errors: chain.ErrUnavailable.
func (c *Chain) FeePayerBalance(ctx context.Context) (uint64, error) {
	found, err := c.accounts(ctx, rpc.CommitmentConfirmed, c.feePayer)
	if err != nil {
		return 0, err
	}
	return lamports(found.Value[0]), nil
}
