package sqlstore_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ledger"
)

// backup does what docs/storage.md says: VACUUM INTO from a connection that may
// only read.
func backup(t *testing.T, path, into string) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = db.Exec("VACUUM INTO ?", into)
	require.NoError(t, err)
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
