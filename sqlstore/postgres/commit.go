package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
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
// those who wait: see watchdog.
type serverWriter struct {
	config   *pgx.ConnConfig
	conn     *pgx.Conn
	id       string // of this store in the table committers
	last     int64  // the number it has there
	held     bool   // a transaction with the lock is open
	unsure   bool   // the last group may have been committed under the next number
	watchdog watchdog
	// patience is how long to try to learn what became of a commit.
	patience time.Duration
}

var _ sqldb.GroupWriter = (*serverWriter)(nil)

const (
	// commitPatience is the patience of a store.
	commitPatience = 30 * time.Second
	// tripTimeout is how long the server may take for a group.
	tripTimeout = 20 * time.Second
	// maxTries is how often a group is sent that the server could not serve.
	maxTries = 5
)

// noMemoize keeps the rows of a set from being kept in a cache while they are looked up: no key comes twice.
// PostgreSQL 13 has no such setting, and would refuse a connection that begins with it.
const noMemoize = "SELECT set_config(name, 'off', false) FROM pg_settings WHERE name = 'enable_memoize'"

func (w *serverWriter) connect(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, w.config)
	if err != nil {
		return err
	}
	w.disconnect()
	w.conn = conn
	if _, err = conn.Exec(ctx, "DELETE FROM committers WHERE at < now() - interval '"+forgotten+"'; "+noMemoize, pgx.QueryExecModeSimpleProtocol); err != nil {
		w.disconnect()
	}
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

func (w *serverWriter) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	_, _ = w.conn.Exec(ctx, "DELETE FROM committers WHERE id = $1", w.id)
	w.disconnect()
}

// Write commits a group, as often as the server says that it could not serve it.
// When the connection ends, it looks whether the group was committed.
func (w *serverWriter) Write(group []*sqldb.Waiter) {
	defer w.watchdog.watch(unitLock)()
	if err := w.resolveUnknown(); err != nil {
		judge(group, unavailable(err))
		return
	}
	for tries := 1; ; tries++ {
		held := w.held
		err := w.attempt(group)
		if err == nil {
			return
		}
		if !answered(err) {
			happened, lookErr := w.Look()
			if lookErr != nil {
				err = fmt.Errorf("%w: %w", sqldb.ErrOutcomeUnknown, errors.Join(err, lookErr))
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

func judge(group []*sqldb.Waiter, verdict error) {
	for _, waiter := range group {
		waiter.Verdict = verdict
	}
}

// attempt commits a group once. The error is that of the transaction; what
// becomes of a batch is its verdict.
func (w *serverWriter) attempt(group []*sqldb.Waiter) error {
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
func (w *serverWriter) together(ctx context.Context, group []*sqldb.Waiter) error {
	b, total := &pgx.Batch{}, sqldb.Counts{}
	w.queueMark(b)
	for _, waiter := range group {
		if waiter.Verdict = waiter.Ctx.Err(); waiter.Verdict == nil {
			queueMerged(b, waiter.Batch)
			total.Add(waiter.Batch.Counts)
		}
	}
	queueCounts(b, total)
	err := w.conn.SendBatch(ctx, b).Close()
	if err == nil {
		w.last++
	}
	return err
}

// apart commits a group in one transaction, with a round trip and a savepoint for
// each batch.
func (w *serverWriter) apart(ctx context.Context, group []*sqldb.Waiter) error {
	if !w.held {
		if err := w.open(ctx); err != nil {
			return err
		}
	}
	defer w.Release()
	total := sqldb.Counts{}
	for _, waiter := range group {
		if waiter.Verdict = waiter.Ctx.Err(); waiter.Verdict != nil {
			continue
		}
		var err error
		if waiter.Verdict, err = w.try(ctx, waiter.Batch); err != nil {
			return err
		}
		if waiter.Verdict == nil {
			total.Add(waiter.Batch.Counts)
		}
	}
	return w.finish(ctx, total)
}

// open begins a transaction and waits for its turn. It leaves a savepoint, to which
// a batch that is refused goes back.
func (w *serverWriter) open(ctx context.Context) error {
	b := &pgx.Batch{}
	b.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	b.Queue(takeLock, unitLock)
	b.Queue("SAVEPOINT unit")
	w.held = true
	err := w.conn.SendBatch(ctx, b).Close()
	if err != nil {
		w.Release()
	}
	return err
}

// finish commits what the transaction holds.
func (w *serverWriter) finish(ctx context.Context, total sqldb.Counts) error {
	b := &pgx.Batch{}
	queueCounts(b, total)
	w.queueMark(b)
	b.Queue("COMMIT")
	err := w.conn.SendBatch(ctx, b).Close()
	if err == nil {
		w.held = false
		w.last++
	}
	return err
}

// Hold begins the transaction in which the next batch is committed, and connects
// anew when the connection has died since the last one.
func (w *serverWriter) Hold() error {
	defer w.watchdog.watch(unitLock)()
	if err := w.resolveUnknown(); err != nil {
		return unavailable(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.patience)
	defer cancel()
	err := w.open(ctx)
	if err == nil || answered(err) {
		return err
	}
	if err := w.connect(ctx); err != nil {
		return unavailable(err)
	}
	return unavailable(w.open(ctx))
}

// Release takes back what is open.
func (w *serverWriter) Release() {
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

// try applies one batch behind the savepoint, and moves that. err is for what
// spoils the whole transaction.
func (w *serverWriter) try(ctx context.Context, batch *sqldb.Batch) (verdict, err error) {
	b := &pgx.Batch{}
	queueBatch(b, batch)
	b.Queue("RELEASE unit")
	b.Queue("SAVEPOINT unit")
	done, err := sendCounted(ctx, w.conn, b)
	if err == nil || !answered(err) || passing(err) {
		return nil, err
	}
	if _, err := w.conn.Exec(ctx, "ROLLBACK TO unit"); err != nil {
		return nil, err
	}
	verdict = explain(ctx, connection{ctx, w.conn}, batch, refusalOf(batch, done, err))
	if w.conn.PgConn().TxStatus() == aborted { // by a question that was wrong itself
		_, err := w.conn.Exec(ctx, "ROLLBACK TO unit")
		return verdict, err
	}
	return verdict, nil
}

// aborted is the state of a transaction after an error: nothing more is done in it.
const aborted = 'E'

// explain returns the verdict on a batch that was refused.
func explain(ctx context.Context, a sqldb.Asker, b *sqldb.Batch, refuse func(context.Context, sqldb.Asker) error) error {
	if err := b.Unchanged(ctx, a); err != nil {
		return err
	}
	return cmp.Or(refuse(ctx, a), sqldb.ErrRefused)
}
