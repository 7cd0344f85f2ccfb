//go:build postgres

package postgres

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// openThings returns a database with rows a, b and c of a table whose columns are of all types.
func openThings(t *testing.T) (*server, *pgx.Conn) {
	t.Helper()
	_, db, _ := openOnWire(t)
	conn, err := pgx.ConnectConfig(t.Context(), db.writer.config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	_, err = conn.Exec(t.Context(), noMemoize)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `CREATE TABLE own_things (id TEXT COLLATE "C" PRIMARY KEY, n BIGINT, note TEXT COLLATE "C", done BOOLEAN, raw BYTEA)`)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "INSERT INTO own_things (id, n) VALUES ('a', 0), ('b', 0), ('c', 0)")
	require.NoError(t, err)
	return db, conn
}

func things(t *testing.T, conn *pgx.Conn) string {
	t.Helper()
	rows, err := conn.Query(t.Context(), "SELECT concat_ws(' ', id, n, note, done, raw) FROM own_things ORDER BY id")
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(all, ", ")
}

// from changes n of a thing from one number to another.
func from(id string, before, after int64, refused error) sqldb.Step {
	return sqldb.Step{SQL: "UPDATE own_things SET n = ? WHERE id = ? AND n = ?", Args: []any{after, id, before}, Of: id, Refuse: sqldb.Refusal(refused)}
}

func TestASetWritesWhatItsStepsWrite(t *testing.T) {
	db, conn := openThings(t)
	write := func(id string, note, done, raw any) sqldb.Step {
		return sqldb.Step{SQL: "UPDATE own_things SET note = ?, done = ?, raw = ? WHERE id = ?", Args: []any{note, done, raw, id}, Of: id, Refuse: sqldb.Refusal(nil)}
	}
	require.NoError(t, db.Commit(t.Context(), &sqldb.Batch{Steps: []sqldb.Step{
		write("a", "ä {\"1\", NULL}", true, nil), write("b", nil, nil, []byte{0, 255}), write("c", "", false, []byte{}),
	}}))
	require.Equal(t, `a 0 ä {"1", NULL} t, b 0 \x00ff, c 0  f \x`, things(t, conn))
	require.NoError(t, db.Commit(t.Context(), &sqldb.Batch{Steps: []sqldb.Step{write("a", nil, nil, nil), write("b", nil, nil, nil)}}))
	require.Equal(t, `a 0, b 0, c 0  f \x`, things(t, conn), "columns without any value")
}

func TestManyInsertsWriteWhatEachWouldWrite(t *testing.T) {
	db, conn := openThings(t)
	_, err := conn.Exec(t.Context(), "DELETE FROM own_things")
	require.NoError(t, err)
	taken := errors.New("taken")
	insert := func(id string, n int64, note, done, raw any) sqldb.Step {
		return sqldb.Step{
			SQL: "INSERT INTO own_things (id, n, note, done, raw) VALUES (?, ?, ?, ?, ?)" + sqldb.UnlessTaken, Keyed: true, Row: "(?, ?, ?, ?, ?)",
			Args: []any{id, n, note, done, raw}, Refuse: sqldb.Refusal(fmt.Errorf("%s: %w", id, taken)),
		}
	}
	var steps []sqldb.Step
	var want []string
	for i := range fewInserts {
		steps, want = append(steps, insert(fmt.Sprintf("a%02d", i), int64(i), nil, nil, nil)), append(want, fmt.Sprintf("a%02d %d", i, i))
	}
	more := []sqldb.Step{insert("b", -1, "ä {\"1\", NULL}", true, nil), insert("c", 1<<62, "", false, []byte{0, 255})}
	want = append(want, `b -1 ä {"1", NULL} t`, `c 4611686018427387904  f \x00ff`)
	require.NoError(t, db.Commit(t.Context(), &sqldb.Batch{Steps: append(steps, more...)}))
	require.Equal(t, strings.Join(want, ", "), things(t, conn))

	for i := range steps {
		steps[i] = insert(fmt.Sprintf("d%02d", i), 0, nil, nil, nil)
	}
	err = db.Commit(t.Context(), &sqldb.Batch{Steps: append(steps, insert("b", 0, nil, nil, nil), insert("e", 0, nil, nil, nil))})
	require.EqualError(t, err, "b: taken")
	require.Equal(t, strings.Join(want, ", "), things(t, conn), "nothing of the unit is written")
}

