package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func TestInAFileASearchFindsWhatWasThereBeforeItsMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	testOldRowsAreFound(t, "sqlite", path, func() *sqlstore.Store { return open(t, path) })
}

// testOldRowsAreFound makes rows as those that were there before a search, and fills
// them as the migration did.
func testOldRowsAreFound(t *testing.T, driver, source string, open func() *sqlstore.Store) {
	const many = 1003
	s := open()
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for n := range many {
			if err := insertNamed(ctx, p, n, "ỌLÁ"); err != nil {
				return err
			}
		}
		return errors.Join(insertNamed(ctx, p, many, "Ada"), insertNamed(ctx, p, many+1, "İOδος"))
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open(driver, source)
	require.NoError(t, err)
	filled := 0
	require.NoError(t, db.QueryRow("SELECT count(*) FROM goose_db_version WHERE version_id IN (28, 40, 42)").Scan(&filled))
	require.Equal(t, 3, filled, "every store has been migrated so")
	for _, table := range []string{"payments", "transactions", "payment_links", "collection_accounts", "checkout_sessions", "wallets"} {
		_, err = db.Exec("UPDATE " + table + " SET search = NULL")
		require.NoError(t, err)
	}
	_, err = db.Exec("UPDATE customers SET search = replace(search, 'σ', 'ς')")
	require.NoError(t, err)
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, errors.Join(sqlstore.RefillSearch(t.Context(), tx), sqlstore.FillWallets(t.Context(), tx)))
	require.NoError(t, tx.Commit())
	require.NoError(t, db.Close())

	s = open()
	want := map[string]int{"payments": many, "transactions": many, "links": many, "accounts": many, "sessions": many, "customers": many, "wallets": many}
	require.Equal(t, want, totals(t, s, "ọlá"))
	for list := range want {
		want[list] = 1
	}
	for _, name := range []string{"ada", "İoΔος"} {
		require.Equal(t, want, totals(t, s, text.Search(name)), name)
	}
}

// insertNamed adds one of each that is searched, with a name.
func insertNamed(ctx context.Context, p store.Ports, n int, name string) error {
	id := fmt.Sprintf("%032x", n)
	payment := payments.Payment{
		ID: payments.ID(payments.Prefix + id), Scope: scope, Reference: id, Status: payments.Pending, Channel: fees.Checkout,
		Customer: payments.Customer{Name: name}, CreatedAt: noon, UpdatedAt: noon,
	}
	if err := payments.PaymentKind.Insert(ctx, p, payment); err != nil {
		return err
	}
	if err := statement.Kind.Insert(ctx, p, statement.Transaction{
		ID: statement.ID(statement.Prefix + id), Scope: scope, TrxID: id, Reference: id, Direction: statement.In,
		Sender: statement.Sender{AccountName: name}, CreatedAt: noon, UpdatedAt: noon,
	}); err != nil {
		return err
	}
	if err := customers.CustomerKind.Insert(ctx, p, customers.Customer{
		ID: customers.ID("cus_" + id), Scope: scope, Type: customers.Individual, Status: customers.Verified,
		FirstName: name, Email: id, Phone: id, CreatedAt: noon, UpdatedAt: noon,
	}); err != nil {
		return err
	}
	if err := wallets.WalletKind.Insert(ctx, p, wallets.Wallet{
		ID: wallets.ID("wal_" + id), Scope: scope, Reference: id, Label: name, Status: wallets.Active, CreatedAt: noon, UpdatedAt: noon,
	}); err != nil {
		return err
	}
	if err := links.LinkKind.Insert(ctx, p, links.Link{
		ID: links.ID(links.Prefix + id), Scope: scope, Policy: business.DialectA, Type: links.Open, Status: links.Active,
		Title: name, Slug: id, CreatedAt: noon, UpdatedAt: noon,
	}); err != nil {
		return err
	}
	if err := accounts.AccountKind.Insert(ctx, p, accounts.Account{
		ID: accounts.ID("vacc_" + id), Scope: scope, Kind: accounts.Virtual, Reference: id, Status: accounts.Active,
		Bank: provider.Account{AccountNumber: id, AccountName: name}, CreatedAt: noon, UpdatedAt: noon,
	}); err != nil {
		return err
	}
	return checkout.SessionKind.Insert(ctx, p, checkout.Session{
		ID: checkout.ID(checkout.Prefix + id), Scope: scope, TrxID: id, Variant: business.DialectA, Status: checkout.Pending,
		Payment: payment.ID, Customer: payment.Customer, Pricing: checkout.Pricing{Type: checkout.InFiat, Base: money.NGN(1)},
		ExpiresAt: noon, CreatedAt: noon, UpdatedAt: noon,
	})
}

// totals counts what a search finds in each list.
func totals(t *testing.T, s *sqlstore.Store, search string) map[string]int {
	found := map[string]int{}
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		paid, err := payments.PaymentKind.Page(ctx, p, scope, payments.Filter{Search: search}.Query(), ferry.Page{})
		require.NoError(t, err)
		lines, err := statement.Kind.Page(ctx, p, scope, statement.Filter{Search: search}.Query(), ferry.Page{})
		require.NoError(t, err)
		pages, err := links.LinkKind.Page(ctx, p, scope, links.Filter{Search: search}.Query(noon), ferry.Page{})
		require.NoError(t, err)
		numbers, err := accounts.AccountKind.Page(ctx, p, scope, accounts.Filter{Kind: accounts.Virtual, Search: search}.Query(), ferry.Page{})
		require.NoError(t, err)
		people, err := customers.CustomerKind.Page(ctx, p, scope, customers.Filter{Search: search}.Query(), ferry.Page{})
		require.NoError(t, err)
		funds, err := wallets.WalletKind.Page(ctx, p, scope, wallets.WalletFilter{Search: search}.Query(), ferry.Page{})
		require.NoError(t, err)
		sessions, err := checkout.SessionKind.Page(ctx, p, scope, checkout.Filter{Search: search}.Query(), ferry.Page{})
		found = map[string]int{
			"payments": paid.Total, "transactions": lines.Total, "links": pages.Total, "accounts": numbers.Total, "sessions": sessions.Total,
			"customers": people.Total, "wallets": funds.Total,
		}
		return err
	}))
	return found
}
