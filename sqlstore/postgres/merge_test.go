package postgres

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// sent are the statements of a batch, and how many parameters each has.
func sent(batch *sqldb.Batch) (statements []string, parameters []int) {
	b := &pgx.Batch{}
	queueMerged(b, batch)
	for _, q := range b.QueuedQueries {
		statements, parameters = append(statements, q.SQL), append(parameters, len(q.Arguments))
	}
	return statements, parameters
}

func TestGuardsAreSentInFewStatementsInOneOrder(t *testing.T) {
	a := &sqldb.Guard{SQL: "SELECT 1 FROM a WHERE id = ?", Args: []any{"a"}}
	b := &sqldb.Guard{SQL: "SELECT 1 FROM b WHERE id = ? AND version = ?", Args: []any{"b", int64(7)}}
	covered := &sqldb.Guard{SQL: "SELECT 1 FROM c", Covered: true}
	statements, parameters := sent(&sqldb.Batch{Guards: []*sqldb.Guard{b, covered, a}})
	require.Equal(t, []string{"SELECT CASE WHEN EXISTS (SELECT 1 FROM a WHERE id = $1)" +
		" AND EXISTS (SELECT 1 FROM b WHERE id = $2 AND version = $3) THEN 1 ELSE unmet() END"}, statements)
	require.Equal(t, []int{3}, parameters)
	c := &sqldb.Guard{SQL: "SELECT 1 FROM c WHERE id = ?", Args: []any{"c"}}
	_, parameters = sent(&sqldb.Batch{Guards: []*sqldb.Guard{b, a, c, a, b, a, c}})
	require.Equal(t, []int{8, 1}, parameters, "a statement has six guards at most")
	statements, _ = sent(&sqldb.Batch{Guards: []*sqldb.Guard{a, a, b, a, a}})
	require.Equal(t, []string{
		"WITH touched AS (SELECT 1 FROM unnest($1::text[]) AS given (v0), LATERAL (SELECT 1 FROM a WHERE id = given.v0 LIMIT 1) AS found)" +
			" SELECT CASE WHEN count(*) = cardinality($1) THEN 1 ELSE unmet() END FROM touched",
		"SELECT CASE WHEN EXISTS (SELECT 1 FROM b WHERE id = $1 AND version = $2) THEN 1 ELSE unmet() END",
	}, statements, "many of one text are a set")
}

func TestRowsOfOneTableAreSentTogetherUnlessOtherColumnsAreUnique(t *testing.T) {
	row := sqldb.Step{SQL: "INSERT INTO a (id, n) VALUES (?, ?) ON CONFLICT DO NOTHING", Args: []any{"x", int64(1)}, Keyed: true, Row: "(?, ?)", Refuse: sqldb.Refusal(nil)}
	statements, parameters := sent(&sqldb.Batch{Steps: []sqldb.Step{row, row, row}})
	require.Equal(t, []string{"INSERT INTO a (id, n) VALUES ($1, $2), ($3, $4)", "INSERT INTO a (id, n) VALUES ($1, $2)"}, statements)
	require.Equal(t, []int{4, 2}, parameters)

	absent := row
	absent.Args = []any{"x", nil}
	many := slices.Concat(slices.Repeat([]sqldb.Step{row}, fewInserts), []sqldb.Step{absent})
	statements, parameters = sent(&sqldb.Batch{Steps: many})
	require.Equal(t, []string{"INSERT INTO a (id, n) SELECT given.v0, given.v1 FROM unnest($1::text[], $2::bigint[]) AS given (v0, v1)"}, statements)
	require.Equal(t, []int{2}, parameters)
	statements, parameters = sent(&sqldb.Batch{Steps: slices.Repeat(many, 20)})
	require.Len(t, statements, 2, "a set has a greatest size")
	require.Equal(t, []int{2, 2}, parameters)
	statements, _ = sent(&sqldb.Batch{Steps: slices.Repeat([]sqldb.Step{absent}, fewInserts+1)})
	require.Equal(t, []string{"INSERT INTO a (id, n) SELECT given.v0, NULL FROM unnest($1::text[]) AS given (v0)"}, statements)

	numbered := row
	numbered.Row = ""
	_, parameters = sent(&sqldb.Batch{Steps: []sqldb.Step{numbered, numbered}})
	require.Equal(t, []int{2, 2}, parameters, "the second row has a number that the first one makes")

	unique := row
	unique.Keyed = false
	statements, _ = sent(&sqldb.Batch{Steps: []sqldb.Step{unique, unique}})
	require.Equal(t, []string{must(unique), must(unique)}, statements)
}

func TestInsertsThatFollowEachOtherAreSentAsOneStatement(t *testing.T) {
	line := sqldb.Step{SQL: "INSERT INTO lines (id) VALUES (?) ON CONFLICT DO NOTHING", Args: []any{"l"}, Keyed: true, Row: "(?)"}
	event := sqldb.Step{SQL: "INSERT INTO events (id, n) VALUES (?, (SELECT max(last) FROM streams WHERE id = ?)) ON CONFLICT DO NOTHING", Args: []any{"e", "s"}, Keyed: true}
	counts := sqldb.Step{SQL: "INSERT INTO streams (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET last = last + 1", Args: []any{"s"}, Counts: true}
	update := sqldb.Step{SQL: "UPDATE a SET n = ?", Args: []any{1}}

	statements, parameters := sent(&sqldb.Batch{Steps: []sqldb.Step{line, line, event, counts, line, update}})
	require.Equal(t, []string{
		"WITH p0 AS (INSERT INTO lines (id) VALUES ($1), ($2))" +
			", p1 AS (INSERT INTO events (id, n) VALUES ($3, (SELECT max(last) FROM streams WHERE id = $4)))" +
			", p2 AS (INSERT INTO streams (id) VALUES ($5) ON CONFLICT (id) DO UPDATE SET last = last + 1)" +
			" INSERT INTO lines (id) VALUES ($6)",
		"UPDATE a SET n = $1",
	}, statements)
	require.Equal(t, []int{6, 1}, parameters)

	_, parameters = sent(&sqldb.Batch{Steps: []sqldb.Step{event, counts, event, counts}})
	require.Equal(t, []int{3, 3}, parameters, "the second event has a number that the first one makes")
	_, parameters = sent(&sqldb.Batch{Steps: []sqldb.Step{event, event}})
	require.Equal(t, []int{2, 2}, parameters, "as here")
	_, parameters = sent(&sqldb.Batch{Steps: []sqldb.Step{counts, line, event}})
	require.Equal(t, []int{2, 2}, parameters, "the event sees what was counted before it")
}