func TestStepsOfOneRowAreTakenInTheirOrder(t *testing.T) {
	db, conn := openThings(t)
	remove := sqldb.Step{SQL: "DELETE FROM own_things WHERE id = ? AND n = ?", Args: []any{"b", int64(1)}, Of: "b", Refuse: sqldb.Refusal(nil)}
	require.NoError(t, db.Commit(t.Context(), &sqldb.Batch{Steps: []sqldb.Step{
		from("a", 0, 1, nil), from("b", 0, 1, nil), from("a", 1, 2, nil), remove, from("a", 2, 3, nil), from("c", 0, 7, nil),
	}}))
	require.Equal(t, "a 3, c 7", things(t, conn))
}

func TestTheStepOfASetThatTouchesNoRowNamesTheReason(t *testing.T) {
	db, conn := openThings(t)
	mine, others := errors.New("mine"), errors.New("others")
	batch := &sqldb.Batch{Steps: []sqldb.Step{from("a", 0, 1, others), from("b", 7, 1, mine), from("c", 0, 1, others)}}
	require.ErrorIs(t, db.Commit(t.Context(), batch), mine)
	require.Equal(t, "a 0, b 0, c 0", things(t, conn), "nothing of the unit is written")

	guard := func(id string, n int64) *sqldb.Guard {
		return &sqldb.Guard{SQL: "SELECT 1 FROM own_things WHERE id = ? AND n = ?", Args: []any{id, n}}
	}
	batch = &sqldb.Batch{
		Guards: []*sqldb.Guard{guard("a", 0), guard("b", 0), guard("c", 0), guard("a", 0), guard("b", 0)},
		Steps:  []sqldb.Step{from("a", 0, 1, nil), from("c", 0, 1, nil)},
	}
	require.NoError(t, db.Commit(t.Context(), batch))
	batch.Steps = []sqldb.Step{from("a", 1, 2, nil)}
	require.ErrorIs(t, db.Commit(t.Context(), batch), sqldb.ErrRerun, "what was read has changed")
	require.Equal(t, "a 1, b 0, c 1", things(t, conn))

	own := func(most int64) *sqldb.Guard { // as a program asks it of its own tables
		return &sqldb.Guard{SQL: "SELECT 1 FROM (SELECT max(n) FROM own_things HAVING max(n) <= ?) AS own", Args: []any{most}}
	}
	batch = &sqldb.Batch{Guards: []*sqldb.Guard{own(1), own(2), own(3), own(4)}, Steps: []sqldb.Step{from("a", 1, 2, nil)}}
	require.NoError(t, db.Commit(t.Context(), batch))
	batch.Steps = []sqldb.Step{from("a", 2, 3, nil)}
	require.ErrorIs(t, db.Commit(t.Context(), batch), sqldb.ErrRerun)
	require.Equal(t, "a 2, b 0, c 1", things(t, conn))
}

