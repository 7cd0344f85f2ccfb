package postgres

import (
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Each statement costs the server much more than what it does with one row. So a group is sent
// in few statements: some guards in one, and the rows of one table in one. When such a
// statement fails, nobody knows which guard or row it was. Then the group is sent again with a
// statement for each.

const (
	// mostGuards is the greatest number of guards in one statement, and mostRows that of rows.
	// More would make many different statements, of which each is prepared.
	mostGuards, mostRows = 4, 8
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
	for some := range slices.Chunk(open, mostGuards) {
		queueGuards(b, some)
	}
	for steps := batch.Steps; len(steps) > 0; {
		if steps[0].Keyed {
			n := alike(steps)
			queueRows(b, steps[:n])
			steps = steps[n:]
		} else {
			queueStep(b, steps[0])
			steps = steps[1:]
		}
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

// queueRows sends keyed inserts into one table as one statement. Without its last clause the
// insert fails of itself when a key is taken, and is cheaper.
func queueRows(b *pgx.Batch, steps []sqldb.Step) {
	first, args := steps[0], steps[0].Args
	if len(steps) > 1 {
		args = nil
		for _, s := range steps {
			args = append(args, s.Args...)
		}
	}
	b.Queue(text{form: "rows", parts: [mostGuards]string{first.SQL}, rows: len(steps)}.of(func() string {
		return number(strings.TrimSuffix(first.SQL, sqldb.UnlessTaken) + strings.Repeat(", "+first.Row, len(steps)-1))
	}), args...)
}

// alike returns how many steps, from the first on, are sent as one: a power of two.
func alike(steps []sqldb.Step) int {
	n := 1
	for n < min(len(steps), mostRows) && steps[n].Keyed && steps[n].Row != "" && steps[n].SQL == steps[0].SQL {
		n++
	}
	for n&(n-1) != 0 {
		n--
	}
	return n
}
