package postgres

import (
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
	b := &sqldb.Guard{SQL: "SELECT 1 FROM b WHERE id = ? AND version = ?", Args: []any{"b", 7}}
	covered := &sqldb.Guard{SQL: "SELECT 1 FROM c", Covered: true}
	statements, parameters := sent(&sqldb.Batch{Guards: []*sqldb.Guard{b, covered, a}})
	require.Equal(t, []string{"SELECT CASE WHEN EXISTS (SELECT 1 FROM a WHERE id = $1)" +
		" AND EXISTS (SELECT 1 FROM b WHERE id = $2 AND version = $3) THEN 1 ELSE unmet() END"}, statements)
	require.Equal(t, []int{3}, parameters)
	_, parameters = sent(&sqldb.Batch{Guards: []*sqldb.Guard{b, a, a, b, a}})
	require.Equal(t, []int{5, 2}, parameters, "a statement has four guards at most")
}

func TestRowsOfOneTableAreSentTogetherUnlessOtherColumnsAreUnique(t *testing.T) {
	row := sqldb.Step{SQL: "INSERT INTO a (id, n) VALUES (?, ?) ON CONFLICT DO NOTHING", Args: []any{"x", 1}, Keyed: true, Row: "(?, ?)", Refuse: sqldb.Refusal(nil)}
	statements, parameters := sent(&sqldb.Batch{Steps: []sqldb.Step{row, row, row}})
	require.Equal(t, []string{"INSERT INTO a (id, n) VALUES ($1, $2), ($3, $4)", "INSERT INTO a (id, n) VALUES ($1, $2)"}, statements)
	require.Equal(t, []int{4, 2}, parameters)

	numbered := row
	numbered.Row = ""
	_, parameters = sent(&sqldb.Batch{Steps: []sqldb.Step{numbered, numbered}})
	require.Equal(t, []int{2, 2}, parameters, "the second row has a number that the first one makes")

	unique := row
	unique.Keyed = false
	statements, _ = sent(&sqldb.Batch{Steps: []sqldb.Step{unique, unique}})
	require.Equal(t, []string{must(unique), must(unique)}, statements)
}
