package sandbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/chaintest"
	"github.com/ferrypay/ferry/sandbox"
)

// otherMint is the mint of a token that is not USDC.
const otherMint = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"

// subject is a world as chaintest asks for it.
type subject struct{ *sandbox.World }

var (
	_ chaintest.Subject = subject{}
	_ chaintest.Faulty  = subject{}
)

func (s subject) Deposit(ctx context.Context, to chain.Address, amount money.Amount) (chain.Signature, error) {
	return s.World.Deposit(ctx, sandbox.DepositParams{To: to, Amount: amount})
}

func (s subject) DepositOther(ctx context.Context, to chain.Address, units int64) (chain.Signature, chain.Address, error) {
	signature, err := s.World.Deposit(ctx, sandbox.DepositParams{To: to, Amount: money.USDC(units), Mint: otherMint})
	return signature, otherMint, err
}

func (s subject) TokenAccount(_ context.Context, owner, mint chain.Address) (chain.Address, error) {
	return sandbox.TokenAccount(owner, mint), nil
}

func (s subject) Landmarks(ctx context.Context) (chaintest.Landmarks, error) {
	payer, err := s.FeePayer(ctx)
	return chaintest.Landmarks{
		Mint: sandbox.USDCMint, FeePayer: payer, Program: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
	}, err
}

func (s subject) Pass(ctx context.Context, blocks int) error {
	_, err := s.Advance(ctx, time.Duration(blocks)*sandbox.SlotTime)
	return err
}

func (s subject) Inject(ctx context.Context, fault chaintest.Fault, count int) error {
	return s.World.Inject(ctx, sandbox.TargetChain, sandbox.Kind(fault), count)
}

func TestTheChainKeepsTheContract(t *testing.T) {
	chaintest.Run(t, func(t *testing.T) chaintest.Subject { return subject{newWorld(t, nil)} })
}
