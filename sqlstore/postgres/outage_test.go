//go:build postgres

package postgres

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/sqlstore/internal/sqltest"
)

// unreachable makes the next commit reach the server and its answer, and every
// further connection, fail until the returned function is called.
func unreachable(t *testing.T, w *serverWriter, on *wire) (again func()) {
	t.Helper()
	w.patience = 300 * time.Millisecond
	dial := w.config.DialFunc
	var cut cut = func(l line, words []byte) error {
		w.config.DialFunc = func(context.Context, string, string) (net.Conn, error) { return nil, errCut }
		_, err := l.Conn.Write(words)
		time.Sleep(100 * time.Millisecond) // it commits
		return errors.Join(errCut, err, l.Close())
	}
	on.cut.Store(&cut)
	return func() { w.config.DialFunc, w.patience = dial, commitPatience }
}

func TestACommitOfUnknownOutcomeIsNotTakenForTheNextOne(t *testing.T) {
	s, db, wire := openOnWire(t)
	w := db.writer
	for range 2 { // so that the statements are prepared
		require.NoError(t, s.Write(t.Context(), sqltest.Count("one")))
	}
	again := unreachable(t, w, wire)
	require.ErrorIs(t, s.Write(t.Context(), sqltest.Count("one")), sqldb.ErrOutcomeUnknown)
	again()
	require.EqualValues(t, 3, counted(t, s, "one"), "it had happened")
	for n := range int64(3) {
		require.NoError(t, s.Write(t.Context(), sqltest.Count("two")))
		require.EqualValues(t, n+1, counted(t, s, "two"), "what is acknowledged is there")
	}
}

func TestAfterACommitOfUnknownOutcomeAUnitRunsAlone(t *testing.T) {
	s, db, wire := openOnWire(t)
	w := db.writer
	for range 2 { // so that the statements are prepared
		require.NoError(t, s.Write(t.Context(), sqltest.Count("one")))
	}
	again := unreachable(t, w, wire)
	require.ErrorIs(t, s.Write(t.Context(), sqltest.Count("one")), sqldb.ErrOutcomeUnknown)
	again()
	turn, err := db.Alone(t.Context())
	require.NoError(t, err)
	err = turn.Commit(t.Context(), sqltest.WaiterOf(t.Context(), sqltest.GoodStep).Batch)
	turn.End()
	require.NoError(t, err)
	require.EqualValues(t, 1, sqltest.CountOf(t, s, "SELECT count(*) FROM postings"))
	require.NoError(t, s.Write(t.Context(), sqltest.Count("two")))
}
