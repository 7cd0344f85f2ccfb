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

// The index of claimed keys has all of a queue, and those of claims that ended as long as nobody has cleaned it.
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
