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

// session is a connection to the database of a new store, whose plans are generic.
type session struct {
	t *testing.T
	*sql.Conn
}

func newSession(t *testing.T) session {
	t.Helper()
	url := pgtest.URL(t)
	openServer(t, url)
	db, err := sql.Open("pgx", url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	s := session{t, conn}
	s.exec("SET plan_cache_mode = force_generic_plan")
	return s
}

func (s session) exec(statement string) {
	s.t.Helper()
	_, err := s.ExecContext(s.t.Context(), statement)
	require.NoError(s.t, err)
}

func (s session) plan(statement string) (plan string) {
	s.t.Helper()
	require.NoError(s.t, s.QueryRowContext(s.t.Context(), "EXPLAIN (FORMAT JSON) "+statement).Scan(&plan))
	return plan
}

const manyKeys = "INSERT INTO due_work (queue, key, due, round) SELECT 'streams', 'key ' || n, n, 1 FROM generate_series(1, 10000) AS n"

// All other indexes lead through a whole queue.
func TestAClaimIsFoundByTheKeyThatItHolds(t *testing.T) {
	s := newSession(t)
	s.exec(manyKeys)
	s.exec("PREPARE held (text, text, bigint) AS SELECT 1 FROM due_work WHERE " +
		strings.NewReplacer("queue = ?", "queue = $1", "key = ?", "key = $2", "fence = ?", "fence = $3").Replace(sqlstore.HeldBy))
	for _, statistics := range []string{"SELECT 'none yet'", "ANALYZE due_work"} { // before a crowd of claims
		s.exec(statistics)
		require.Contains(t, s.plan("EXECUTE held ('streams', 'key 7', 7)"), `"due_work_pkey"`, statistics)
	}
}

// The keys that are due first are the first of an index, and no index has to be written for a claim.
func TestDueKeysAreFoundInTheirOrderAndAClaimChangesNoIndex(t *testing.T) {
	s := newSession(t)
	s.exec("PREPARE next (text) AS " + strings.Replace(sqlstore.NextOf(1, "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)"), "?", "$1", 1))
	s.exec("PREPARE expedite (bigint, text, bigint, text, text) AS " +
		strings.NewReplacer("due = ?", "due = $1", "queue = ?", "queue = $2", "due > ?", "due > $3", "length(?)", "length($4)", "= ?", "= $5").Replace(sqlstore.Expedite))
	for _, known := range []string{"SELECT 'no statistics'", manyKeys, "ANALYZE due_work"} {
		s.exec(known)
		require.Contains(t, s.plan("EXECUTE next ('streams')"), `"due_work_by_due"`, known)
	}
	s.exec("SET enable_seqscan = off; SET enable_bitmapscan = off") // as on the connection that commits
	require.Contains(t, s.plan("EXECUTE expedite (9990, 'streams', 9990, 'key', 'key')"), `"due_work_by_due"`)
	rows, err := s.QueryContext(t.Context(), "SELECT indexdef FROM pg_indexes WHERE tablename = 'due_work'")
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

func TestALookInPostgreSQLHasRoomForManyOwnersInHand(t *testing.T) { testLooks(t, freshServer(t)) }
