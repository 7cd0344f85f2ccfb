package sandbox

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/mr-tron/base58"
)

// DepositParams is a transfer of tokens from outside.
type DepositParams struct {
	// To is an owner's address or a token account.
	To     chain.Address
	Amount money.Amount
	// Mint is the token; empty means USDC. Amount counts millionths of it.
	Mint string
	// Sender is the owner who sends; empty means somebody outside.
	Sender chain.Address
	// Once names the deposit: a second one of that name is the first again,
	// and no more money. Empty names none.
	Once string
	// Spared says that no armed fault strikes it, because it belongs to the set-up of a sandbox.
	Spared bool
}

// Deposit sends tokens from outside to an address and returns the signature.
// They land in the next block. Faults that drop forks strike deposits too.
// Errors: chain.ErrInvalidAddress, ErrAmount.
func (w *World) Deposit(ctx context.Context, p DepositParams) (chain.Signature, error) {
	if p.Amount.Asset() != money.AssetUSDC || p.Amount.Sign() <= 0 {
		return "", fmt.Errorf("%w: %s", ErrAmount, p.Amount)
	}
	if p.Mint == "" {
		p.Mint = USDCMint
	}
	for _, a := range []chain.Address{p.To, chain.Address(p.Mint), p.Sender} {
		if _, err := chain.ParseAddress(string(a)); err != nil && a != "" || p.To == "" {
			return "", fmt.Errorf("%w: %q", chain.ErrInvalidAddress, a)
		}
	}
	return answered(ctx, w.write, atTip(func(t *tip) (chain.Signature, error) { return t.deposit(p) }))
}

func (t *tip) deposit(p DepositParams) (signature chain.Signature, err error) {
	if p.Once == "" {
		return t.newDeposit(p)
	}
	key := "chain/once/" + p.Once
	if known, err := load(t, key, &signature); known || err != nil {
		return signature, err
	}
	if signature, err = t.newDeposit(p); err != nil {
		return "", err
	}
	return signature, save(t, key, signature)
}

func (t *tip) newDeposit(p DepositParams) (chain.Signature, error) {
	if err := t.room(p.Mint, p.Amount.Minor()); err != nil {
		return "", err
	}
	var fate Kind
	if !p.Spared {
		var err error
		if fate, err = t.strike(TargetChain, ForkDropped, ForkLandedAgain); err != nil {
			return "", err
		}
	}
	to, err := t.receiver(p.To, p.Mint)
	if err != nil {
		return "", err
	}
	if p.Sender == "" {
		p.Sender = t.keyOf("somebody outside")
	}
	t.Seq++
	signature := append(t.derive("deposit", t.Seq, 0), t.derive("deposit", t.Seq, 1)...)
	tx := transaction{
		Signature: chain.Signature(base58.Encode(signature)), Mint: p.Mint, To: to, Issued: true,
		Sources: []source{{p.Sender, p.Amount.Minor()}},
	}
	return tx.Signature, t.accept(tx, fate)
}

// NextChange returns the next instant at which something that is under way changes: a
// transaction on the chain lands, is confirmed or finalized, or loses its fork, or a payment
// of the bank fails or comes back. It reports false when nothing is under way.
func (w *World) NextChange(ctx context.Context) (at time.Time, found bool, err error) {
	at, err = answered(ctx, w.read, atTip(func(t *tip) (time.Time, error) {
		at, err := t.nextChange()
		if err != nil {
			return at, err
		}
		paid, err := t.nextPayment()
		if at.IsZero() || !paid.IsZero() && paid.Before(at) {
			at = paid
		}
		return at, err
	}))
	return at, !at.IsZero(), err
}
