package sqlstore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storetest"
)

func TestTheContractOnSQLite(t *testing.T) {
	storetest.RunSome(t, everyKind, func(t testing.TB) store.Backend { return fresh(t) })
}

// open opens a store that is closed when the test ends.
func open(t testing.TB, path string) *sqlstore.Store {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		sqlitetest.Write(t, path)
	}
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// fresh opens an empty store.
func fresh(t testing.TB) *sqlstore.Store {
	return open(t, filepath.Join(t.TempDir(), "ferry.db"))
}
