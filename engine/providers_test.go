package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/apitest"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
)

func TestALiveEnvironmentHasAllOfItsProvidersOrNone(t *testing.T) {
	for present := range 16 {
		t.Run(fmt.Sprintf("%04b", present), func(t *testing.T) {
			config := liveConfig(apitest.NewClock())
			var missing []string
			for i, leave := range []struct {
				name string
				out  func()
			}{
				{"Chain", func() { config.Live.Chain = nil }}, {"Bank", func() { config.Live.Bank = nil }},
				{"KYC", func() { config.Live.KYC = nil }}, {"Rates", func() { config.Live.Rates = nil }},
			} {
				if present&(1<<i) == 0 {
					leave.out()
					missing = append(missing, leave.name)
				}
			}
			e, err := engine.New(config)
			switch len(missing) {
			case 0:
				require.NoError(t, err)
				require.True(t, e.Serves(ferry.Live))
			case 4:
				require.NoError(t, err)
				require.False(t, e.Serves(ferry.Live))
			default:
				require.ErrorIs(t, err, engine.ErrHalfLive)
				for _, name := range missing {
					require.ErrorContains(t, err, name)
				}
			}
		})
	}
}

// countedBank is a bank of one's own around the simulated one.
type countedBank struct {
	bank.Bank
	opened int
}

func (b *countedBank) OpenAccount(ctx context.Context, key, name string) (bank.Account, error) {
	b.opened++
	return b.Bank.OpenAccount(ctx, key, name)
}

func TestOnesOwnAdapterStandsInForAProviderOfTheTestEnvironment(t *testing.T) {
	world := sandbox.New(sandbox.Config{Seed: 1})
	own := &countedBank{Bank: world.Bank()}
	e, err := engine.New(engine.Config{Store: memstore.New(), World: world, Test: engine.Providers{Bank: own}})
	require.NoError(t, err)
	_, err = e.Bootstrap(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, own.opened)
	require.NotNil(t, e.Rates(ferry.Test), "the others are the world's")
}
