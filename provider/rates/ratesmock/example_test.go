package ratesmock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/mock/gomock"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/provider/rates/ratesmock"
)

// A program whose source of rates is away for a moment, and then answers.
func TestAQuoteIsRefusedWhileThereAreNoRates(t *testing.T) {
	source := ratesmock.NewMockSource(gomock.NewController(t))
	e, err := engine.New(engine.Config{Store: memstore.New(), Test: engine.Providers{Rates: source}})
	require.NoError(t, err)
	shop, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	scope := shop.Business.Scope

	price, err := money.NewRate(money.AssetUSDC, money.AssetNGN, "1500")
	require.NoError(t, err)
	gomock.InOrder(
		source.EXPECT().Quote(gomock.Any(), money.AssetUSDC, money.AssetNGN).Return(rates.Quote{}, rates.ErrUnavailable),
		source.EXPECT().Quote(gomock.Any(), money.AssetUSDC, money.AssetNGN).Return(rates.Quote{Rate: price, ExpiresAt: time.Now().Add(time.Hour)}, nil),
	)
	_, err = e.Checkout.Quote(t.Context(), scope.Env, &scope, money.NGN(15_000_00), checkout.SolanaUSDC)
	require.ErrorIs(t, err, checkout.ErrCryptoUnavailable)
	quoted, err := e.Checkout.Quote(t.Context(), scope.Env, &scope, money.NGN(15_000_00), checkout.SolanaUSDC)
	require.NoError(t, err)
	require.Equal(t, money.USDC(10_000_000), quoted.Crypto)
}
