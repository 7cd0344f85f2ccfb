package postgres

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Each statement costs the server much more than what it does with one row. So a group is sent
// in few statements: some guards in one, the inserts that follow each other in one, and steps of one
// row each in sets (see queueSets). When such a statement fails, nobody knows which guard or step it
// was. Then the group is sent again with a statement for each.

const (
	// mostParts is the greatest number of guards, or of tables to insert into, in one statement, and
	// mostRows that of rows of a table. More would make many different statements, of which each is
	// prepared.
	mostParts, mostRows = 6, 8
)

// queueMerged sends what a batch has read and its steps.
func queueMerged(b *pgx.Batch, batch *sqldb.Batch) {
	var open []*sqldb.Guard
	for _, g := range batch.Guards {
		if !g.Covered {
			open = append(open, g)
		}
	}
	// In one order there are fewer different statements.
	slices.SortStableFunc(open, func(a, b *sqldb.Guard) int { return strings.Compare(a.SQL, b.SQL) })
	for some := range slices.Chunk(queueGuardSets(b, open), mostParts) {
		queueGuards(b, some)
	}
	for steps := batch.Steps; len(steps) > 0; {
		n := queueInsertSet(b, steps)
		if n == 0 {
			n = queueInserts(b, steps)
		}
		if n == 0 {
			n = queueSets(b, steps)
		}
		if n == 0 {
			queueStep(b, steps[0])
			n = 1
		}
		steps = steps[n:]
	}
}

// queueGuards sends a statement that fails unless all of some guards hold.
func queueGuards(b *pgx.Batch, guards []*sqldb.Guard) {
	t, args := text{form: "all"}, []any(nil)
	for i, g := range guards {
		t.parts[i], args = g.SQL, append(args, g.Args...)
	}
	b.Queue(t.of(func() string {
		all := make([]string, len(guards))
		for i, g := range guards {
			all[i] = "EXISTS (" + g.SQL + ")"
		}
		return number("SELECT CASE WHEN " + strings.Join(all, " AND ") + " THEN 1 ELSE unmet() END")
	}), args...)
}

// queueInserts sends the inserts with which some steps begin in one statement, and returns how many
// these are. Without its last clause an insert fails of itself when a key is taken, and is cheaper.
func queueInserts(b *pgx.Batch, steps []sqldb.Step) (n int) {
	parts := insertsIn(steps)
	if len(parts) == 0 {
		return 0
	}
	t, args := text{form: "inserts"}, []any(nil)
	for i, rows := range parts {
		t.parts[i], t.rows[i] = rows[0].SQL, len(rows)
		for _, row := range rows {
			args = append(args, row.Args...)
		}
		n += len(rows)
	}
	b.Queue(t.of(func() string {
		all := make([]string, len(parts))
		for i, rows := range parts {
			all[i] = strings.TrimSuffix(rows[0].SQL, sqldb.UnlessTaken) + strings.Repeat(", "+rows[0].Row, len(rows)-1)
		}
		return number(inOne(all))
	}), args...)
	return n
}

// insertsIn returns the inserts with which some steps begin, as far as they can be in one statement, where
// none sees what another does. A part is some rows of one table.
func insertsIn(steps []sqldb.Step) (parts [][]sqldb.Step) {
	for numbered, counted := false, false; len(steps) > 0 && len(parts) < mostParts; {
		n := 1
		switch s := steps[0]; {
		case len(parts) > 0 && s.SQL == parts[len(parts)-1][0].SQL:
			return parts // or there would be a statement for each number of rows
		case s.Counts:
			counted = true
		case !s.Keyed:
			return parts
		case s.Row != "":
			n = alike(steps)
		case numbered || counted:
			return parts
		default:
			numbered = true
		}
		parts, steps = append(parts, steps[:n]), steps[n:]
	}
	return parts
}

// inOne returns a statement that does what some others do.
func inOne(statements []string) string {
	last := len(statements) - 1
	if last == 0 {
		return statements[0]
	}
	parts := make([]string, last)
	for i, s := range statements[:last] {
		parts[i] = "p" + strconv.Itoa(i) + " AS (" + s + ")"
	}
	return "WITH " + strings.Join(parts, ", ") + " " + statements[last]
}

// alike returns how many steps, from the first on, insert into the same table in one part: a power of two.
func alike(steps []sqldb.Step) int {
	n := insertsAlike(steps, mostRows)
	for n&(n-1) != 0 {
		n--
	}
	return n
}

// insertsAlike returns how many steps, from the first on, insert a row into one table, at most so many.
func insertsAlike(steps []sqldb.Step, most int) (n int) {
	for n < min(len(steps), most) && steps[n].Keyed && steps[n].Row != "" && steps[n].SQL == steps[0].SQL {
		n++
	}
	return n
}
