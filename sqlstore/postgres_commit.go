package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// serverWriter commits on a PostgreSQL server. It sends a group as one
// transaction in one round trip, in which a guard or a step that is not met ends
// the transaction. Then the group is taken again, one by one, each with its own
// verdict.
//
// Transactions take turns by an advisory lock, over all processes. So each sees
// what those before it have committed, and READ COMMITTED is enough; no two wait
// for each other in a ring; and who gets the lock knows that the one before him
// has ended. A process that stands still while it holds the lock is cut off by
// those who wait: see warden.
type serverWriter struct {
	config *pgx.ConnConfig
	conn   *pgx.Conn
	id     string // of this store in the table committers
	last   int64  // the number it has there
	held   bool   // a transaction with the lock is open
	unsure bool   // the last group may have been committed under the next number
	warden warden
	// patience is how long to try to learn what became of a commit.
	patience time.Duration
}

var _ groupWriter = (*serverWriter)(nil)

const (
	// commitPatience is the patience of a store.
	commitPatience = 30 * time.Second
	// tripTimeout is how long the server may take for a group.
	tripTimeout = 20 * time.Second
	// maxTries is how often a group is sent that the server could not serve.
	maxTries = 5
)

// forgotten is when the number of a store that has died may be removed.
const forgotten = "90 days"

func (w *serverWriter) connect(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, w.config)
	if err != nil {
		return err
	}
	w.disconnect()
	w.conn = conn
	_, err = conn.Exec(ctx, "DELETE FROM committers WHERE at < now() - interval '"+forgotten+"'")
	return err
}

func (w *serverWriter) disconnect() {
	if w.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = w.conn.Close(ctx)
}

func (w *serverWriter) close() {
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	_, _ = w.conn.Exec(ctx, "DELETE FROM committers WHERE id = $1", w.id)
	w.disconnect()
}

// write commits a group, as often as the server says that it could not serve it.
// When the connection ends, it looks whether the group was committed.
func (w *serverWriter) write(group []*waiter) {
	defer w.warden.watch(unitLock)()
	if err := w.makeSure(); err != nil {
		judge(group, err)
		return
	}
	for tries := 1; ; tries++ {
		held := w.held
		err := w.attempt(group)
		if err == nil {
			return
		}
		if !answered(err) {
			happened, lookErr := w.look()
			if lookErr != nil {
				err = fmt.Errorf("%w: %w", ErrOutcomeUnknown, errors.Join(err, lookErr))
				held = true // no more tries
			} else if happened {
				return
			}
		}
		if held || tries == maxTries || answered(err) && !passing(err) {
			judge(group, err)
			return
		}
	}
}

// passing reports whether an error says that the same may succeed at once.
func passing(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && strings.HasPrefix(pg.Code, "40") // serialization failure, deadlock
}

func judge(group []*waiter, verdict error) {
	for _, waiter := range group {
		waiter.verdict = verdict
	}
}

// attempt commits a group once. The error is that of the transaction; what
// becomes of a batch is its verdict.
func (w *serverWriter) attempt(group []*waiter) error {
	ctx, cancel := context.WithTimeout(context.Background(), tripTimeout)
	defer cancel()
	if !w.held {
		err := w.together(ctx, group)
		if err == nil || !answered(err) || passing(err) {
			return err
		}
	}
	return w.apart(ctx, group)
}

// together sends a group in one round trip: the server commits where it ends, or
// rolls back at the first error.
func (w *serverWriter) together(ctx context.Context, group []*waiter) error {
	b, counts := &pgx.Batch{}, map[string]int64{}
	w.queueMark(b)
	for _, waiter := range group {
		if waiter.verdict = waiter.ctx.Err(); waiter.verdict == nil {
			queueBatch(b, waiter.batch)
			addCounts(counts, waiter.batch)
		}
	}
	queueCounts(b, counts)
	err := w.conn.SendBatch(ctx, b).Close()
	if err == nil {
		w.last++
	}
	return err
}

// apart commits a group in one transaction, with a round trip and a savepoint for
// each batch.
func (w *serverWriter) apart(ctx context.Context, group []*waiter) error {
	if !w.held {
		if err := w.open(ctx); err != nil {
			return err
		}
	}
	defer w.release()
	counts := map[string]int64{}
	for _, waiter := range group {
		if waiter.verdict = waiter.ctx.Err(); waiter.verdict != nil {
			continue
		}
		var err error
		if waiter.verdict, err = w.try(ctx, waiter.batch); err != nil {
			return err
		}
		if waiter.verdict == nil {
			addCounts(counts, waiter.batch)
		}
	}
	return w.finish(ctx, counts)
}

// open begins a transaction and waits for its turn.
func (w *serverWriter) open(ctx context.Context) error {
	b := &pgx.Batch{}
	b.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	queueLock(b)
	w.held = true
	err := w.conn.SendBatch(ctx, b).Close()
	if err != nil {
		w.release()
	}
	return err
}

