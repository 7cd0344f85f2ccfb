package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func testWallets(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("wallets", func(t *testing.T) { testWalletRows(t, open) })
	t.Run("wallet lists", func(t *testing.T) { testWalletLists(t, open) })
	t.Run("addresses", func(t *testing.T) { testAddressRows(t, open) })
	t.Run("address lists", func(t *testing.T) { testAddressLists(t, open) })
	t.Run("custodies", func(t *testing.T) { testCustodies(t, open) })
	t.Run("transfers", func(t *testing.T) { testTransfers(t, open) })
	t.Run("attempts", func(t *testing.T) { testTransferAttempts(t, open) })
	t.Run("transactions", func(t *testing.T) { testTransactions(t, open) })
	t.Run("anomalies", func(t *testing.T) { testAnomalies(t, open) })
	t.Run("holds", func(t *testing.T) { testHolds(t, open) })
	t.Run("outflows", func(t *testing.T) { testOutflows(t, open) })
	readOnly(t, open, map[string]body{
		"InsertWallet":      insertWallet(custodyWallet(1)),
		"UpdateWallet":      updateWallet(custodyWallet(1)),
		"InsertAddress":     insertAddress(address(1)),
		"UpdateAddress":     updateAddress(address(1)),
		"CountArrival":      countArrival(address(1).ID, money.USDC(1), after(1)),
		"UpdateCustody":     updateCustody(custody(address(1))),
		"InsertTransfer":    insertTransfer(transfer(1)),
		"UpdateTransfer":    updateTransfer(transfer(1)),
		"InsertAttempt":     insertAttempt(attempt(1)),
		"UpdateAttempt":     updateAttempt(attempt(1)),
		"InsertTransaction": insertTransaction(transaction(1)),
		"UpdateTransaction": updateTransaction(transaction(1)),
		"InsertAnomaly":     insertAnomaly(anomaly(1)),
		"PutHold":           putHold(hold()),
		"PutSentCursor":     putSentCursor(ferry.Test, "1"),
		"InsertOutflow":     insertOutflow(outflow(1)),
		"UpdateOutflow":     updateOutflow(outflow(1)),
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

func insertWallet(w wallets.Wallet) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().InsertWallet(ctx, w) }
}

func updateWallet(w wallets.Wallet) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateWallet(ctx, w) }
}

func walletOf(scope ferry.Scope, id wallets.ID) func(context.Context, store.Ports) (wallets.Wallet, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Wallet, error) {
		return p.Wallets().Wallet(ctx, scope, id)
	}
}

func walletBy(scope ferry.Scope, reference string) func(context.Context, store.Ports) (wallets.Wallet, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Wallet, error) {
		return p.Wallets().WalletByReference(ctx, scope, reference)
	}
}

