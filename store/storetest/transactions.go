package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// transaction is the n-th line of scope home, with no field empty.
func transaction(n int) wallets.Transaction {
	return wallets.Transaction{
		ID: wallets.TransactionID(idOf("trx_", n)), Scope: home, Reference: idOf("ref-", n), Direction: wallets.Out,
		Wallet: custodyWallet(1).ID, WalletReference: custodyWallet(1).Reference, Address: address(1).ID, Transfer: transfer(n).ID,
		From: address(1).Address, To: address(2).Address, Amount: money.USDC(25), Fee: money.USDC(5),
		Status: wallets.Pending, Signature: onchain.Signature(idOf("sig", n)), Entry: ledger.EntryID{Posting: "p", Leg: 1},
		CreatedAt: after(n), ConfirmedAt: after(n),
	}
}

func insertTransaction(t wallets.Transaction) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().InsertTransaction(ctx, t) }
}

func updateTransaction(t wallets.Transaction) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateTransaction(ctx, t) }
}

func transactionOf(scope ferry.Scope, id wallets.TransactionID) func(context.Context, store.Ports) (wallets.Transaction, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Transaction, error) {
		return p.Wallets().Transaction(ctx, scope, id)
	}
}

func depositOf(id wallets.AddressID, signature onchain.Signature) func(context.Context, store.Ports) (wallets.Transaction, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Transaction, error) {
		return p.Wallets().Deposit(ctx, id, signature)
	}
}

func testTransactions(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a transaction comes back as it was inserted and updated", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransaction(transaction(1)))
		row := look(t, b, transactionOf(home, transaction(1).ID))
		want := transaction(1)
		want.Version = 1
		require.Equal(t, want, row)
		row.Status, row.Signature, row.Entry, row.ConfirmedAt = wallets.Success, "s2", ledger.EntryID{}, time.Time{}
		write(t, b, updateTransaction(row))
		staleWrite(t, b, updateTransaction(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, transactionOf(home, row.ID)))
		for _, scope := range []ferry.Scope{away, live} {
			missing(t, b, wallets.ErrTransactionNotFound, fails(transactionOf(scope, row.ID)))
		}
	})
	t.Run("a deposit is unique by address and signature", func(t *testing.T) {
		b := open(t)
		deposit := transaction(1)
		deposit.Transfer = ""
		write(t, b, insertTransaction(deposit))
		require.Equal(t, deposit.ID, look(t, b, depositOf(deposit.Address, deposit.Signature)).ID)
		again := transaction(2)
		again.Transfer, again.Signature = "", deposit.Signature
		refuse(t, b, wallets.ErrDeposited, insertTransaction(again))
		again.Address = address(2).ID
		write(t, b, insertTransaction(again))
		missing(t, b, wallets.ErrTransactionNotFound, fails(depositOf(deposit.Address, "other")))
	})
	t.Run("a line of a transfer is no deposit", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransaction(transaction(1)))
		missing(t, b, wallets.ErrTransactionNotFound, fails(depositOf(address(1).ID, transaction(1).Signature)))
	})
	list := func(f wallets.TransactionFilter) func(context.Context, store.Ports, ferry.Page) (ferry.List[wallets.Transaction], error) {
		return func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[wallets.Transaction], error) {
			return p.Wallets().Transactions(ctx, home, f, page)
		}
	}
	for name, filter := range map[string]wallets.TransactionFilter{
		"by wallet":                {Wallet: custodyWallet(2).ID},
		"by status":                {Status: wallets.Failed},
		"by direction":             {Direction: wallets.In},
		"by wallet and status":     {Wallet: custodyWallet(2).ID, Status: wallets.Failed},
		"by everything and a time": {Wallet: custodyWallet(2).ID, Status: wallets.Failed, Direction: wallets.In, Range: ferry.Range{From: start}},
	} {
		t.Run(name, func(t *testing.T) {
			testListing(t, open, listing[wallets.Transaction]{
				insert: func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error {
					row := transaction(0)
					row.ID, row.CreatedAt = wallets.TransactionID(id), at
					if match {
						row.Wallet, row.Status, row.Direction = custodyWallet(2).ID, wallets.Failed, wallets.In
					}
					return p.Wallets().InsertTransaction(ctx, row)
				},
				all: list(wallets.TransactionFilter{}), matching: list(filter),
				prefix: "trx_", id: func(row wallets.Transaction) string { return string(row.ID) },
			})
		})
	}
	t.Run("a transaction that changes its status changes lists", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransaction(transaction(1)))
		row := look(t, b, transactionOf(home, transaction(1).ID))
		row.Status = wallets.Success
		write(t, b, updateTransaction(row))
		for status, want := range map[wallets.TransferStatus]int{wallets.Pending: 0, wallets.Success: 1, "": 1} {
			for _, id := range []wallets.ID{"", custodyWallet(1).ID} {
				found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[wallets.Transaction], error) {
					return list(wallets.TransactionFilter{Status: status, Wallet: id})(ctx, p, ferry.Page{})
				})
				require.Equal(t, want, found.Total, "status %q", status)
			}
		}
	})
}

// anomaly is the n-th anomaly of the first address, with no field empty.
func anomaly(n int) wallets.Anomaly {
	return wallets.Anomaly{
		Scope: home, Wallet: custodyWallet(1).ID, Address: address(1).ID, Signature: onchain.Signature(idOf("sig", n)), Mint: "mint",
		Kind: wallets.Unsupported, Delta: money.USDC(-3), CreatedAt: after(n),
	}
}

func insertAnomaly(a wallets.Anomaly) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().InsertAnomaly(ctx, a) }
}

func testAnomalies(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	of := func(a wallets.Anomaly) func(context.Context, store.Ports) (wallets.Anomaly, error) {
		return func(ctx context.Context, p store.Ports) (wallets.Anomaly, error) {
			return p.Wallets().Anomaly(ctx, a.Address, a.Signature, a.Mint)
		}
	}
	other := anomaly(1)
	other.Mint = "other"
	missing(t, b, wallets.ErrTransactionNotFound, fails(of(other)))
	for _, a := range []wallets.Anomaly{anomaly(1), anomaly(2), other} {
		write(t, b, insertAnomaly(a))
		require.Equal(t, a, look(t, b, of(a)))
	}
	refuse(t, b, wallets.ErrDeposited, insertAnomaly(anomaly(1)))
	list := func(id wallets.AddressID) []wallets.Anomaly {
		return look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Anomaly, error) {
			return p.Wallets().Anomalies(ctx, id)
		})
	}
	require.ElementsMatch(t, []wallets.Anomaly{anomaly(1), anomaly(2), other}, list(address(1).ID))
	require.Empty(t, list(address(2).ID))
}
