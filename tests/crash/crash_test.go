package crash_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
)

func TestWhatWasAcknowledgedSurvivesOnSQLite(t *testing.T) {
	t.Parallel()
	survive(t, sqliteFile{filepath.Join(t.TempDir(), "ferry.db")})
}

// sqliteFile is a store in a file.
type sqliteFile struct{ path string }

func (f sqliteFile) store() string { return "sqlite:" + f.path }

func (f sqliteFile) open(t *testing.T) *sqlstore.Store {
	left, err := sqlite.Open(t.Context(), f.path)
	require.NoError(t, err)
	return left
}

func (f sqliteFile) deaths() int { return 5 }

func (f sqliteFile) fails() bool { return false }

func (f sqliteFile) accidents() []accident {
	return []accident{
		{string(failpoint.InMigration), diesInMigrations},
		{"killed at start", killedAtStart},
		diesAt(failpoint.BeforeCommit, 40),
		diesAt(failpoint.InGroup, 20),
		diesAt(failpoint.AfterCommit, 40),
		diesAt(failpoint.BeforeSend, 8),
		diesAt(failpoint.AfterSend, 8),
		diesAt(failpoint.AfterPost, 8),
	}
}

// checkEvery is after how many accidents everything is checked.
const checkEvery = 9

// survive has accidents happen to a store under load, and holds it against the
// model again and again.
func survive(t *testing.T, on subject) {
	r := newRun(t, on)
	defer func() {
		t.Log(r.summary())
		if t.Failed() {
			t.Log("the end of the servers' log:\n" + tail(r.log.Name()))
		}
	}()
	for done := 0; done < *kills; done = min(done+checkEvery, *kills) {
		r.between(func() { r.accidents(done, min(done+checkEvery, *kills)) })
		r.check(done+checkEvery >= *kills)
		require.False(t, t.Failed(), "seed %d", *seed)
	}
	require.Empty(t, complaints(t, r.log.Name(), on.fails()))
}
