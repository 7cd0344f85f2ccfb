//go:build postgres

package postgres

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/sqlstore/internal/sqltest"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/store"
)

// wire is what a test may do to the committer's connection: cut gets its next
// words instead of the server, once.
type wire struct{ cut atomic.Pointer[cut] }

type cut = func(l line, words []byte) error

// line is a connection on a wire. One that is kept stays open, and its user can
// do nothing with it any more.
type line struct {
	net.Conn
	on   *wire
	kept *atomic.Bool
}

func (l line) Write(b []byte) (int, error) {
	if l.kept.Load() {
		return 0, errCut
	}
	if cut := l.on.cut.Swap(nil); cut != nil {
		return 0, (*cut)(l, b)
	}
	return l.Conn.Write(b)
}

func (l line) Close() error {
	if l.kept.Load() {
		return nil
	}
	return l.Conn.Close()
}

// openOnWire opens a store whose committer talks over a wire.
func openOnWire(t *testing.T) (*sqlstore.Store, *server, *wire) {
	config, err := parse(pgtest.URL(t))
	require.NoError(t, err)
	var db *server
	s, err := sqlstore.Open(t.Context(), func(ctx context.Context, migrate sqldb.Migrate) (_ sqldb.Database, err error) {
		require.NoError(t, migrateServer(ctx, config.ConnConfig, migrate))
		db, err = openServer(ctx, config)
		return db, err
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	w, on := db.writer, &wire{}
	turn, err := db.Alone(t.Context())
	require.NoError(t, err)
	defer turn.End()
	w.Release()
	dial := w.config.DialFunc
	w.config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return line{conn, on, &atomic.Bool{}}, err
	}
	require.NoError(t, w.connect(t.Context()))
	return s, db, on
}

func TestTheConnectionThatCommitsKeepsNoRowsThatItLooksUp(t *testing.T) {
	_, db, _ := openOnWire(t)
	turn, err := db.Alone(t.Context())
	require.NoError(t, err)
	defer turn.End()
	var memoize string
	require.NoError(t, db.writer.conn.QueryRow(t.Context(), "SHOW enable_memoize").Scan(&memoize))
	require.Equal(t, "off", memoize)
}

var errCut = errors.New("cut")

// counted returns how often count was committed for a counter.
func counted(t *testing.T, s *sqlstore.Store, name string) (n int) {
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		row, err := sqltest.Counter(ctx, p, name)
		n = row.Failures
		return err
	}))
	return n
}

func TestACommitThatIsCutOffHappensOnce(t *testing.T) {
	for name, cut := range map[string]cut{
		"before it reached the server": func(l line, _ []byte) error {
			return errors.Join(errCut, l.Close())
		},
		"before its answer came": func(l line, b []byte) error {
			_, err := l.Conn.Write(b)
			time.Sleep(50 * time.Millisecond)
			return errors.Join(errCut, err, l.Close())
		},
		"after the half of it": func(l line, b []byte) error {
			_, err := l.Conn.Write(b[:len(b)/2])
			return errors.Join(errCut, err, l.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _, wire := openOnWire(t)
			require.NoError(t, s.Write(t.Context(), sqltest.Count("one")))
			wire.cut.Store(&cut)
			require.NoError(t, s.Write(t.Context(), sqltest.Count("one")))
			require.Nil(t, wire.cut.Load(), "nothing was cut")
			require.EqualValues(t, 2, counted(t, s, "one"))
			require.NoError(t, s.Write(t.Context(), sqltest.Count("one")))
			require.EqualValues(t, 3, counted(t, s, "one"))
		})
	}
}

func TestStatementsThatReachTheServerAfterTheStoreHasLookedAreNotCommitted(t *testing.T) {
	s, db, wire := openOnWire(t)
	w := db.writer
	// The work has no guard and no refusal that would stop it the second time.
	due := func(ctx context.Context, p store.Ports) error {
		return p.Leases().Schedule(ctx, "queue", "key", time.Unix(1, 0))
	}
	require.NoError(t, s.Write(t.Context(), due))
	backend := int64(w.conn.PgConn().PID())
	executed := func() int64 {
		return sqltest.CountOf(t, s, "SELECT CAST(extract(epoch FROM state_change) * 1000000 AS BIGINT) FROM pg_stat_activity WHERE pid = ? AND state = 'idle'", backend)
	}
	var late func()
	var hold cut = func(l line, words []byte) error {
		l.kept.Store(true)
		words = slices.Clone(words)
		late = func() {
			_, err := l.Conn.Write(words)
			require.NoError(t, err)
		}
		return errCut
	}
	wire.cut.Store(&hold)
	require.NoError(t, s.Write(t.Context(), due))
	require.EqualValues(t, 2, sqltest.CountOf(t, s, "SELECT round FROM due_work"))

	before := executed()
	require.NotZero(t, before, "the old session has ended")
	late()
	require.Eventually(t, func() bool { return executed() > before }, 10*time.Second, 10*time.Millisecond)
	require.EqualValues(t, 2, sqltest.CountOf(t, s, "SELECT round FROM due_work"))
	require.NoError(t, s.Write(t.Context(), due))
	require.EqualValues(t, 3, sqltest.CountOf(t, s, "SELECT round FROM due_work"))
}

