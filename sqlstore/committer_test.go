package sqlstore

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// openInside opens a store to look into.
func openInside(t *testing.T) (*Store, *file) {
	s, err := OpenFile(t.Context(), &sqlite.Driver{}, filepath.Join(t.TempDir(), "ferry.db"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s, s.db.(*file)
}

// waiterOf returns a batch of statements that touch a row each.
func waiterOf(ctx context.Context, texts ...string) *waiter {
	b := &batch{counts: map[string]int64{"list": 1}}
	for _, text := range texts {
		b.steps = append(b.steps, step{sql: text})
	}
	return &waiter{ctx: ctx, batch: b, done: make(chan struct{})}
}

// withTurn runs do while the committer does nothing else.
func withTurn(t *testing.T, f *file, do func()) {
	turn, err := f.alone(t.Context())
	require.NoError(t, err)
	defer turn.end()
	do()
}

func countOf(t *testing.T, s *Store, sql string) (n int64) {
	u := newUnit(s)
	defer u.end()
	_, err := u.row(t.Context(), sql, nil, &n)
	require.NoError(t, err)
	return n
}

const (
	goodStep = "INSERT INTO postings (id, kind, ref) VALUES ('good', 'k', 'r')"
	// badSteps break a foreign key in a way that only the commit finds.
	deferKeys = "PRAGMA defer_foreign_keys = ON"
	badStep   = "INSERT INTO entries (posting, leg, account, amount) VALUES (999, 0, 999, 1)"
)

func TestWhenACommitFailsEachBatchOfTheGroupIsTriedAlone(t *testing.T) {
	s, f := openInside(t)
	group := []*waiter{waiterOf(t.Context(), goodStep), waiterOf(t.Context(), deferKeys, badStep)}
	withTurn(t, f, func() { f.writer.write(group) })
	require.NoError(t, group[0].verdict)
	require.Error(t, group[1].verdict)
	require.NotErrorIs(t, group[1].verdict, ErrOutcomeUnknown)
	require.EqualValues(t, 1, countOf(t, s, "SELECT count(*) FROM postings"))
	require.EqualValues(t, 0, countOf(t, s, "SELECT count(*) FROM entries"))
	require.EqualValues(t, 1, countOf(t, s, "SELECT rows FROM counters WHERE list = 'list'"))
}

func TestABatchThatIsRefusedDoesNotDisturbItsGroup(t *testing.T) {
	s, f := openInside(t)
	refused := errors.New("refused")
	second := waiterOf(t.Context(), "INSERT INTO postings (id, kind, ref) VALUES ('other', 'k', 'r')")
	second.batch.steps = append(second.batch.steps, step{sql: "SELECT 1 WHERE FALSE", asks: true, refuse: refusal(refused)})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	group := []*waiter{waiterOf(t.Context(), goodStep), second, waiterOf(ended, badStep), waiterOf(t.Context(), badStep)}
	withTurn(t, f, func() { f.writer.write(group) })
	require.NoError(t, group[0].verdict)
	require.Equal(t, refused, group[1].verdict)
	require.ErrorIs(t, group[2].verdict, context.Canceled)
	require.ErrorContains(t, group[3].verdict, "FOREIGN KEY")
	require.EqualValues(t, 1, countOf(t, s, "SELECT count(*) FROM postings"))
	require.EqualValues(t, 1, countOf(t, s, "SELECT rows FROM counters WHERE list = 'list'"))
}

func TestAfterACommitWithAnUnknownOutcomeNothingIsWritten(t *testing.T) {
	s, f := openInside(t)
	withTurn(t, f, func() {
		// Without a transaction the rollback fails: nobody knows what became of it.
		require.ErrorIs(t, f.writer.undecided(errors.New("disk")), ErrOutcomeUnknown)
	})
	err := s.Write(t.Context(), count("any"))
	require.ErrorIs(t, err, ErrBroken)
	require.NotErrorIs(t, err, ErrOutcomeUnknown)
}

// counter returns a row with a number and a version: the endpoint of a business
// of that name, or a new one, and its failures.
func counter(ctx context.Context, p store.Ports, name string) (webhook.Endpoint, error) {
	scope := ferry.Scope{Business: ferry.BusinessID(name), Env: ferry.Test}
	row, err := webhook.EndpointOf(ctx, p, scope)
	if errors.Is(err, webhook.ErrEndpointNotFound) {
		return webhook.Endpoint{Scope: scope}, nil
	}
	return row, err
}

// count reads a counter and writes it with one more.
func count(name string) func(context.Context, store.Ports) error {
	return func(ctx context.Context, p store.Ports) error {
		row, err := counter(ctx, p, name)
		if err != nil {
			return err
		}
		row.Failures++
		return webhook.EndpointKind.Put(ctx, p, row)
	}
}

func TestABodyThatLosesThreeTimesRunsAlone(t *testing.T) {
	s, _ := openInside(t)
	require.NoError(t, s.Write(t.Context(), count("hot")))
	runs, other := 0, make(chan error, 1)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		if err := count("hot")(ctx, p); err != nil {
			return err
		}
		if runs++; runs <= maxOptimisticRuns {
			return s.Write(t.Context(), count("hot")) // a context of its own: another caller
		}
		go func() { other <- s.Write(t.Context(), count("hot")) }()
		return nil
	}))
	require.NoError(t, <-other)
	require.Equal(t, maxOptimisticRuns+1, runs)
}

