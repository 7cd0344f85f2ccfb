package solana

import (
	"context"
	"slices"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana/internal/payment"
)

// programs are the addresses of programs that take part in payments. They may be absent from a
// test chain, or look like accounts of somebody.
var programs = []sol.PublicKey{
	sol.SystemProgramID, sol.TokenProgramID, sol.Token2022ProgramID, sol.SPLAssociatedTokenAccountProgramID,
	sol.MemoProgramID, sol.MemoProgramIDV1, sol.ComputeBudget,
}

// Inspect looks at an address and at its token account, as of the newest confirmed block.
func (c *Chain) Inspect(ctx context.Context, a chain.Address) (chain.Destination, error) {
	key, err := ownerOf(a)
	if err != nil {
		return chain.Destination{}, err
	}
	found, err := c.accounts(ctx, rpc.CommitmentConfirmed, key, payment.AccountOf(key, c.usdc()))
	if err != nil {
		return chain.Destination{}, err
	}
	return c.destination(a, found.Value[0], found.Value[1]), nil
}

// destination says what an address is, by what stands there and at its token account.
func (c *Chain) destination(a chain.Address, at, tokens *rpc.Account) chain.Destination {
	if h, ok := holdingOf(at); ok {
		if h.mint != c.usdc() || h.state == frozen {
			return chain.Destination{Kind: chain.Unusable}
		}
		return chain.Destination{Kind: chain.TokenAccount, Opened: true, Owner: chain.Address(h.owner.String())}
	}
	key := sol.MustPublicKeyFromBase58(string(a))
	h, ok := holdingOf(tokens)
	opened := ok && h.mint == c.usdc()
	switch {
	case opened && h.owner != key: // it was given away, and a payment to it fails on the chain
		return chain.Destination{Kind: chain.Unusable}
	case key == c.feePayer, slices.Contains(programs, key), !a.OnCurve(), at != nil && (at.Executable || at.Owner != sol.SystemProgramID), !opened && c.config.Fees.NoRent:
		return chain.Destination{Kind: chain.Unusable}
	}
	return chain.Destination{Kind: chain.Owner, Opened: opened, Owner: a}
}
