package sqlstore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storetest"
)

func TestTheContractOnSQLite(t *testing.T) {
	storetest.RunSome(t, everyKind, func(t testing.TB) store.Backend { return fresh(t) })
}

// open opens a store that is closed when the test ends. A new file is a copy of an empty store,
// as migrations take longer than most tests.
func open(t testing.TB, path string) *sqlstore.Store {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		empty, err := template()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, empty, 0o600))
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

// template returns the bytes of an empty store.
var template = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "ferry.db")
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(context.Background()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
