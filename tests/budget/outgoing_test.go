//go:build postgres && unix

package budget_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// fund sends USDC to the first wallet over the chain, and waits until it is credited.
func (h *house) fund(t *testing.T) {
	_, err := h.Engine.World.Deposit(t.Context(), sandbox.DepositParams{To: chain.Address(h.address(0)), Amount: money.USDC(1 << 40)})
	require.NoError(t, err)
	h.Settle()
}

func TestAnExternalTransferTakesFourRoundTripsUntilItIsPending(t *testing.T) {
	h := newHouse(t, 1)
	h.fund(t)
	h.atMost(t, 4, func() { h.transfer(t, outside) })
}

// clients is how many send at once.
const clients = 32

func TestInternalTransfersOf32ClientsShareRoundTrips(t *testing.T) {
	h := newHouse(t, clients)
	all := func() {
		var sending sync.WaitGroup
		for from := range clients {
			sending.Go(func() {
				for n := range times {
					h.do(t, http.MethodPost, "/v1/wallets/transfer", fmt.Sprintf("%p-%d-%d", &sending, from, n), fmt.Sprintf(
						`{"from_address":%q,"to_address":%q,"amount":2,"network":"Solana","asset":"USDC"}`, h.address(from), h.address((from+1)%clients)))
				}
			})
		}
		sending.Wait()
	}
	all()
	h.rest()
	all()
	trips := h.reset()
	mean := float64(len(trips)) / (clients * times)
	t.Logf("%.2f round trips", mean)
	if mean > 0.3 {
		count := map[string]int{}
		for _, trip := range trips {
			count[trip[:min(len(trip), 200)]]++
		}
		t.Errorf("%.2f round trips, the budget is 0.3: %v", mean, count)
	}
}
