package sqlstore_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/sqlite"

	"github.com/ferrypay/ferry/ledger"
)

// backup does what docs/storage.md says, "SQLite": on a connection that may only read,
// a read transaction fixes one state, and pages are copied as the shell's .backup does.
func backup(t *testing.T, path, into string) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	tx, err := conn.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	var n int
	require.NoError(t, tx.QueryRow("SELECT count(*) FROM businesses").Scan(&n))
	require.NoError(t, conn.Raw(func(driver any) error {
		pages, err := driver.(interface {
			NewBackup(into string) (*sqlite.Backup, error)
		}).NewBackup(into)
		if err != nil {
			return err
		}
		for more := true; err == nil && more; {
			more, err = pages.Step(100)
		}
		return errors.Join(err, pages.Finish())
	}))
	require.NoError(t, tx.Rollback())
}

func TestTheDocumentedBackupIsNoVacuum(t *testing.T) {
	text, err := os.ReadFile("../docs/storage.md")
	require.NoError(t, err)
	require.Contains(t, string(text), `"BEGIN" "SELECT count(*) FROM businesses" ".backup '`)
	require.NotContains(t, string(text), `"VACUUM INTO`, "sqlite3 3.40 fails on a generated column, and leaves an empty file")
}

func TestABackupWhileUnitsCommitIsOneStateOfTheStore(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "ferry.db"), filepath.Join(folder, "backup.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), openBooks))
	require.NoError(t, s.Write(t.Context(), deposit("before")))
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range 40 {
				if err := s.Write(t.Context(), deposit(ledger.PostingID(fmt.Sprintf("%d-%d", i, n)))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	backup(t, path, copied)
	wg.Wait()
	require.EqualValues(t, 161, posted(t, s))
	restored := open(t, copied)
	n := posted(t, restored)
	require.GreaterOrEqual(t, n, int64(1))
	require.True(t, hasPosting(t, restored, "before"))
	require.NoError(t, restored.Write(t.Context(), deposit("after")))
	require.Equal(t, n+1, posted(t, restored))
	require.False(t, hasPosting(t, s, "after"))
}
