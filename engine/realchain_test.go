package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// otherChain is the chain of a world that is not the engine's: to the engine it is a real one.
func otherChain(seed uint64) chain.Chain {
	return sandbox.New(sandbox.Config{Seed: seed}).Chain()
}

func engineOn(s store.Backend, c chain.Chain) (*engine.Engine, error) {
	return engine.New(engine.Config{Store: s, Test: engine.Providers{Chain: c}})
}

func requireChainOf(t *testing.T, s store.Backend, want string) {
	t.Helper()
	name, known, err := engine.ChainOf(t.Context(), s, ferry.Test)
	require.NoError(t, err)
	require.True(t, known)
	require.Equal(t, want, name)
}

func TestAStoreRunsOnTheChainOfItsRecordsOnly(t *testing.T) {
	first, second := otherChain(1), otherChain(2)
	genesis, err := first.Genesis(t.Context())
	require.NoError(t, err)
	s := memstore.New()
	_, known, err := engine.ChainOf(t.Context(), s, ferry.Test)
	require.NoError(t, err)
	require.False(t, known)

	e, err := engineOn(s, first)
	require.NoError(t, err)
	require.True(t, e.RealChain())
	requireChainOf(t, s, genesis)

	_, err = engineOn(s, second)
	require.ErrorIs(t, err, engine.ErrOtherChain)
	require.ErrorContains(t, err, genesis)
	_, err = engineOn(s, nil)
	require.ErrorIs(t, err, engine.ErrOtherChain)
	require.ErrorContains(t, err, engine.Simulated)
	_, err = engineOn(s, first)
	require.NoError(t, err)
}

func TestARecordOfASimulatedChainIsRefusedByARealOne(t *testing.T) {
	s := memstore.New()
	e, err := engineOn(s, nil)
	require.NoError(t, err)
	require.False(t, e.RealChain())
	requireChainOf(t, s, engine.Simulated)
	_, err = engineOn(s, otherChain(1))
	require.ErrorIs(t, err, engine.ErrOtherChain)
}

// before stands before a chain, as a decorator does.
type before struct{ chain.Chain }

func TestAChainBeforeThatOfTheWorldIsStillTheWorlds(t *testing.T) {
	world := sandbox.New(sandbox.Config{Seed: 1})
	e, err := engine.New(engine.Config{Store: memstore.New(), World: world, Test: engine.Providers{Chain: before{world.Chain()}}})
	require.NoError(t, err)
	require.False(t, e.RealChain())
}

// silent is a chain that does not answer.
type silent struct{ chain.Chain }

func (silent) Genesis(context.Context) (string, error) { return "", chain.ErrUnavailable }

func TestAnEngineDoesNotStartOnAChainThatDoesNotSayWhichItIs(t *testing.T) {
	s := memstore.New()
	_, err := engineOn(s, silent{otherChain(1)})
	require.ErrorIs(t, err, chain.ErrUnavailable)
	_, known, err := engine.ChainOf(t.Context(), s, ferry.Test)
	require.NoError(t, err)
	require.False(t, known)
}

func TestASandboxOnARealChainIsNotReset(t *testing.T) {
	e, err := engineOn(memstore.New(), otherChain(1))
	require.NoError(t, err)
	_, err = e.Bootstrap(t.Context())
	require.NoError(t, err)
	require.ErrorIs(t, e.Reset(t.Context()), engine.ErrRealChain)
}
