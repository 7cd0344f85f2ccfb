package storetest

import (
	"testing"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func testWallets(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("sums of addresses", func(t *testing.T) { testAddressRows(t, open) })
	t.Run("summaries of addresses", func(t *testing.T) { testAddressSums(t, open) })
	t.Run("surpluses", func(t *testing.T) { testSurpluses(t, open) })
	t.Run("attempts of a transfer come oldest first, to its own scope", func(t *testing.T) { testAttemptsOfATransfer(t, open) })
	t.Run("of a unit that holds unless something was sent, and one that sends unless held, only one does",
		func(t *testing.T) { testHoldsAndSends(t, open) })
	readOnly(t, open, map[string]body{
		"CountArrival": countArrival(address(1).ID, money.USDC(1), after(1)),
	})
}

// custodyWallet is the n-th wallet of scope home, with no field empty.
func custodyWallet(n int) wallets.Wallet {
	return wallets.Wallet{
		ID: wallets.ID(idOf("wal_", n)), Scope: home, Reference: idOf("ref-", n), Label: "Treasury €",
		Status: wallets.Active, Primary: wallets.AddressID(idOf("addr_", n)), PrimaryAddress: onchain.Address(idOf("A", n)),
		CustomerID: idOf("cus_", 1), Metadata: ferry.Metadata{"team": "ops", "vip": true},
		CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var _ = caseOf(kindCase[wallets.ID, wallets.Wallet]{
	kind: wallets.WalletKind,
	row:  inScope(custodyWallet, func(w *wallets.Wallet, scope ferry.Scope) { w.Scope = scope }),
	change: func(w *wallets.Wallet) {
		w.Status, w.SuspendedBy, w.Metadata = wallets.Suspended, wallets.ByAlarm, ferry.Metadata{}
	},
	vary: func(w *wallets.Wallet, n int) {
		if n%2 == 0 {
			w.Status, w.CustomerID = wallets.Closed, ""
		}
		if n == 5 {
			w.CustomerID = "cus_x"
		}
	},
})
