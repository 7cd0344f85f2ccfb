// Package sqlitetest gives tests stores in SQLite files. Migrations take longer than most tests do, so
// they run once in a test binary, and each test gets a copy of what they leave.
//
//	func TestAnOrderIsPaid(t *testing.T) {
//		e, err := engine.New(engine.Config{Store: sqlitetest.Open(t)})
package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
)

// Open returns a new store, which is closed and removed when the test ends.
func Open(t testing.TB) *sqlstore.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), File(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// File returns the path of a new store that nobody has open. It is removed when the test ends.
func File(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ferry.db")
	Write(t, path)
	return path
}

// Write writes a new store to a path.
func Write(t testing.TB, path string) {
	t.Helper()
	empty, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, empty, 0o600); err != nil {
		t.Fatal(err)
	}
}

// migrated returns the bytes of a store without a row.
var migrated = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "sqlitetest")
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
