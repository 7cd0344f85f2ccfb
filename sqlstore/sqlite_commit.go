package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ferrypay/ferry/internal/failpoint"
)

// fileWriter commits in a SQLite file, by the one session that writes.
type fileWriter struct {
	*session
	broken error // ErrBroken after a commit whose outcome is unknown
}

var _ groupWriter = (*fileWriter)(nil)

// hold does nothing: no other process has the file open.
func (f *fileWriter) hold() error { return nil }
func (f *fileWriter) release()    {}

// write commits batches in one transaction. When it fails, they are tried one by
// one.
func (f *fileWriter) write(group []*waiter) {
	if err := f.transact(group); err != nil && len(group) > 1 && f.broken == nil {
		for _, w := range group {
			f.fail(f.transact([]*waiter{w}), w)
		}
	} else {
		f.fail(err, group...)
	}
}

// fail makes an error of the transaction the verdict of its batches.
func (f *fileWriter) fail(err error, group ...*waiter) {
	for _, w := range group {
		if err != nil {
			w.verdict = err
		}
	}
}

// transact applies batches within one transaction. The error is that of the
// transaction; what becomes of a batch is its verdict.
func (f *fileWriter) transact(group []*waiter) error {
	return f.transaction(func() error {
		total := counts{}
		for i, w := range group {
			if i > 0 {
				failpoint.Hit(failpoint.InGroup)
			}
			var err error
			if w.verdict, err = f.attempt(w); err != nil {
				return err
			}
			if w.verdict == nil {
				total.add(w.batch.counts)
			}
		}
		return f.count(total)
	})
}

// transaction runs body within a transaction of the writer and commits it, or
// takes it back when body returns an error or panics.
func (f *fileWriter) transaction(body func() error) error {
	if f.broken != nil {
		return f.broken
	}
	if _, err := f.exec("BEGIN IMMEDIATE", nil); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			_, _ = f.exec("ROLLBACK", nil) // the database may have done so itself
		}
	}()
	if err := body(); err != nil {
		return err
	}
	done = true
	failpoint.Hit(failpoint.BeforeCommit)
	if _, err := f.exec("COMMIT", nil); err != nil {
		return f.undecided(err)
	}
	return nil
}

// undecided handles a commit that failed. After an error of the disk, it is unknown what a
// restart will find, so nothing more is written: the next opening reads what is there. On
// a full disk nothing was committed, and the database has rolled back by itself.
func (f *fileWriter) undecided(cause error) error {
	_, err := f.exec("ROLLBACK", nil)
	if code(cause) == resultIOError || err != nil && code(cause) != resultFull {
		f.broken = fmt.Errorf("%w: %w", ErrBroken, cause)
		return fmt.Errorf("%w: %w", ErrOutcomeUnknown, cause)
	}
	return cause
}

// attempt applies one batch within a savepoint. err is for what spoils the
// whole transaction.
func (f *fileWriter) attempt(w *waiter) (verdict, err error) {
	if err := w.ctx.Err(); err != nil {
		return err, nil
	}
	if _, err := f.exec("SAVEPOINT unit", nil); err != nil {
		return nil, err
	}
	if verdict = f.apply(w.batch); verdict == nil {
		_, err = f.exec("RELEASE unit", nil)
		return nil, err
	}
	if _, err := f.exec("ROLLBACK TO unit", nil); err != nil {
		return nil, errors.Join(verdict, err)
	}
	if _, err := f.exec("RELEASE unit", nil); err != nil {
		return nil, err
	}
	return cmp.Or(w.batch.unchanged(context.Background(), f), verdict), nil
}

// apply checks what a batch has read and takes its steps.
func (f *fileWriter) apply(b *batch) error {
	for _, g := range b.guards {
		if g.covered {
			continue
		}
		if ok, err := g.holds(context.Background(), f); err != nil {
			return err
		} else if !ok {
			return errRerun
		}
	}
	for _, s := range b.steps {
		if err := f.take(s); err != nil {
			return err
		}
	}
	return nil
}

// take runs one step.
func (f *fileWriter) take(s step) error {
	met, err := f.meets(s)
	switch {
	case err != nil:
		return err
	case !met && s.refuse != nil:
		return cmp.Or(s.refuse(context.Background(), f), errRefused)
	}
	return nil
}

// meets runs one step and reports whether it touched or found a row.
func (f *fileWriter) meets(s step) (bool, error) {
	if s.asks {
		var n int64
		return one(context.Background(), f, s.sql, s.args, &n)
	}
	n, err := f.exec(s.sql, s.args)
	return n > 0, err
}

// count brings the counters of lists up to date, once a transaction.
func (f *fileWriter) count(total counts) error {
	for _, list := range slices.Sorted(maps.Keys(total)) {
		if total[list] == 0 {
			continue
		}
		n, err := f.exec("UPDATE counters SET rows = rows + ? WHERE list = ?", []any{total[list], list})
		if err == nil && n == 0 {
			_, err = f.exec("INSERT INTO counters (list, rows) VALUES (?, ?)", []any{list, total[list]})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
