//go:build postgres && unix

package budget_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
)

// payOut makes a payout of so many items.
func (h *house) payOut(t *testing.T, items int) payouts.Details {
	h.serial++
	run := payouts.Params{
		Type: payouts.Bulk, Reference: fmt.Sprint("run-", h.serial), Source: h.Tenant.Business.SourceAccounts[0].AccountNumber,
	}
	for n := range items {
		run.Items = append(run.Items, payouts.Destination{
			Reference: fmt.Sprintf("run-%d-%d", h.serial, n), BankCode: "058", AccountNumber: fmt.Sprintf("%09d0", n+1), Amount: money.NGN(100),
		})
	}
	made, err := h.Engine.Payouts.Create(t.Context(), h.Tenant.Business.Scope, run)
	require.NoError(t, err)
	return made
}

func TestAPayoutOfAThousandItemsIsMadeInOneRoundTrip(t *testing.T) {
	h := newHouse(t, 0)
	h.payOut(t, 1) // the cache has the business
	h.rest()
	h.payOut(t, payouts.MaxItems)
	require.Len(t, h.reset(), 1)
}

func TestAnItemTakesEightRoundTripsUntilItIsPaid(t *testing.T) {
	const items = 100
	h := newHouse(t, 0)
	pay := func() {
		made := h.payOut(t, items)
		_, err := h.Engine.Advance(t.Context(), payouts.DefaultDelay)
		require.NoError(t, err)
		h.Settle()
		paid, err := h.Engine.Payouts.Get(t.Context(), made.Scope, payouts.Ref{ID: string(made.ID)})
		require.NoError(t, err)
		require.Equal(t, payouts.Successful, paid.Status)
	}
	pay()
	h.rest()
	pay()
	trips := h.reset()
	mean := float64(len(trips)) / items
	t.Logf("%.2f round trips", mean)
	count := map[string]int{}
	for _, trip := range trips {
		count[trip[:min(len(trip), 300)]]++
	}
	require.LessOrEqual(t, mean, 8.0, "%v", count)
}