func testWalletRows(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a wallet comes back by id and by reference as it was inserted", func(t *testing.T) {
		b := open(t)
		write(t, b, insertWallet(custodyWallet(1)))
		want := custodyWallet(1)
		want.Version = 1
		require.Equal(t, want, look(t, b, walletOf(home, want.ID)))
		require.Equal(t, want, look(t, b, walletBy(home, want.Reference)))
	})
	t.Run("a wallet is found in its own scope only", func(t *testing.T) {
		b := open(t)
		write(t, b, insertWallet(custodyWallet(1)))
		for _, scope := range []ferry.Scope{away, live} {
			missing(t, b, wallets.ErrWalletNotFound, fails(walletOf(scope, custodyWallet(1).ID)))
			missing(t, b, wallets.ErrWalletNotFound, fails(walletBy(scope, custodyWallet(1).Reference)))
			foreign := custodyWallet(1)
			foreign.Scope, foreign.Version = scope, 1
			refuse(t, b, wallets.ErrWalletNotFound, updateWallet(foreign))
		}
		missing(t, b, wallets.ErrWalletNotFound, fails(walletOf(home, "")))
		missing(t, b, wallets.ErrWalletNotFound, fails(walletBy(home, "")))
	})
	t.Run("a reference belongs to one wallet of a scope", func(t *testing.T) {
		b := open(t)
		write(t, b, insertWallet(custodyWallet(1)))
		again := custodyWallet(2)
		again.Reference = custodyWallet(1).Reference
		refuse(t, b, wallets.ErrDuplicateReference, insertWallet(again))
		again.Scope = away
		write(t, b, insertWallet(again))
	})
	t.Run("of many that race for a reference one gets it", func(t *testing.T) {
		b, won := open(t), 0
		for _, err := range race(8, func(i int) error {
			w := custodyWallet(i)
			w.Reference = "one"
			return b.Write(t.Context(), insertWallet(w))
		}) {
			if err == nil {
				won++
			} else {
				require.ErrorIs(t, err, wallets.ErrDuplicateReference)
			}
		}
		require.Equal(t, 1, won)
	})
	t.Run("an id is inserted once", func(t *testing.T) {
		b := open(t)
		write(t, b, insertWallet(custodyWallet(1)))
		again := custodyWallet(2)
		again.ID = custodyWallet(1).ID
		require.Error(t, b.Write(t.Context(), insertWallet(again)))
	})
	t.Run("an update counts the version, refuses a former one and keeps the reference", func(t *testing.T) {
		b := open(t)
		write(t, b, insertWallet(custodyWallet(1)))
		row := look(t, b, walletOf(home, custodyWallet(1).ID))
		row.Status, row.SuspendedBy, row.Label, row.Reference = wallets.Suspended, wallets.ByBoth, "Other", "other"
		write(t, b, updateWallet(row))
		staleWrite(t, b, updateWallet(row))
		row.Version, row.Reference = 2, custodyWallet(1).Reference
		require.Equal(t, row, look(t, b, walletOf(home, row.ID)))
		missing(t, b, wallets.ErrWalletNotFound, fails(walletBy(home, "other")))
	})
}

func testWalletLists(t *testing.T, open func(*testing.T) store.Backend) {
	list := func(f wallets.WalletFilter) func(context.Context, store.Ports, ferry.Page) (ferry.List[wallets.Wallet], error) {
		return func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[wallets.Wallet], error) {
			return p.Wallets().Wallets(ctx, home, f, page)
		}
	}
	for name, filter := range map[string]wallets.WalletFilter{
		"by status":              {Status: wallets.Suspended},
		"by customer":            {CustomerID: "cus_x"},
		"by status and customer": {Status: wallets.Suspended, CustomerID: "cus_x"},
		"by a part of the label": {Search: "kept", CustomerID: "cus_x"},
		"by time":                {Status: wallets.Suspended, Range: ferry.Range{From: start, To: start.Add(time.Hour)}},
	} {
		t.Run(name, func(t *testing.T) {
			testListing(t, open, listing[wallets.Wallet]{
				insert: func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error {
					w := custodyWallet(0)
					w.ID, w.Reference, w.CreatedAt = wallets.ID(id), id, at
					if match {
						w.Status, w.CustomerID, w.Label = wallets.Suspended, "cus_x", "Is KEPT"
					}
					return p.Wallets().InsertWallet(ctx, w)
				},
				all: list(wallets.WalletFilter{}), matching: list(filter),
				prefix: "wal_", id: func(w wallets.Wallet) string { return string(w.ID) },
			})
		})
	}
	t.Run("search", func(t *testing.T) { searchedWallets.test(t, open) })
	t.Run("a wallet that changes its status changes lists", func(t *testing.T) {
		b := open(t)
		write(t, b, insertWallet(custodyWallet(1)))
		row := look(t, b, walletOf(home, custodyWallet(1).ID))
		row.Status = wallets.Closed
		write(t, b, updateWallet(row))
		for status, want := range map[wallets.Status]int{wallets.Active: 0, wallets.Closed: 1, "": 1} {
			for _, customer := range []string{"", row.CustomerID} {
				found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[wallets.Wallet], error) {
					return list(wallets.WalletFilter{Status: status, CustomerID: customer})(ctx, p, ferry.Page{})
				})
				require.Equal(t, want, found.Total, "status %q of %q", status, customer)
			}
		}
	})
}
