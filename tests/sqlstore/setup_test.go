package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
)

var (
	noon  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	scope = ferry.Scope{Business: "biz_00000000000000000000000000000001", Env: ferry.Test}
)

const till ledger.AccountID = "till"

func TestMain(m *testing.M) { pgtest.Main(m) }

// open opens a store in a file, which is closed when the test ends.
func open(t testing.TB, path string) *sqlstore.Store {
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// openServer opens a store on a database of PostgreSQL.
func openServer(t *testing.T, url string) *sqlstore.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return s
}

// openBooks opens the accounts of a test.
func openBooks(ctx context.Context, p store.Ports) error {
	for _, a := range append(ledger.SystemAccounts(ferry.Test), ledger.Account{ID: till, Scope: scope, Asset: money.AssetNGN}) {
		if err := p.Ledger().OpenAccount(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// within is a context for what must not hang.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}
