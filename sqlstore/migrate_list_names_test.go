package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// The list of all payments of a scope, and that of all transactions, had a slash at the
// end of their names before.
func TestListsOfPaymentsKeepTheirTotalsUnderTheirNewNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for n, link := range []string{"", "plink_1", "plink_1"} {
			id := string(rune('a' + n))
			if err := payments.PaymentKind.Insert(ctx, p, payments.Payment{
				ID: payments.ID(id), Scope: scope, Reference: id, Status: payments.Pending, Link: link,
				Amount: money.NGN(1), CreatedAt: noon, UpdatedAt: noon,
			}); err != nil {
				return err
			}
			if err := statement.Kind.Insert(ctx, p, statement.Transaction{
				ID: statement.ID(id), Scope: scope, TrxID: id, Reference: id, Direction: statement.In,
				Amount: money.NGN(1), CreatedAt: noon, UpdatedAt: noon,
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec("UPDATE counters SET list = list || '/' WHERE list LIKE '%ments/test/' || ? OR list LIKE '%actions/test/' || ?", scope.Business, scope.Business)
	require.NoError(t, err)
	file, err := sqlstore.MigrationOfFile("0070_list_names.sql")
	require.NoError(t, err)
	_, up, _ := strings.Cut(file, "-- +goose Up")
	changed, err := db.Exec(up)
	require.NoError(t, err)
	rows, err := changed.RowsAffected()
	require.NoError(t, err)
	require.Equal(t, int64(2), rows)
	require.NoError(t, db.Close())

	s = open(t, path)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for filter, want := range map[payments.Filter]int{{}: 3, {Link: "plink_1"}: 2, {Status: payments.Pending}: 3, {Link: "plink_1", Status: payments.Pending}: 2} {
			found, err := payments.PaymentKind.Page(ctx, p, scope, filter.Query(), ferry.Page{})
			require.NoError(t, err)
			require.Equal(t, want, found.Total, filter)
		}
		lines, err := statement.Kind.Page(ctx, p, scope, statement.Filter{}.Query(), ferry.Page{})
		require.Equal(t, 3, lines.Total)
		return err
	}))
}

// All lists of addresses had two slashes behind the business before.
func TestListsOfAddressesKeepTheirTotalsUnderTheirNewNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for n, status := range []wallets.AddressStatus{wallets.AddressActive, wallets.AddressActive, wallets.AddressInactive} {
			id := string(rune('a' + n))
			if err := wallets.AddressKind.Insert(ctx, p, wallets.Address{
				ID: wallets.AddressID(id), Scope: scope, Wallet: "wal_1", Address: chain.Address(id), Status: status,
				TotalReceived: money.USDC(0), CreatedAt: noon, UpdatedAt: noon,
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	names := func() (names []string) {
		rows, err := db.Query("SELECT list || ' ' || rows FROM counters WHERE list LIKE 'addresses/%' ORDER BY list")
		require.NoError(t, err)
		for rows.Next() {
			var name string
			require.NoError(t, rows.Scan(&name))
			names = append(names, strings.TrimPrefix(name, "addresses/test/"+string(scope.Business)))
		}
		require.NoError(t, rows.Close())
		return names
	}
	now := []string{" 3", "//active 2", "//inactive 1", "/wal_1 3"}
	require.Equal(t, now, names())
	_, err = db.Exec("UPDATE counters SET list = CASE WHEN list LIKE '%wal_1' THEN list || '/' ELSE list || '//' END WHERE list LIKE 'addresses/%' AND list NOT LIKE '%active'")
	require.NoError(t, err)
	_, err = db.Exec("INSERT INTO counters (list, rows) VALUES ('addresses/test/' || ? || '/wal_1/active', 2)", scope.Business)
	require.NoError(t, err)
	require.Equal(t, []string{"// 3", "//active 2", "//inactive 1", "/wal_1/ 3", "/wal_1/active 2"}, names())
	execute(t, db, "0073_address_list_names", "DELETE", "UPDATE")
	require.Equal(t, now, names())
	require.NoError(t, db.Close())
}