func TestWhatBecameOfACommitIsUnknownWhenNobodyCanBeAsked(t *testing.T) {
	s, db, wire := openOnWire(t)
	w := db.writer
	w.patience = 300 * time.Millisecond
	dial := w.config.DialFunc
	var cut cut = func(l line, _ []byte) error {
		w.config.DialFunc = func(context.Context, string, string) (net.Conn, error) { return nil, errCut }
		return errors.Join(errCut, l.Close())
	}
	wire.cut.Store(&cut)
	err := s.Write(t.Context(), sqltest.Count("one"))
	require.ErrorIs(t, err, sqldb.ErrOutcomeUnknown)
	require.ErrorIs(t, err, errCut)
	require.NotErrorIs(t, err, store.ErrUnavailable, "it may have happened")

	turn, err := db.Alone(t.Context())
	require.ErrorIs(t, err, store.ErrUnavailable, "and nothing is committed while nobody answers")
	require.Nil(t, turn)
	err = s.Write(t.Context(), sqltest.Count("two"))
	require.ErrorIs(t, err, store.ErrUnavailable, "it was not sent")
	require.NotErrorIs(t, err, sqldb.ErrOutcomeUnknown)
	w.config.DialFunc = dial
	require.NoError(t, s.Write(t.Context(), sqltest.Count("one")))
	require.EqualValues(t, 1, counted(t, s, "one"))
}

func TestABatchThatIsRefusedDoesNotDisturbItsGroupOnTheServer(t *testing.T) {
	s, db, _ := openOnWire(t)
	w := db.writer
	refused := errors.New("refused")
	second := sqltest.WaiterOf(t.Context(), "INSERT INTO postings (id, kind, ref) VALUES ('other', 'k', 'r')")
	second.Batch.Steps = append(second.Batch.Steps, sqldb.Step{SQL: "SELECT 1 WHERE FALSE", Asks: true, Refuse: sqldb.Refusal(refused)})
	third := sqltest.WaiterOf(t.Context(), sqltest.GoodStep)
	third.Batch.Guards = []*sqldb.Guard{{SQL: "SELECT 1 WHERE FALSE"}}
	fourth := sqltest.WaiterOf(t.Context(), "INSERT INTO postings (id, kind, ref) VALUES ('fourth', 'k', 'r')")
	fourth.Batch.Steps[0].Refuse = sqldb.Refusal(refused)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	group := []*sqldb.Waiter{sqltest.WaiterOf(t.Context(), sqltest.GoodStep), second, third, fourth, sqltest.WaiterOf(ended, sqltest.BadStep), sqltest.WaiterOf(t.Context(), sqltest.BadStep)}
	turn, err := db.Alone(t.Context())
	require.NoError(t, err)
	w.Release()
	w.Write(group)
	turn.End()
	require.NoError(t, group[0].Verdict)
	require.Equal(t, refused, group[1].Verdict)
	require.Equal(t, sqldb.ErrRerun, group[2].Verdict)
	require.NoError(t, group[3].Verdict)
	require.ErrorIs(t, group[4].Verdict, context.Canceled)
	require.ErrorContains(t, group[5].Verdict, "foreign key")
	require.EqualValues(t, 2, sqltest.CountOf(t, s, "SELECT count(*) FROM postings"))
	require.EqualValues(t, 2, sqltest.CountOf(t, s, "SELECT rows FROM counters WHERE list = 'list'"))
}

func TestAGuardThatCannotBeAskedOnTheServerIsAnErrorOfItsOwnUnit(t *testing.T) {
	s, db, _ := openOnWire(t)
	w := db.writer
	asked, explained := sqltest.WaiterOf(t.Context(), sqltest.BadStep), sqltest.WaiterOf(t.Context(), sqltest.BadStep)
	asked.Batch.Guards = []*sqldb.Guard{{SQL: "SELECT 1 FROM nowhere"}}
	explained.Batch.Guards = []*sqldb.Guard{{SQL: "SELECT 1 FROM nowhere", Covered: true}}
	explained.Batch.Steps = []sqldb.Step{{SQL: "SELECT 1 WHERE FALSE", Asks: true, Refuse: sqldb.Refusal(sqldb.ErrRerun)}}
	group := []*sqldb.Waiter{asked, explained, sqltest.WaiterOf(t.Context(), sqltest.GoodStep)}
	turn, err := db.Alone(t.Context())
	require.NoError(t, err)
	w.Release()
	w.Write(group)
	turn.End()
	require.ErrorContains(t, group[0].Verdict, "nowhere")
	require.ErrorContains(t, group[1].Verdict, "nowhere")
	require.NoError(t, group[2].Verdict)
	require.EqualValues(t, 1, sqltest.CountOf(t, s, "SELECT count(*) FROM postings"))
}