func TestAUnitThatReadsWhatOthersChangeRunsAgainAndDoesNotKeepItsRefusal(t *testing.T) {
	s, _ := openInside(t)
	runs := 0
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		runs++
		row, err := counter(ctx, p, "new")
		if err != nil || row.Version > 0 {
			return err // another unit has made it
		}
		if err := s.Write(t.Context(), count("new")); err != nil {
			return err
		}
		return webhook.EndpointKind.Put(ctx, p, row)
	}))
	require.Equal(t, 2, runs)
}

func TestAFullDiskHasTakenNoCommit(t *testing.T) {
	s, f := openInside(t)
	withTurn(t, f, func() {
		_, err := f.writer.exec("PRAGMA max_page_count = 1", nil)
		require.NoError(t, err)
		err = f.writer.transaction(func() error {
			_, err := f.writer.exec("INSERT INTO world (key, value) VALUES ('big', zeroblob(1000000))", nil)
			return err
		})
		require.Equal(t, sqlite3.SQLITE_FULL, code(err))
		// SQLite rolls back by itself when a commit finds the disk full.
		require.Equal(t, err, f.writer.undecided(err))
		_, err = f.writer.exec("PRAGMA max_page_count = 100000", nil)
		require.NoError(t, err)
	})
	require.NoError(t, s.Write(t.Context(), count("any")))
}

func TestAGuardThatCannotBeAskedIsAnErrorAndNoReasonToRunAgain(t *testing.T) {
	_, f := openInside(t)
	w := waiterOf(t.Context(), goodStep)
	w.batch.guards = []*guard{{sql: "SELECT 1 FROM nowhere"}}
	withTurn(t, f, func() { f.writer.write([]*waiter{w}) })
	require.ErrorContains(t, w.verdict, "nowhere")
	require.NotErrorIs(t, w.verdict, errRerun)
}

func TestAGuardThatCannotBeAskedWhyAStepWasRefusedIsAnError(t *testing.T) {
	_, f := openInside(t)
	w := waiterOf(t.Context(), goodStep)
	w.batch.guards = []*guard{{sql: "SELECT 1 FROM nowhere", covered: true}}
	w.batch.steps = append(w.batch.steps, step{sql: "SELECT 1 WHERE FALSE", asks: true, refuse: refusal(errRerun)})
	withTurn(t, f, func() { f.writer.write([]*waiter{w}) })
	require.ErrorContains(t, w.verdict, "nowhere")
}

func TestACloseDoesNotWaitLongerThanItIsTold(t *testing.T) {
	s, f := openInside(t)
	withTurn(t, f, func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, s.Close(ctx), context.DeadlineExceeded)
	})
}
