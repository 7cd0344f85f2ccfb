//go:build postgres

package sqlstore

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
	return func() { w.config.DialFunc = dial }
}

func TestACommitOfUnknownOutcomeIsNotTakenForTheNextOne(t *testing.T) {
	s, w, wire := openOnWire(t)
	for range 2 { // so that the statements are prepared
		require.NoError(t, s.Write(t.Context(), count("one")))
	}
	again := unreachable(t, w, wire)
	require.ErrorIs(t, s.Write(t.Context(), count("one")), ErrOutcomeUnknown)
	again()
	require.EqualValues(t, 3, counted(t, s, "one"), "it had happened")
	for n := range int64(3) {
		require.NoError(t, s.Write(t.Context(), count("two")))
		require.EqualValues(t, n+1, counted(t, s, "two"), "what is acknowledged is there")
	}
}

func TestAfterACommitOfUnknownOutcomeAUnitRunsAlone(t *testing.T) {
	s, w, wire := openOnWire(t)
	for range 2 { // so that the statements are prepared
		require.NoError(t, s.Write(t.Context(), count("one")))
	}
	again := unreachable(t, w, wire)
	require.ErrorIs(t, s.Write(t.Context(), count("one")), ErrOutcomeUnknown)
	again()
	turn, err := s.db.alone(t.Context())
	require.NoError(t, err)
	err = turn.commit(t.Context(), waiterOf(t.Context(), goodStep).batch)
	turn.end()
	require.NoError(t, err)
	require.EqualValues(t, 1, countOf(t, s, "SELECT count(*) FROM postings"))
	require.NoError(t, s.Write(t.Context(), count("two")))
}
