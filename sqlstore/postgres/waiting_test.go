//go:build postgres

package postgres

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// long is the end of the keys of a crowd. They fill an index as those of records do.
var long = strings.Repeat("-", 50)

// crowd adds keys of one owner.
func crowd(first, last int) string {
	return fmt.Sprintf("INSERT INTO due_work (queue, key, due, round) SELECT 'q', 'test/crowd/' || n || '"+long+"', n, 1 FROM generate_series(%d, %d) AS n", first, last)
}

// A plan that was made for a table without statistics, or for keys of one owner, must not read the keys of all
// owners to find those of another.
func TestWhatWaitsIsReadByOwnersWhateverIsKnownOfTheTable(t *testing.T) {
	_, db, _ := openOnWire(t)
	conn, err := pgx.ConnectConfig(t.Context(), db.looks.pool.Config().ConnConfig)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	exec := func(sql string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	query := number(`WITH RECURSIVE asked (queue, now, clock) AS (VALUES (?, CAST(? AS BIGINT), CAST(0 AS BIGINT))), room (owner, most, held) AS (VALUES (?, CAST(? AS BIGINT), 0)), ` +
		db.Waiting() + ` SELECT key, place FROM steps ORDER BY key`)
	_, err = conn.Prepare(t.Context(), "look", query)
	require.NoError(t, err)
	look := func() (keys []string) {
		t.Helper()
		rows, err := conn.Query(t.Context(), "look", "q", 5_000, "test/few/", 3, 2)
		require.NoError(t, err)
		keys, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (key string, err error) {
			var place int64
			return key, row.Scan(&key, &place)
		})
		require.NoError(t, err)
		return keys
	}
	for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
		exec("SET plan_cache_mode = " + mode)
		exec("TRUNCATE due_work")
		exec("DISCARD PLANS")
		for _, known := range []string{
			"SELECT 'no statistics'", crowd(1, 300),
			crowd(301, 15_500), // the index by owners has a level more than the other one, and so costs more
			crowd(15_501, 20_000),
			"ANALYZE due_work",                                                                           // of one owner
			"UPDATE due_work SET queue = 'other'", "ANALYZE due_work", "UPDATE due_work SET queue = 'q'", // the queue was empty
			"DELETE FROM due_work", "VACUUM ANALYZE due_work", crowd(1, 300), crowd(301, 15_500), crowd(15_501, 20_000), // all queues were
			"INSERT INTO due_work (queue, key, due, round) SELECT 'q', 'test/few/' || n, 4000 + n, 1 FROM generate_series(1, 9) AS n",
		} {
			exec(known)
			exec("DISCARD PLANS") // a server that connects now
			look()
			plan := planOf(t, conn, "look ('q', 5000, 'test/few/', 3, 2)")
			require.Contains(t, plan, "due_work_by_owner", "%s, %s", mode, known)
			for _, other := range []string{"due_work_by_due", "due_work_pkey", "Seq Scan on due_work"} {
				require.NotContains(t, plan, other, "%s, %s: %s", mode, known, plan)
			}
		}
		require.Equal(t, []string{"test/crowd/1" + long, "test/crowd/2" + long, "test/few/1", "test/few/2", "test/few/3"}, look())
	}
}
