//go:build postgres

package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

func TestNothingIsLeftRunningWhenAServerStoreIsClosed(t *testing.T) {
	url := pgtest.URL(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for range 2 {
		s, err := postgres.Open(t.Context(), url)
		require.NoError(t, err)
		useInEveryWay(t, s)
		require.NoError(t, s.Close(t.Context()))
	}
}

// refuseToBegin keeps stores of a database from being opened, when all but the
// last is done for it.
func refuseToBegin(t *testing.T, url string) *pgx.Conn {
	s, err := postgres.Open(t.Context(), url)
	require.NoError(t, err)
	require.NoError(t, s.Close(t.Context()))
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	_, err = conn.Exec(t.Context(), "CREATE TRIGGER refused BEFORE DELETE ON committers EXECUTE FUNCTION refuse_change('not today')")
	require.NoError(t, err)
	return conn
}

func TestAnOpeningThatFailsLeavesNoConnection(t *testing.T) {
	url := pgtest.URL(t)
	conn := refuseToBegin(t, url)
	_, err := postgres.Open(t.Context(), url)
	require.ErrorContains(t, err, "not today")
	require.Eventually(t, func() bool {
		var n int
		require.NoError(t, conn.QueryRow(t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ferry'").Scan(&n))
		return n == 0
	}, 5*time.Second, 10*time.Millisecond)
}
