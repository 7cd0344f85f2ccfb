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

// The wallets of a customer were counted by none before.
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
			if err := p.Wallets().InsertWallet(ctx, w); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec("DELETE FROM counters WHERE list LIKE 'wallets/%//%'")
	require.NoError(t, err)
	file, err := sqlstore.MigrationOfFile("0041_wallet_lists.sql")
	require.NoError(t, err)
	for _, statement := range strings.SplitAfter(file, ";\n") {
		if strings.HasPrefix(statement, "INSERT") {
			_, err = db.Exec(statement)
			require.NoError(t, err)
		}
	}
	require.NoError(t, db.Close())

	s = open(t, path)
	for filter, want := range map[wallets.WalletFilter]int{
		{CustomerID: "cus_1"}: 2, {CustomerID: "cus_1", Status: wallets.Closed}: 1, {CustomerID: "cus_2", Status: wallets.Closed}: 0, {CustomerID: "cus_2"}: 1,
	} {
		require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
			found, err := p.Wallets().Wallets(ctx, scope, filter, ferry.Page{})
			require.Equal(t, want, found.Total, filter)
			return err
		}))
	}
}
