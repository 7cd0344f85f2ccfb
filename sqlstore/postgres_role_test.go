//go:build postgres && unix

package sqlstore_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

func TestWhoWaitsForATurnIsNotSentAwayByTheRolesLockTimeout(t *testing.T) {
	t.Parallel()
	given := pgtest.URL(t)
	impatient, err := url.Parse(given)
	require.NoError(t, err)
	query := impatient.Query()
	query.Set("lock_timeout", "50ms")
	impatient.RawQuery = query.Encode()
	s := openServer(t, impatient.String())
	require.NoError(t, s.Write(t.Context(), openBooks))

	other, err := pgx.Connect(t.Context(), given)
	require.NoError(t, err)
	defer func() { _ = other.Close(context.Background()) }()
	turn, err := other.Begin(t.Context())
	require.NoError(t, err)
	_, err = turn.Exec(t.Context(), takeUnitLock)
	require.NoError(t, err)
	ended := make(chan struct{})
	time.AfterFunc(300*time.Millisecond, func() {
		defer close(ended)
		_ = turn.Rollback(context.Background())
	})
	defer func() { <-ended }()
	require.NoError(t, s.Write(t.Context(), deposit("first")))
}

// A newer server may add a column while this one runs: nothing is read by "*".
func TestAColumnThatANewerServerAddsDisturbsNobody(t *testing.T) {
	t.Parallel()
	given := pgtest.URL(t)
	s := openServer(t, given)
	require.NoError(t, s.Write(t.Context(), openBooks))
	require.NoError(t, s.Write(t.Context(), deposit("before")))
	require.EqualValues(t, 1, posted(t, s))
	newer, err := pgx.Connect(t.Context(), given)
	require.NoError(t, err)
	defer func() { _ = newer.Close(context.Background()) }()
	for _, table := range []string{"accounts", "postings", "entries", "counters", "committers"} {
		_, err = newer.Exec(t.Context(), "ALTER TABLE "+table+" ADD COLUMN newer BIGINT NOT NULL DEFAULT 7")
		require.NoError(t, err)
	}
	require.NoError(t, s.Write(t.Context(), deposit("after")))
	require.EqualValues(t, 2, posted(t, s))
}
