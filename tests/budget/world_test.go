//go:build postgres && unix

package budget_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sandbox"
)

// newBinary returns a house that runs as the binary does: the simulated world is in the database,
// and the workers run. It has n wallets that have much money.
func newBinary(t *testing.T, n int) *house {
	h := &house{}
	s := h.open(t)
	h.start(t, n, engine.Config{Store: s, World: sandbox.New(sandbox.Config{Store: s.World()})})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Engine.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	return h
}

// readings returns the round trips that read the simulated world.
func readings(trips []string) (all []string) {
	for _, trip := range trips {
		if strings.Contains(trip, "FROM world") && !strings.Contains(trip, "WITH queues") {
			all = append(all, trip)
		}
	}
	return all
}

// While nothing moves in the world, the sweeps and the clock read its version only. A transfer
// reads nothing of it.
func TestAnInternalTransferReadsNothingOfTheWorld(t *testing.T) {
	h := newBinary(t, 2)
	for range times {
		h.transfer(t, h.address(1))
	}
	time.Sleep(3 * time.Second) // the first sweeps
	h.reset()
	for range times {
		h.transfer(t, h.address(1))
	}
	for _, trip := range readings(h.reset()) {
		require.Equal(t, "SELECT version FROM world_version", trip)
	}
}