// finish commits what the transaction holds.
func (w *serverWriter) finish(ctx context.Context, counts map[string]int64) error {
	b := &pgx.Batch{}
	queueCounts(b, counts)
	w.queueMark(b)
	b.Queue("COMMIT")
	err := w.conn.SendBatch(ctx, b).Close()
	if err == nil {
		w.held = false
		w.last++
	}
	return err
}

// hold begins the transaction in which the next batch is committed, and connects
// anew when the connection has died since the last one.
func (w *serverWriter) hold() error {
	defer w.warden.watch(unitLock)()
	if err := w.makeSure(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.patience)
	defer cancel()
	err := w.open(ctx)
	if err == nil || answered(err) {
		return err
	}
	if err := w.connect(ctx); err != nil {
		return err
	}
	return w.open(ctx)
}

// release takes back what is open.
func (w *serverWriter) release() {
	if !w.held {
		return
	}
	w.held = false
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	if _, err := w.conn.Exec(ctx, "ROLLBACK"); err != nil {
		w.disconnect()
	}
}

// try applies one batch within a savepoint. err is for what spoils the whole
// transaction.
func (w *serverWriter) try(ctx context.Context, batch *batch) (verdict, err error) {
	b := &pgx.Batch{}
	b.Queue("SAVEPOINT unit")
	queueBatch(b, batch)
	b.Queue("RELEASE unit")
	done, err := sendCounted(ctx, w.conn, b)
	if err == nil || !answered(err) || passing(err) {
		return nil, err
	}
	if _, err := w.conn.Exec(ctx, "ROLLBACK TO unit"); err != nil {
		return nil, err
	}
	return w.explain(ctx, batch, batch.refusal(done-1, err)), nil
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

// explain returns the verdict on a refused batch. When something that it read
// has changed, its refusal means nothing: the body runs again.
func (w *serverWriter) explain(ctx context.Context, b *batch, refuse func(context.Context, asker) error) error {
	here := connection{ctx, w.conn}
	for _, g := range b.guards {
		var n int64
		if ok, err := one(ctx, here, g.sql, g.args, &n); err == nil && !ok {
			return errRerun
		}
	}
	return cmp.Or(refuse(ctx, here), errRefused)
}

// makeSure finds out what became of a group that was left with ErrOutcomeUnknown.
// Before that its number means nothing for another group: it would be taken for
// committed when that one was.
func (w *serverWriter) makeSure() error {
	if !w.unsure {
		return nil
	}
	_, err := w.look()
	return err
}

// look connects again and finds out whether the last group was committed. If it
// was not, it sees to it that it never will be.
func (w *serverWriter) look() (happened bool, err error) {
	w.held, w.unsure = false, true
	ctx, cancel := context.WithTimeout(context.Background(), w.patience)
	defer cancel()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		if happened, err = w.lookOnce(ctx); err == nil {
			w.unsure = false
			return happened, nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return false, err
		}
	}
}

// lookOnce reads this store's number under the lock, when no transaction that has
// sent its commit is open any more. A group whose statements lie in the server's
// socket, and have not even got the lock, finds the number taken.
func (w *serverWriter) lookOnce(ctx context.Context) (happened bool, err error) {
	if err := w.connect(ctx); err != nil {
		return false, err
	}
	err = pgx.BeginFunc(ctx, w.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(unitLock)); err != nil {
			return err
		}
		var there int64
		err := tx.QueryRow(ctx, "SELECT last FROM committers WHERE id = $1", w.id).Scan(&there)
		if happened = err == nil && there == w.last+1; happened {
			return nil
		}
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO committers (id, last, at) VALUES ($1, $2, now())
			ON CONFLICT (id) DO UPDATE SET last = excluded.last`, w.id, w.last+2)
		return err
	})
	switch {
	case err != nil:
		return false, err
	case happened:
		w.last++
	default:
		w.last += 2
	}
	return happened, nil
}

// unmet is the error of a statement that must touch or find a row and does not:
// that of the function unmet of the schema.
const unmet = "FE001"

func queueLock(b *pgx.Batch) { b.Queue("SELECT pg_advisory_xact_lock($1)", int64(unitLock)) }

// queueMark waits for the lock and makes the transaction the next one of this
// store. It must be that.
func (w *serverWriter) queueMark(b *pgx.Batch) {
	b.Queue(must(step{sql: `INSERT INTO committers (id, last, at) SELECT ?, CAST(? AS BIGINT), now() FROM (SELECT pg_advisory_xact_lock(?)) AS turn
		ON CONFLICT (id) DO UPDATE SET last = excluded.last, at = excluded.at WHERE committers.last = excluded.last - 1`}), w.id, w.last+1, int64(unitLock))
}

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

func addCounts(counts map[string]int64, b *batch) {
	for list, n := range b.counts {
		counts[list] += n
	}
}

// queueCounts brings the counters of lists up to date.
func queueCounts(b *pgx.Batch, counts map[string]int64) {
	var more, fewer tally
	for _, list := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[list]; n > 0 {
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
