package sqlstore

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// queueBatch sends what a batch has read and its steps.
func queueBatch(b *pgx.Batch, batch *batch) {
	for _, g := range batch.guards {
		if !g.covered {
			b.Queue(must(step{sql: g.sql, asks: true}), g.args...)
		}
	}
	for _, s := range batch.steps {
		if s.refuse == nil || s.checked {
			b.Queue(numbered(s.sql), s.args...)
		} else {
			b.Queue(must(s), s.args...)
		}
	}
}

// queueCounts brings the counters of lists up to date.
func queueCounts(b *pgx.Batch, total counts) {
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

// refusal returns what the n-th question or step of a batch is refused with, when
// the server has answered it with err.
func (b *batch) refusal(n int, err error) func(context.Context, asker) error {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || pg.Code != unmet {
		return refusal(err)
	}
	for _, g := range b.guards {
		if g.covered {
			continue
		}
		if n == 0 {
			return refusal(errRerun)
		}
		n--
	}
	return b.steps[n].refuse
}
