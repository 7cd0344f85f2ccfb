package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Each running store has a row in the table committers. Every transaction that
// commits units writes its number there, one more than that of the one before.
// So who was cut off in a commit finds out whether it has happened.

// forgotten is when the number of a store that has died may be removed.
const forgotten = "90 days"

// queueMark waits for the lock and makes the transaction the next one of this
// store. It must be that.
func (w *serverWriter) queueMark(b *pgx.Batch) {
	b.Queue(must(sqldb.Step{SQL: `INSERT INTO committers (id, last, at) SELECT ?, CAST(? AS BIGINT), now() FROM (SELECT pg_advisory_xact_lock(?)) AS turn
		ON CONFLICT (id) DO UPDATE SET last = excluded.last, at = excluded.at WHERE committers.last = excluded.last - 1`}), w.id, w.last+1, unitLock)
}

// resolveUnknown finds out what became of a group that was left with ErrOutcomeUnknown.
// Before that its number means nothing for another group: it would be taken for
// committed when that one was.
func (w *serverWriter) resolveUnknown() error {
	if !w.unsure {
		return nil
	}
	_, err := w.Look()
	return err
}

// look connects again and finds out whether the last group was committed. If it
// was not, it sees to it that it never will be.
func (w *serverWriter) Look() (happened bool, err error) {
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
		if _, err := tx.Exec(ctx, takeLock, unitLock); err != nil {
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
