package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/statements"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// audited audits a store that has the books of n addresses and n payments, and returns the
// statements of the audit. It leaves the store open.
func audited(t *testing.T, path string, n int) []string {
	var mu sync.Mutex
	var seen []string
	s, err := sqlite.Open(statements.Seen(t.Context(), func(statement string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, statement)
	}), path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	e, err := engine.New(engine.Config{Store: s})
	require.NoError(t, err)
	shop, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	wallet, err := e.Wallets.Create(t.Context(), shop.Business.Scope, wallets.CreateParams{Reference: "main"})
	require.NoError(t, err)
	for first := 0; first < n; first += 500 {
		require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
			for i := first; i < min(first+500, n); i++ {
				err = errors.Join(err, fillBooks(ctx, tx, wallet, fmt.Sprintf("%06d", i)))
			}
			return err
		}))
	}
	seen = nil
	_, err = e.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	return seen
}

// fillBooks writes an address with a deposit, and a payment with a receipt that is held.
func fillBooks(ctx context.Context, tx store.Tx, w wallets.Wallet, n string) error {
	id, amount := wallets.AddressID("adr_"+n), money.USDC(100)
	account := ledger.AddressAccount(string(id))
	control, err := tx.Ledger().Account(ctx, ledger.AddressAccount(string(w.Primary)))
	if err != nil {
		return err
	}
	receipt := payments.Receipt{
		ID: payments.ReceiptID("rcp_" + n), Scope: w.Scope, Payment: payments.ID("pay_" + n), State: payments.Held,
		Amount: amount, Held: amount, Decided: money.USDC(0), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	return errors.Join(
		wallets.AddressKind.Insert(ctx, tx, wallets.Address{
			ID: id, Scope: w.Scope, Wallet: w.ID, WalletReference: w.Reference, Address: chain.Address(n), Status: wallets.AddressActive,
			TotalReceived: amount, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}),
		wallets.CustodyKind.Insert(ctx, tx, wallets.Custody{
			ID: id, Scope: w.Scope, Wallet: w.ID, Address: chain.Address(n), ScannedAt: tx.Now(), OnChain: amount, Committed: money.USDC(0),
		}),
		tx.Ledger().OpenAccount(ctx, ledger.Account{ID: account, Scope: w.Scope, Asset: money.AssetUSDC, Control: control.Control}),
		ledger.Post(ctx, tx.Ledger(), ledger.Move(ledger.PostingID("deposit:"+n), ferry.Test, "deposit", "",
			ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC), account, amount, tx.Now())),
		ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{ID: receipt.HeldBy(), Account: account, Amount: amount, At: tx.Now()}),
		payments.PaymentKind.Insert(ctx, tx, payments.Payment{
			ID: receipt.Payment, Scope: w.Scope, Reference: n, Status: payments.Success, Method: payments.USDC, Receipts: []payments.ReceiptID{receipt.ID},
			Amount: money.NGN(100), Expected: money.NGN(100), Received: money.NGN(100), Settled: money.NGN(100),
			Fees: fees.Fees{Platform: money.NGN(0), Processing: money.NGN(0)}, CreatedAt: tx.Now(), UpdatedAt: tx.Now(), PaidAt: tx.Now(),
		}),
		payments.ReceiptKind.Insert(ctx, tx, receipt),
	)
}

func TestAnAuditOfFourTimesTheBooksRunsFourTimesTheStatements(t *testing.T) {
	few := len(audited(t, filepath.Join(t.TempDir(), "few.db"), 250))
	many := len(audited(t, filepath.Join(t.TempDir(), "many.db"), 1000))
	t.Logf("%d statements, and of four times the books %d", few, many)
	require.LessOrEqual(t, many, 4*few)
}

// Otherwise a page costs as much as all pages.
func TestNoPageOfAnAuditSortsItsRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	seen := audited(t, path, 2)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	slices.Sort(seen)
	for _, statement := range slices.Compact(seen) {
		if strings.HasPrefix(statement, "SELECT") {
			plan := strings.Join(texts(t, db, "EXPLAIN QUERY PLAN "+strings.ReplaceAll(statement, "?", "'x'")), "; ")
			require.NotContains(t, plan, "TEMP B-TREE", statement)
			require.NotContains(t, plan, "SCAN", statement)
		}
	}
}
