package postgres

import (
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Steps of one row each that have the same text are sent as one statement, a set: its parameters are
// arrays, so that the text is the same for any number of rows. So are many inserts into one table.

// mostInSet is the greatest number of steps in a set.
const mostInSet = 256

// queueSets sends the steps of one row each with which some steps begin, and returns how many these are.
func queueSets(b *pgx.Batch, steps []sqldb.Step) (n int) {
	for n < len(steps) && steps[n].Of != "" {
		n++
	}
	for _, set := range setsOf(steps[:n]) {
		queueSet(b, set)
	}
	return n
}

// fewInserts is the number of inserts into a table that are sent as rows of a statement, and not as a set.
const fewInserts = 2*mostRows - 1

// queueInsertSet sends the inserts into one table with which some steps begin, if they are many, and returns
// how many these are.
func queueInsertSet(b *pgx.Batch, steps []sqldb.Step) (n int) {
	if n = insertsAlike(steps, mostInSet); n <= fewInserts {
		return 0
	}
	arrays, types := arraysOf(steps[:n])
	if len(arrays) == 0 {
		return 0
	}
	b.Queue(text{form: "inserts of " + types, parts: [mostParts]string{steps[0].SQL}}.of(func() string {
		into, _, _ := strings.Cut(steps[0].SQL, "VALUES ")
		return into + "SELECT " + inColumns(strings.Trim(steps[0].Row, "()"), types, 0) + " FROM " + rowsOf(types)
	}), arrays...)
	return n
}

// fewGuards is the number of guards of one text that are sent as parts of a statement, and not as a set.
const fewGuards = 3

// queueGuardSets sends the guards of which many have the same text, and returns the others. The guards are
// in the order of their texts.
func queueGuardSets(b *pgx.Batch, guards []*sqldb.Guard) (others []*sqldb.Guard) {
	for len(guards) > 0 {
		n := 1
		for n < min(len(guards), mostInSet) && guards[n].SQL == guards[0].SQL {
			n++
		}
		if n <= fewGuards {
			others = append(others, guards[:n]...)
		} else {
			set := make([]sqldb.Step, n)
			for i, g := range guards[:n] {
				set[i] = sqldb.Step{SQL: g.SQL, Args: g.Args, Asks: true, Refuse: sqldb.Refusal(sqldb.ErrRerun)}
			}
			queueSet(b, set)
		}
		guards = guards[n:]
	}
	return others
}

// setsOf puts steps of one row each into sets of steps of the same text and of different rows. Steps of
// one row stay in their order.
func setsOf(steps []sqldb.Step) (sets [][]sqldb.Step) {
	open := map[string]int{} // the last set of a text
	last := map[string]int{} // the last set with a step of a row
	for _, s := range steps {
		at, is := open[s.SQL]
		if before, has := last[s.Of]; !is || has && before >= at || len(sets[at]) == mostInSet {
			at = len(sets)
			sets = append(sets, nil)
		}
		open[s.SQL], last[s.Of] = at, at
		sets[at] = append(sets[at], s)
	}
	return sets
}

// queueSet sends a set.
func queueSet(b *pgx.Batch, set []sqldb.Step) {
	arrays, types := arraysOf(set)
	if len(set) == 1 || len(arrays) == 0 {
		for _, s := range set {
			queueStep(b, s)
		}
		return
	}
	s := set[0]
	form := "set of " + types
	if s.Refuse == nil {
		form = "any " + form
	}
	b.Queue(text{form: form, parts: [mostParts]string{s.SQL, s.Or}}.of(func() string { return setOf(s, types) }), arrays...)
}

// typeNames are the types of columns by their letters. A column without values has no type.
var typeNames = map[byte]string{'t': "text", 'i': "bigint", 'b': "boolean", 'x': "bytea"}

const noValues = '-'

// arraysOf returns the parameters of a set, and the letter of the type of each column. A column without
// values is no parameter. There are none at all when a value is of another type.
func arraysOf(set []sqldb.Step) (arrays []any, types string) {
	letters := make([]byte, len(set[0].Args))
	for n := range letters {
		letters[n] = noValues
		column := make(pgtype.FlatArray[any], len(set))
		for i, s := range set {
			letter, known := letterOf(s.Args[n])
			if !known || letter != noValues && letters[n] != noValues && letter != letters[n] {
				return nil, ""
			}
			if letter != noValues {
				letters[n] = letter
			}
			column[i] = s.Args[n]
		}
		if letters[n] != noValues {
			arrays = append(arrays, column)
		}
	}
	return arrays, string(letters)
}

func letterOf(value any) (letter byte, known bool) {
	switch value.(type) {
	case nil:
		return noValues, true
	case string:
		return 't', true
	case int64:
		return 'i', true
	case bool:
		return 'b', true
	case []byte:
		return 'x', true
	}
	return 0, false
}

// setOf returns the statement of a set. When a step must touch a row, the statement fails as unmet unless it
// touches one for each step.
func setOf(s sqldb.Step, types string) string {
	touched := touching(s.SQL, s.Asks, types)
	if s.Refuse == nil {
		return touched
	}
	if s.Asks {
		return "WITH touched AS (" + touched + ") " + allMet + " FROM touched"
	}
	instead := ""
	if s.Or != "" {
		instead = touching(s.Or, false, types)
	}
	return eitherOf(touched, instead, "cardinality($1)", allMet)
}

// allMet selects 1 when there are as many rows as steps, and else ends the transaction.
const allMet = "SELECT CASE WHEN count(*) = cardinality($1) THEN 1 ELSE unmet() END"

// touching returns a statement that does for each row of a set what a statement of one row does. It looks up
// each row by itself, whatever the database knows of the table, and then goes by the place of the row: a join
// by key might read all of the table.
func touching(sql string, asks bool, types string) string {
	if asks {
		return "SELECT 1 FROM " + rowsOf(types) + ", LATERAL (" + inColumns(sql, types, 0) + " LIMIT 1) AS found"
	}
	before, where, _ := strings.Cut(sql, "WHERE ")
	verb, rest, _ := strings.Cut(strings.TrimSpace(before), " ")
	table, _, _ := strings.Cut(strings.TrimPrefix(rest, "FROM "), " ")
	if verb == "UPDATE" {
		return "UPDATE " + inColumns(rest, types, 0) + " FROM " + rowsOf(types) + foundIn(table, inColumns(where, types, strings.Count(rest, "?")))
	}
	return "DELETE FROM " + table + " USING " + rowsOf(types) + foundIn(table, inColumns(where, types, 0))
}

// rowsOf returns the parameters of a set as the rows given, whose columns are v0, v1, and so on.
func rowsOf(types string) string {
	var arrays, names []string
	for n := range len(types) {
		if types[n] != noValues {
			arrays = append(arrays, "$"+strconv.Itoa(len(arrays)+1)+"::"+typeNames[types[n]]+"[]")
			names = append(names, "v"+strconv.Itoa(n))
		}
	}
	return "unnest(" + strings.Join(arrays, ", ") + ") AS given (" + strings.Join(names, ", ") + ")"
}

// foundIn joins to the rows of a set those of a table for which a condition holds.
func foundIn(table, where string) string {
	return ", LATERAL (SELECT ctid FROM " + table + " WHERE " + where + " LIMIT 1) AS found WHERE " + table + ".ctid = found.ctid"
}

// inColumns returns a part of a statement with the columns of a set in the place of its parameters, of
// which n stand before it.
func inColumns(sql, types string, n int) string {
	var b strings.Builder
	for _, r := range sql {
		switch {
		case r != '?':
			b.WriteRune(r)
			continue
		case types[n] == noValues:
			b.WriteString("NULL")
		default:
			b.WriteString("given.v" + strconv.Itoa(n))
		}
		n++
	}
	return b.String()
}
