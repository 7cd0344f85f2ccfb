//go:build postgres

package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/store"
)

func init() {
	keyedStores["PostgreSQL"] = func(t testing.TB) store.Backend {
		s, err := postgres.Open(t.Context(), pgtest.URL(t))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
		return s
	}
}

func TestMain(m *testing.M) { pgtest.Main(m) }
