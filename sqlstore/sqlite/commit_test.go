package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/sqlstore/internal/sqltest"
)

// openInside opens a store to look into.
func openInside(t *testing.T) (*sqlstore.Store, *file) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	lock, err := machine.lockFile(t.Context(), path)
	require.NoError(t, err)
	var f *file
	s, err := sqlstore.Open(t.Context(), func(ctx context.Context, migrate sqldb.Migrate) (_ sqldb.Database, err error) {
		f, err = openFile(ctx, machine, path, lock, migrate)
		return f, err
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s, f
}

// withTurn runs do while the committer does nothing else.
func withTurn(t *testing.T, f *file, do func()) {
	turn, err := f.Alone(t.Context())
	require.NoError(t, err)
	defer turn.End()
	do()
}

// deferKeys makes a broken foreign key an error of the commit.
const deferKeys = "PRAGMA defer_foreign_keys = ON"

func TestWhenACommitFailsEachBatchOfTheGroupIsTriedAlone(t *testing.T) {
	s, f := openInside(t)
	group := []*sqldb.Waiter{sqltest.WaiterOf(t.Context(), sqltest.GoodStep), sqltest.WaiterOf(t.Context(), deferKeys, sqltest.BadStep)}
	withTurn(t, f, func() { f.writer.Write(group) })
	require.NoError(t, group[0].Verdict)
	require.Error(t, group[1].Verdict)
	require.NotErrorIs(t, group[1].Verdict, sqldb.ErrOutcomeUnknown)
	require.EqualValues(t, 1, sqltest.CountOf(t, s, "SELECT count(*) FROM postings"))
	require.EqualValues(t, 0, sqltest.CountOf(t, s, "SELECT count(*) FROM entries"))
	require.EqualValues(t, 1, sqltest.CountOf(t, s, "SELECT rows FROM counters WHERE list = 'list'"))
}

func TestABatchThatIsRefusedDoesNotDisturbItsGroup(t *testing.T) {
	s, f := openInside(t)
	refused := errors.New("refused")
	second := sqltest.WaiterOf(t.Context(), "INSERT INTO postings (id, kind, ref) VALUES ('other', 'k', 'r')")
	second.Batch.Steps = append(second.Batch.Steps, sqldb.Step{SQL: "SELECT 1 WHERE FALSE", Asks: true, Refuse: sqldb.Refusal(refused)})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	group := []*sqldb.Waiter{sqltest.WaiterOf(t.Context(), sqltest.GoodStep), second, sqltest.WaiterOf(ended, sqltest.BadStep), sqltest.WaiterOf(t.Context(), sqltest.BadStep)}
	withTurn(t, f, func() { f.writer.Write(group) })
	require.NoError(t, group[0].Verdict)
	require.Equal(t, refused, group[1].Verdict)
	require.ErrorIs(t, group[2].Verdict, context.Canceled)
	require.ErrorContains(t, group[3].Verdict, "FOREIGN KEY")
	require.EqualValues(t, 1, sqltest.CountOf(t, s, "SELECT count(*) FROM postings"))
	require.EqualValues(t, 1, sqltest.CountOf(t, s, "SELECT rows FROM counters WHERE list = 'list'"))
}

func TestAfterACommitWithAnUnknownOutcomeNothingIsWritten(t *testing.T) {
	s, f := openInside(t)
	withTurn(t, f, func() {
		// Without a transaction the rollback fails: nobody knows what became of it.
		require.ErrorIs(t, f.writer.undecided(errors.New("disk")), sqldb.ErrOutcomeUnknown)
	})
	err := s.Write(t.Context(), sqltest.Count("any"))
	require.ErrorIs(t, err, ErrBroken)
	require.NotErrorIs(t, err, sqldb.ErrOutcomeUnknown)
}

func TestAFullDiskHasTakenNoCommit(t *testing.T) {
	s, f := openInside(t)
	withTurn(t, f, func() {
		_, err := f.writer.Exec("PRAGMA max_page_count = 1", nil)
		require.NoError(t, err)
		err = f.writer.transaction(func() error {
			_, err := f.writer.Exec("INSERT INTO world (key, value) VALUES ('big', zeroblob(1000000))", nil)
			return err
		})
		require.Equal(t, sqlite3.SQLITE_FULL, code(err))
		// SQLite rolls back by itself when a commit finds the disk full.
		require.Equal(t, err, f.writer.undecided(err))
		_, err = f.writer.Exec("PRAGMA max_page_count = 100000", nil)
		require.NoError(t, err)
	})
	require.NoError(t, s.Write(t.Context(), sqltest.Count("any")))
}

func TestAGuardThatCannotBeAskedIsAnErrorAndNoReasonToRunAgain(t *testing.T) {
	_, f := openInside(t)
	w := sqltest.WaiterOf(t.Context(), sqltest.GoodStep)
	w.Batch.Guards = []*sqldb.Guard{{SQL: "SELECT 1 FROM nowhere"}}
	withTurn(t, f, func() { f.writer.Write([]*sqldb.Waiter{w}) })
	require.ErrorContains(t, w.Verdict, "nowhere")
	require.NotErrorIs(t, w.Verdict, sqldb.ErrRerun)
}

func TestAGuardThatCannotBeAskedWhyAStepWasRefusedIsAnError(t *testing.T) {
	_, f := openInside(t)
	w := sqltest.WaiterOf(t.Context(), sqltest.GoodStep)
	w.Batch.Guards = []*sqldb.Guard{{SQL: "SELECT 1 FROM nowhere", Covered: true}}
	w.Batch.Steps = append(w.Batch.Steps, sqldb.Step{SQL: "SELECT 1 WHERE FALSE", Asks: true, Refuse: sqldb.Refusal(sqldb.ErrRerun)})
	withTurn(t, f, func() { f.writer.Write([]*sqldb.Waiter{w}) })
	require.ErrorContains(t, w.Verdict, "nowhere")
}

func TestACloseDoesNotWaitLongerThanItIsTold(t *testing.T) {
	s, f := openInside(t)
	withTurn(t, f, func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, s.Close(ctx), context.DeadlineExceeded)
	})
}

// The index by instants leads through the keys of all owners.
func TestKeysOfAnOwnerAreFoundByTheIndexOfOwners(t *testing.T) {
	_, f := openInside(t)
	query := "WITH RECURSIVE asked (queue, now, clock) AS (VALUES ('q', 1, 1)), room (owner, most, held) AS (VALUES ('o', 1, 0)), " + f.Waiting() + " SELECT key FROM steps"
	looks := 0
	require.NoError(t, f.Ask(t.Context(), "EXPLAIN QUERY PLAN "+query, []any{1}, func(scan func(...any) error) error {
		var id, parent, unused int64
		var detail string
		err := scan(&id, &parent, &unused, &detail)
		if strings.HasPrefix(detail, "SEARCH f ") {
			require.Contains(t, detail, "due_work_by_owner")
			looks++
		}
		return err
	}))
	require.Equal(t, 3, looks)
}
