package engine_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
)

// hangingBank is the simulated bank, which leaves one question about credits open.
type hangingBank struct {
	bank.Bank
	hang  atomic.Bool
	asked chan struct{}
}

func (b *hangingBank) Credits(ctx context.Context, after bank.Cursor, limit int) ([]bank.Credit, error) {
	if b.hang.CompareAndSwap(true, false) {
		close(b.asked)
		<-ctx.Done()
		return nil, bank.ErrUnavailable
	}
	return b.Bank.Credits(ctx, after, limit)
}

func TestFundingThatAResetOvertakesIsUnavailable(t *testing.T) {
	world := sandbox.New(sandbox.Config{Seed: 1})
	own := &hangingBank{Bank: world.Bank(), asked: make(chan struct{})}
	e, err := engine.New(engine.Config{Store: memstore.New(), World: world, Test: engine.Providers{Bank: own}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)

	own.hang.Store(true)
	funded := make(chan error, 1)
	go func() { funded <- e.FundNGN(context.Background(), tenant.Business.Scope, money.NGN(1)) }()
	<-own.asked
	require.NoError(t, e.Reset(t.Context()))
	require.ErrorIs(t, <-funded, accounts.ErrUnavailable)
}
