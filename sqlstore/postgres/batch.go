package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// queueBatch sends what a batch has read and its steps, with a statement for each.
func queueBatch(b *pgx.Batch, batch *sqldb.Batch) {
	for _, g := range batch.Guards {
		if !g.Covered {
			b.Queue(must(sqldb.Step{SQL: g.SQL, Asks: true}), g.Args...)
		}
	}
	for _, s := range batch.Steps {
		queueStep(b, s)
	}
}

func queueStep(b *pgx.Batch, s sqldb.Step) {
	if s.Refuse == nil || s.Checked {
		b.Queue(numbered(s.SQL), s.Args...)
	} else {
		b.Queue(must(s), s.Args...)
	}
}

// queueCounts brings the counters of lists up to date.
func queueCounts(b *pgx.Batch, total sqldb.Counts) {
	var more, fewer tally
	for _, list := range slices.Sorted(maps.Keys(total)) {
		if n := total[list]; n > 0 {
			more.add(list, n)
		} else if n < 0 {
			fewer.add(list, n)
		}
	}
	if len(more.lists) > 0 {
		b.Queue(`INSERT INTO counters (list, rows) SELECT * FROM unnest($1::text[], $2::bigint[])
			ON CONFLICT (list) DO UPDATE SET rows = counters.rows + excluded.rows`, more.lists, more.by)
	}
	if len(fewer.lists) > 0 {
		b.Queue(`UPDATE counters SET rows = rows + by FROM unnest($1::text[], $2::bigint[]) AS f (name, by)
			WHERE list = name`, fewer.lists, fewer.by)
	}
}

// tally is what to add to counters.
type tally struct {
	lists []string
	by    []int64
}

func (t *tally) add(list string, n int64) {
	t.lists = append(t.lists, list)
	t.by = append(t.by, n)
}

// sendCounted sends a batch and returns how many of its statements were done.
func sendCounted(ctx context.Context, conn *pgx.Conn, b *pgx.Batch) (done int, err error) {
	results := conn.SendBatch(ctx, b)
	for range b.Len() {
		if _, err := results.Exec(); err != nil {
			_ = results.Close()
			return done, err
		}
		done++
	}
	return done, results.Close()
}

// unmet is the error of a statement that must touch or find a row and does not:
// that of the function unmet of the schema.
const unmet = "FE001"

// refusalOf returns what the n-th question or step of a batch is refused with, when
// the server has answered it with err.
func refusalOf(b *sqldb.Batch, n int, err error) func(context.Context, sqldb.Asker) error {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || pg.Code != unmet {
		return sqldb.Refusal(err)
	}
	for _, g := range b.Guards {
		if g.Covered {
			continue
		}
		if n == 0 {
			return sqldb.Refusal(sqldb.ErrRerun)
		}
		n--
	}
	return b.Steps[n].Refuse
}
