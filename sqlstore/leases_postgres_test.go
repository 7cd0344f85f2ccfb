//go:build postgres

package sqlstore_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

// All other indexes lead through a whole queue.
func TestAClaimIsFoundByTheKeyThatItHolds(t *testing.T) {
	url := pgtest.URL(t)
	openServer(t, url)
	db, err := sql.Open("pgx", url)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	for _, set := range []string{
		"SET plan_cache_mode = force_generic_plan",
		"INSERT INTO due_work (queue, key, due, round) SELECT 'streams', 'key ' || n, n, 1 FROM generate_series(1, 10000) AS n",
		"PREPARE held (text, text, bigint) AS SELECT 1 FROM due_work WHERE " +
			strings.NewReplacer("queue = ?", "queue = $1", "key = ?", "key = $2", "fence = ?", "fence = $3").Replace(sqlstore.HeldBy),
	} {
		_, err := conn.ExecContext(t.Context(), set)
		require.NoError(t, err)
	}
	for _, statistics := range []string{"SELECT 'none yet'", "ANALYZE due_work"} { // before a crowd of claims
		_, err := conn.ExecContext(t.Context(), statistics)
		require.NoError(t, err)
		var plan string
		require.NoError(t, conn.QueryRowContext(t.Context(), "EXPLAIN (FORMAT JSON) EXECUTE held ('streams', 'key 7', 7)").Scan(&plan))
		require.Contains(t, plan, `"due_work_pkey"`, statistics)
	}
}

// The keys that are due first are the first of an index, and no index has to be written for a claim.
func TestDueKeysAreFoundInTheirOrderAndAClaimChangesNoIndex(t *testing.T) {
	url := pgtest.URL(t)
	openServer(t, url)
	db, err := sql.Open("pgx", url)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	exec := func(statement string) {
		t.Helper()
		_, err := conn.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	now := "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)"
	exec("SET plan_cache_mode = force_generic_plan")
	exec("PREPARE next (text) AS " + strings.Replace(sqlstore.NextOf(1, now), "?", "$1", 1))
	for _, known := range []string{
		"SELECT 'no statistics'",
		"INSERT INTO due_work (queue, key, due, round) SELECT 'streams', 'key ' || n, n, 1 FROM generate_series(1, 10000) AS n",
		"ANALYZE due_work",
	} {
		exec(known)
		var plan string
		require.NoError(t, conn.QueryRowContext(t.Context(), "EXPLAIN (FORMAT JSON) EXECUTE next ('streams')").Scan(&plan))
		require.Contains(t, plan, `"due_work_by_due"`, known)
	}
	rows, err := conn.QueryContext(t.Context(), "SELECT indexdef FROM pg_indexes WHERE tablename = 'due_work'")
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	indexes := 0
	for rows.Next() {
		var definition string
		require.NoError(t, rows.Scan(&definition))
		require.NotRegexp(t, "fence|leased_until|again|round", definition)
		indexes++
	}
	require.NoError(t, rows.Err())
	require.Equal(t, 3, indexes)
}
