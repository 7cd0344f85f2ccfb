//go:build postgres && unix

package budget_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// idling is how long an idle server is watched.
const idling = 6 * time.Second

// manage adds n settled addresses: nothing has happened there, and their histories were read.
func (h *house) manage(t *testing.T, n int) {
	unused, err := h.Engine.World.Chain().ChangeTokens(t.Context(), []chain.Address{h.wallets[0].PrimaryAddress})
	require.NoError(t, err)
	for first := 0; first < n; first += 500 {
		require.NoError(t, h.Engine.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			for i := first; i < min(first+500, n); i++ {
				w, a := h.wallets[0], wallets.Address{
					ID: wallets.AddressID(fmt.Sprintf("adr_idle_%06d", i)), Address: chain.Address(fmt.Sprintf("idle%06d", i)),
					Status: wallets.AddressActive, TotalReceived: money.USDC(0), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
				}
				a.Scope, a.Wallet, a.WalletReference = w.Scope, w.ID, w.Reference
				err := errors.Join(wallets.AddressKind.Insert(ctx, tx, a), wallets.CustodyKind.Insert(ctx, tx, wallets.Custody{
					ID: a.ID, Scope: a.Scope, Wallet: a.Wallet, Address: a.Address, ChangeToken: unused[0], ScannedAt: tx.Now(),
					OnChain: money.USDC(0), Committed: money.USDC(0),
				}))
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// The server asks for due work twice a second. Bank and chain report that nothing has happened,
// so it reads nothing else.
func TestAnIdleServerWithManyAddressesTakesThreeRoundTripsASecond(t *testing.T) {
	h := newBinary(t, 2)
	h.manage(t, 10_000)
	time.Sleep(7 * time.Second) // what it does at its start, and until it is idle
	h.reset()
	time.Sleep(idling)
	trips := h.reset()
	mean := float64(len(trips)) / idling.Seconds()
	t.Logf("%.1f round trips a second", mean)
	if mean > 3 {
		t.Errorf("%.1f round trips a second, the budget is 3:\n%s", mean, strings.Join(trips[:min(len(trips), 100)], "\n---\n"))
	}
}
