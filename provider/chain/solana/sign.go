package solana

import (
	"context"
	"fmt"
	"slices"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana/internal/payment"
)

// MaxMemo is the room of a payment whose receiver has no token account yet.
func (c *Chain) MaxMemo(sources int) int { return payment.MaxMemo(sources) }

// Sign builds and signs a payment on the newest confirmed blockhash. It fails when the fee payer
// cannot pay for it, and when the destination has become unusable since it was inspected. Errors
// beside those of the port: ErrFeePayer, ErrBudget.
func (c *Chain) Sign(ctx context.Context, t chain.Transfer, keys chain.Keyring) (chain.Signed, error) {
	to, err := sol.PublicKeyFromBase58(string(t.Destination))
	if most := c.MaxMemo(len(t.Sources)); err != nil || most < 0 || len(t.Memo) > most {
		return chain.Signed{}, fmt.Errorf("%w: %d sources and a memo of %d bytes to %q", chain.ErrInvalidTransfer, len(t.Sources), len(t.Memo), t.Destination)
	}
	found, err := c.accounts(ctx, rpc.CommitmentConfirmed, to, payment.AccountOf(to, c.usdc()), c.feePayer)
	if err != nil {
		return chain.Signed{}, err
	}
	o := payment.Order{Transfer: t, Mint: c.usdc(), FeePayer: c.feePayer, Direct: c.isUSDC(found.Value[0])}
	if !o.Direct && c.destination(t.Destination, found.Value[0], found.Value[1]).Kind == chain.Unusable {
		return chain.Signed{}, fmt.Errorf("%w: %s", chain.ErrUnusable, t.Destination)
	}
	if c.config.Fees.NoRent && !o.Direct { // the receiver may close the account meanwhile: it is not opened again
		o.Transfer.Destination, o.Direct = chain.Address(payment.AccountOf(to, c.usdc()).String()), true
	}
	if o.Price, err = c.price(ctx); err != nil {
		return chain.Signed{}, err
	}
	block, err := ask(ctx, c, func(ctx context.Context, r *rpc.Client) (rpc.LatestBlockhashResult, error) {
		newest, err := r.GetLatestBlockhash(ctx, rpc.CommitmentConfirmed)
		if err != nil || newest.Value == nil || newest.Value.LastValidBlockHeight == 0 { // at 0 it would be dead at once
			return answered(rpc.LatestBlockhashResult{}, err)
		}
		return answered(*newest.Value, nil)
	})
	if err != nil {
		return chain.Signed{}, err
	}
	o.Blockhash = block.Blockhash
	last := max(block.LastValidBlockHeight, c.lastValid(ctx))
	cost, err := c.costOf(ctx, o, o.Direct || c.isUSDC(found.Value[1]))
	if err != nil {
		return chain.Signed{}, err
	}
	if err := c.afford(ctx, lamports(found.Value[2]), cost); err != nil {
		return chain.Signed{}, err
	}
	signature, signed, err := payment.Sign(o, chain.NewKeyring(c.config.FeePayer), keys)
	if err != nil {
		return chain.Signed{}, err
	}
	c.spend(cost)
	return chain.Signed{
		Signature: chain.Signature(signature.String()), Bytes: signed,
		Blockhash: block.Blockhash.String(), LastValidHeight: last,
	}, nil
}

// hashLife is for how many blocks a blockhash lives.
const hashLife = 150

// lastValid is the last height of a blockhash that is new at the highest node. One that tells a
// payment a shorter life would make it dead while it can land. A single node is not asked again.
func (c *Chain) lastValid(ctx context.Context) uint64 {
	if len(c.nodes) == 1 {
		return 0
	}
	heights, _ := askAll(ctx, c, func(ctx context.Context, n *node) (uint64, error) {
		return call(ctx, n, func(ctx context.Context, r *rpc.Client) (uint64, error) {
			return answered(r.GetBlockHeight(ctx, rpc.CommitmentConfirmed))
		})
	})
	return slices.Max(heights) + hashLife
}
