package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// The wallets of a customer were counted by none before; then the names of their lists,
// and of those of transactions, had a slash at the end.
func TestWalletsOfACustomerThatWereThereBeforeTheirListAreCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for n, customer := range []string{"cus_1", "cus_1", "cus_2", ""} {
			id := string(rune('a' + n))
			w := wallets.Wallet{ID: wallets.ID(id), Scope: scope, Reference: id, CustomerID: customer, Status: wallets.Active, CreatedAt: noon, UpdatedAt: noon}
			if n == 0 {
				w.Status = wallets.Closed
			}
			if err := wallets.WalletKind.Insert(ctx, p, w); err != nil {
				return err
			}
		}
		return wallets.TransactionKind.Insert(ctx, p, wallets.Transaction{
			ID: "trx_1", Scope: scope, Wallet: "wal_1", Direction: wallets.In, Status: wallets.Success, CreatedAt: noon,
		})
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec("DELETE FROM counters WHERE list LIKE 'wallets/%//%' OR list LIKE 'wallets/%/cus%'")
	require.NoError(t, err)
	execute(t, db, "0041_wallet_lists", "INSERT")
	_, err = db.Exec("UPDATE counters SET list = CASE WHEN list LIKE '%wal_1' THEN list || '/' ELSE list || '//' END WHERE list LIKE 'wallet_transactions/%' AND list NOT LIKE '%success'")
	require.NoError(t, err)
	execute(t, db, "0071_wallet_list_names", "DELETE", "INSERT", "UPDATE")
	require.NoError(t, db.Close())

	s = open(t, path)
	for filter, want := range map[wallets.WalletFilter]int{
		{CustomerID: "cus_1"}: 2, {CustomerID: "cus_1", Status: wallets.Closed}: 1, {CustomerID: "cus_2", Status: wallets.Closed}: 0, {CustomerID: "cus_2"}: 1,
	} {
		require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
			found, err := wallets.WalletKind.Page(ctx, p, scope, filter.Query(), ferry.Page{})
			require.Equal(t, want, found.Total, filter)
			return err
		}))
	}
	for _, filter := range []wallets.TransactionFilter{{}, {Wallet: "wal_1"}, {Status: wallets.Success}, {Wallet: "wal_1", Status: wallets.Success}} {
		require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
			found, err := wallets.TransactionKind.Page(ctx, p, scope, filter.Query(), ferry.Page{})
			require.Equal(t, 1, found.Total, filter)
			return err
		}))
	}
}

// execute runs those statements of a migration of SQLite that begin with one of some words.
func execute(t *testing.T, db *sql.DB, migration string, words ...string) {
	file, err := sqlstore.MigrationOfFile(migration + ".sql")
	require.NoError(t, err)
	for _, statement := range strings.SplitAfter(file, ";\n") {
		for _, word := range words {
			if at := strings.Index("\n"+statement, "\n"+word); at >= 0 {
				_, err = db.Exec(statement[at:])
				require.NoError(t, err)
			}
		}
	}
}
