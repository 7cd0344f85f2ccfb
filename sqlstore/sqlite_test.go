package sqlstore_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storetest"
)

func TestTheContractOnSQLite(t *testing.T) {
	storetest.Run(t, func(t testing.TB) store.Backend { return open(t, filepath.Join(t.TempDir(), "ferry.db")) })
}

// open opens a store that is closed when the test ends.
func open(t testing.TB, path string) *sqlstore.Store {
	s, err := sqlstore.OpenSQLite(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}
