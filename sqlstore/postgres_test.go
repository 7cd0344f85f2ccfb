//go:build postgres

package sqlstore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sandbox/sandboxtest"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storetest"
)

func TestTheContractOnPostgreSQL(t *testing.T) {
	storetest.RunSome(t, everyKind, func(t testing.TB) store.Backend { return freshServer(t) })
}

func TestTheWorldOnPostgreSQL(t *testing.T) {
	sandboxtest.Run(t, func(t *testing.T) sandbox.Store { return freshServer(t).World() })
}

// freshServer opens an empty store on PostgreSQL. Its database is a copy, as
// migrations take longer than most tests.
func freshServer(t testing.TB) *sqlstore.Store {
	s, err := postgres.Open(t.Context(), pgtest.Copy(t, "migrated", func(url string) error {
		s, err := postgres.Open(context.Background(), url)
		if err != nil {
			return err
		}
		return s.Close(context.Background())
	}))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return s
}
