package sim_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ferrytest/sim"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
)

// batteries is a machine whose memory outlasts a cut of the power.
type batteries struct {
	store.Backend
	boots int
	fails error
}

var _ sim.Machine = (*batteries)(nil)

func (*batteries) CutAfter(int) {}
func (*batteries) Dark() bool   { return false }

func (m *batteries) Boot(*rand.Rand) error {
	m.boots++
	return m.fails
}

func liveOn(m *batteries) error {
	_, err := sim.Live(sim.Config{Seed: 1, Steps: 1500, Store: func(clock ferry.Clock) (store.Backend, error) {
		m.Backend = memstore.NewOn(clock)
		return m, nil
	}})
	return err
}

func TestServersComeBackAfterACutOfThePower(t *testing.T) {
	m := &batteries{}
	require.NoError(t, liveOn(m))
	require.NotZero(t, m.boots)
}

func TestAStoreThatDoesNotOpenAfterACutIsFound(t *testing.T) {
	broken := new(sim.Violation)
	err := liveOn(&batteries{fails: errors.New("no such file")})
	require.ErrorAs(t, err, &broken)
	require.Equal(t, "power", broken.Check)
	require.Same(t, broken, err, "Live returns the violation itself")
}