func TestWhatASetCannotDoInOneWayItDoesInTheOther(t *testing.T) {
	db, conn := openThings(t)
	mine := errors.New("mine")
	end := func(id string, n int64) sqldb.Step { // it removes a thing, or takes the number of one that has another
		return sqldb.Step{
			SQL: "DELETE FROM own_things WHERE id = ? AND n = ?", Or: "UPDATE own_things SET n = NULL WHERE id = ? AND n <> ?",
			Args: []any{id, n}, Of: id, Refuse: sqldb.Refusal(mine),
		}
	}
	commit := func(steps ...sqldb.Step) error { return db.Commit(t.Context(), &sqldb.Batch{Steps: steps}) }
	require.ErrorIs(t, commit(end("a", 0), end("b", 1), end("nobody", 0)), mine)
	require.ErrorIs(t, commit(end("nobody", 0)), mine)
	require.Equal(t, "a 0, b 0, c 0", things(t, conn), "nothing of the unit is written")

	require.NoError(t, commit(end("a", 0), end("b", 1)))
	require.Equal(t, "b, c 0", things(t, conn))
	require.ErrorIs(t, commit(end("b", 0), end("c", 0)), mine)
	require.NoError(t, commit(end("c", 1)), "one is no set")
	require.Equal(t, "b, c", things(t, conn))
	require.ErrorIs(t, commit(end("c", 1)), mine)
}

// A plan that was made while a table was small, or had no statistics, must not read all of it when it has
// grown.
func TestASetGoesByKeysWhateverIsKnownOfTheTable(t *testing.T) {
	_, conn := openThings(t)
	set := func(sql, or, types string, refuse bool) string {
		s := sqldb.Step{SQL: sql, Or: or, Asks: strings.HasPrefix(sql, "SELECT")}
		if refuse {
			s.Refuse = sqldb.Refusal(nil)
		}
		return setOf(s, types)
	}
	const held = "queue = ? AND key = ? AND fence = ? AND fence <> 0"
	for name, sql := range map[string]string{
		"update":   set("UPDATE due_work SET fence = ?, due = CASE WHEN round = ? THEN 1 ELSE due END WHERE queue = ? AND key = ? AND fence = ?", "", "iitti", true),
		"deletion": set("DELETE FROM due_work WHERE "+held+" AND round = ?", "", "ttii", false),
		"question": set("SELECT 1 FROM due_work WHERE "+held, "", "tti", true),
		"end":      set("DELETE FROM due_work WHERE "+held+" AND round = ?", "UPDATE due_work SET fence = 0 WHERE "+held+" AND round <> ?", "ttii", true),
	} {
		_, err := conn.Prepare(t.Context(), name, sql)
		require.NoError(t, err, name)
	}
	arrays := map[string]string{
		"update":   "ARRAY[7, 8], ARRAY[1, 1], ARRAY['q', 'q'], ARRAY['1', '2'], ARRAY[0, 0]",
		"deletion": "ARRAY['q', 'q'], ARRAY['1', '2'], ARRAY[7, 7], ARRAY[1, 1]",
		"question": "ARRAY['q', 'q'], ARRAY['1', '2'], ARRAY[7, 7]",
		"end":      "ARRAY['q', 'q'], ARRAY['1', '2'], ARRAY[7, 7], ARRAY[1, 1]",
	}
	statements := map[string]int{"update": 1, "deletion": 1, "question": 1, "end": 2}
	byKey := regexp.MustCompile(`Index Cond: \(\(queue = \S*given\S*\.v\S* AND \(key = \S*given\S*\.v`)
	for _, known := range []string{
		"SELECT 'no statistics'",
		"ANALYZE due_work", // of an empty table
		"INSERT INTO due_work (queue, key, due, round) SELECT 'q', n, n, 1 FROM generate_series(1, 10000) AS n",
		"ANALYZE due_work",
	} {
		_, err := conn.Exec(t.Context(), known)
		require.NoError(t, err)
		for name, args := range arrays {
			plan := planOf(t, conn, fmt.Sprintf("%q (%s)", name, args))
			require.Equal(t, statements[name], strings.Count(plan, "Index Scan using due_work_pkey on due_work"), "%s after %s: %s", name, known, plan)
			require.Equal(t, statements[name], len(byKey.FindAllString(plan, -1)), "%s after %s: %s", name, known, plan)
			for _, other := range []string{"Seq Scan", "Bitmap", "Hash", "Merge", "Memoize"} {
				require.NotContains(t, plan, other, "%s after %s", name, known)
			}
		}
	}
}
