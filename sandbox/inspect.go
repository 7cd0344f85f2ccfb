package sandbox

import (
	"context"
	"crypto/ed25519"
	"slices"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/mr-tron/base58"
)

// programs are the addresses of programs that anybody knows.
var programs = []chain.Address{
	"11111111111111111111111111111111",
	"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
	"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
	"ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
	"MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
	"ComputeBudget111111111111111111111111111111",
}

func (c simChain) Inspect(ctx context.Context, a chain.Address) (chain.Destination, error) {
	if _, err := chain.ParseAddress(string(a)); err != nil {
		return chain.Destination{}, err
	}
	return answered(ctx, c.provider().query, atTip(func(t *tip) (chain.Destination, error) { return t.inspect(a) }))
}

func (t *tip) inspect(a chain.Address) (chain.Destination, error) {
	var at token
	found, err := load(t, tokenKey(a), &at)
	switch {
	case err != nil:
		return chain.Destination{}, err
	case found && at.Mint == USDCMint:
		return chain.Destination{Kind: chain.TokenAccount, Opened: true, Owner: at.Owner}, nil
	case found, !a.OnCurve():
		return chain.Destination{Kind: chain.Unusable}, nil
	}
	if taken, err := t.taken(a); err != nil || taken {
		return chain.Destination{Kind: chain.Unusable}, err
	}
	var own account
	_, err = load(t, accountOf(a), &own)
	return chain.Destination{Kind: chain.Owner, Opened: own.opened(USDCMint), Owner: a}, err
}

// taken reports whether a mint, a program or the fee payer stands at an address.
func (t *tip) taken(a chain.Address) (bool, error) {
	if a == USDCMint || a == t.feePayer() || slices.Contains(programs, a) {
		return true, nil
	}
	_, minted, err := t.Get(supplyKey(string(a)))
	return minted, err
}

// keyOf is the public key of somebody in the world who is no customer.
func (g genesis) keyOf(whom string) chain.Address {
	key := ed25519.NewKeyFromSeed(g.derive("key of " + whom))
	return chain.Address(base58.Encode(key.Public().(ed25519.PublicKey)))
}

func (g genesis) feePayer() chain.Address { return g.keyOf("the fee payer") }

// FeePayer is the address that pays the chain's fees. It cannot receive USDC.
func (w *World) FeePayer(ctx context.Context) (chain.Address, error) {
	return answered(ctx, w.read, func(m *moment) (chain.Address, error) { return m.feePayer(), nil })
}
