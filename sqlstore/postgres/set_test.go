package postgres

import (
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// on is a step of one row, which must touch it.
func on(row, sql string, args ...any) sqldb.Step {
	return sqldb.Step{SQL: sql, Args: args, Of: row, Refuse: sqldb.Refusal(sqldb.ErrRerun)}
}

func names(sets [][]sqldb.Step) (all [][]string) {
	for _, set := range sets {
		var texts []string
		for _, s := range set {
			texts = append(texts, s.SQL+" "+s.Of)
		}
		all = append(all, texts)
	}
	return all
}

func TestStepsOfDifferentRowsAreSentInSets(t *testing.T) {
	require.Equal(t, [][]string{{"U a", "U b", "U c"}, {"D a", "D c"}},
		names(setsOf([]sqldb.Step{on("a", "U"), on("a", "D"), on("b", "U"), on("c", "U"), on("c", "D")})))
}

func TestStepsOfOneRowKeepTheirOrder(t *testing.T) {
	require.Equal(t, [][]string{{"U a"}, {"U a", "U b"}},
		names(setsOf([]sqldb.Step{on("a", "U"), on("a", "U"), on("b", "U")})), "no statement changes a row twice")
	require.Equal(t, [][]string{{"U a", "U b"}, {"D a"}, {"U a"}},
		names(setsOf([]sqldb.Step{on("a", "U"), on("b", "U"), on("a", "D"), on("a", "U")})), "the second one is not taken before what stands between")
	require.Equal(t, [][]string{{"U a"}, {"D a", "D b"}, {"U b"}},
		names(setsOf([]sqldb.Step{on("a", "U"), on("a", "D"), on("b", "D"), on("b", "U")})), "nor with one that stands before what it follows")
	many := make([]sqldb.Step, mostInSet+1)
	for i := range many {
		many[i] = on(string(rune(i)), "U")
	}
	require.Len(t, setsOf(many), 2)
}

func TestASetHasOneTextForAnyNumberOfRows(t *testing.T) {
	update := func(row string, note any, done bool) sqldb.Step {
		return on(row, "UPDATE a SET note = ?, done = ?, at = ?, raw = ? WHERE id = ? AND version = ?", note, done, nil, []byte(row), row, int64(7))
	}
	const want = "WITH touched AS (UPDATE a SET note = given.v0, done = given.v1, at = NULL, raw = given.v3" +
		" FROM unnest($1::text[], $2::boolean[], $3::bytea[], $4::text[], $5::bigint[]) AS given (v0, v1, v3, v4, v5)," +
		" LATERAL (SELECT ctid FROM a WHERE id = given.v4 AND version = given.v5 LIMIT 1) AS found WHERE a.ctid = found.ctid RETURNING 1)" +
		" SELECT CASE WHEN count(*) = cardinality($1) THEN 1 ELSE unmet() END FROM touched"
	two := []sqldb.Step{update("x", "one", true), update("y", nil, false)}
	statements, parameters := sent(&sqldb.Batch{Steps: two})
	require.Equal(t, []string{want}, statements)
	require.Equal(t, []int{5}, parameters)
	statements, _ = sent(&sqldb.Batch{Steps: append(two, update("z", "three", true))})
	require.Equal(t, []string{want}, statements)

	arrays, types := arraysOf(two)
	require.Equal(t, "tb-xti", types)
	require.Equal(t, pgtype.FlatArray[any]{"one", nil}, arrays[0])
	statements, _ = sent(&sqldb.Batch{Steps: two[:1]})
	require.Equal(t, []string{must(two[0])}, statements, "one row is no set")
}

func TestADeletionAndAQuestionAreSets(t *testing.T) {
	hold := func(row string) sqldb.Step {
		return sqldb.Step{SQL: "SELECT 1 FROM a WHERE id = ?", Args: []any{row}, Of: row, Asks: true, Refuse: sqldb.Refusal(nil)}
	}
	remove := func(row string) sqldb.Step {
		return sqldb.Step{SQL: "DELETE FROM a WHERE id = ?", Args: []any{row}, Of: row}
	}
	statements, _ := sent(&sqldb.Batch{Steps: []sqldb.Step{hold("x"), remove("x"), hold("y"), remove("y")}})
	require.Equal(t, []string{
		"WITH touched AS (SELECT 1 FROM unnest($1::text[]) AS given (v0), LATERAL (SELECT 1 FROM a WHERE id = given.v0 LIMIT 1) AS found)" +
			" SELECT CASE WHEN count(*) = cardinality($1) THEN 1 ELSE unmet() END FROM touched",
		"DELETE FROM a USING unnest($1::text[]) AS given (v0), LATERAL (SELECT ctid FROM a WHERE id = given.v0 LIMIT 1) AS found WHERE a.ctid = found.ctid",
	}, statements)
}

func TestWhatIsNoSetIsSentAsItIs(t *testing.T) {
	a, b := on("a", "UPDATE t SET n = ? WHERE id = ?", int64(1), "a"), on("b", "UPDATE t SET n = ? WHERE id = ?", "1", "b")
	statements, _ := sent(&sqldb.Batch{Steps: []sqldb.Step{a, b}})
	require.Equal(t, []string{must(a), must(b)}, statements, "values of two types")
	b.Args[0] = 1.5
	statements, _ = sent(&sqldb.Batch{Steps: []sqldb.Step{b, b}})
	require.Len(t, statements, 2, "a type of which the package knows no arrays")
	b = on("b", "UPDATE t SET n = ? WHERE id = ?", nil, nil)
	statements, _ = sent(&sqldb.Batch{Steps: []sqldb.Step{b, on("a", b.SQL, nil, nil)}})
	require.Len(t, statements, 2, "no value at all")
	b = on("", "UPDATE t SET n = ? WHERE id = ?", int64(1), "b")
	statements, _ = sent(&sqldb.Batch{Steps: []sqldb.Step{a, b, a}})
	require.Len(t, statements, 3, "nobody knows what the second one changes")
}
