package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// fileWriter commits in a SQLite file, by the one session that writes.
type fileWriter struct {
	*session
	broken error // ErrBroken after a commit whose outcome is unknown
}

var _ sqldb.GroupWriter = (*fileWriter)(nil)

// Hold does nothing: no other process has the file open.
func (f *fileWriter) Hold() error { return nil }
func (f *fileWriter) Release()    {}

// Write commits batches in one transaction. When it fails, they are tried one by
// one.
func (f *fileWriter) Write(group []*sqldb.Waiter) {
	if err := f.transact(group); err != nil && len(group) > 1 && f.broken == nil {
		for _, w := range group {
			f.fail(f.transact([]*sqldb.Waiter{w}), w)
		}
	} else {
		f.fail(err, group...)
	}
}

// fail makes an error of the transaction the verdict of its batches.
func (f *fileWriter) fail(err error, group ...*sqldb.Waiter) {
	for _, w := range group {
		if err != nil {
			w.Verdict = err
		}
	}
}

// transact applies batches within one transaction. The error is that of the
// transaction; what becomes of a batch is its verdict.
func (f *fileWriter) transact(group []*sqldb.Waiter) error {
	return f.transaction(func() error {
		total := sqldb.Counts{}
		for i, w := range group {
			if i > 0 {
				failpoint.Hit(failpoint.InGroup)
			}
			var err error
			if w.Verdict, err = f.attempt(w); err != nil {
				return err
			}
			if w.Verdict == nil {
				total.Add(w.Batch.Counts)
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
	if _, err := f.Exec("BEGIN IMMEDIATE", nil); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			_, _ = f.Exec("ROLLBACK", nil) // the database may have done so itself
		}
	}()
	if err := body(); err != nil {
		return err
	}
	done = true
	failpoint.Hit(failpoint.BeforeCommit)
	if _, err := f.Exec("COMMIT", nil); err != nil {
		return f.undecided(err)
	}
	return nil
}

// undecided handles a commit that failed. After an error of the disk, it is unknown what a
// restart will find, so nothing more is written: the next opening reads what is there. On
// a full disk nothing was committed, and the database has rolled back by itself.
func (f *fileWriter) undecided(cause error) error {
	_, err := f.Exec("ROLLBACK", nil)
	if code(cause) == sqlite3.SQLITE_IOERR || err != nil && code(cause) != sqlite3.SQLITE_FULL {
		f.broken = fmt.Errorf("%w: %w", ErrBroken, cause)
		return fmt.Errorf("%w: %w", sqldb.ErrOutcomeUnknown, cause)
	}
	return cause
}

// attempt applies one batch within a savepoint. err is for what spoils the
// whole transaction.
func (f *fileWriter) attempt(w *sqldb.Waiter) (verdict, err error) {
	if err := w.Ctx.Err(); err != nil {
		return err, nil
	}
	if _, err := f.Exec("SAVEPOINT unit", nil); err != nil {
		return nil, err
	}
	if verdict = f.apply(w.Batch); verdict == nil {
		_, err = f.Exec("RELEASE unit", nil)
		return nil, err
	}
	if _, err := f.Exec("ROLLBACK TO unit", nil); err != nil {
		return nil, errors.Join(verdict, err)
	}
	if _, err := f.Exec("RELEASE unit", nil); err != nil {
		return nil, err
	}
	return cmp.Or(w.Batch.Unchanged(context.Background(), f), verdict), nil
}

// apply checks what a batch has read and takes its steps.
func (f *fileWriter) apply(b *sqldb.Batch) error {
	for _, g := range b.Guards {
		if g.Covered {
			continue
		}
		if ok, err := g.Holds(context.Background(), f); err != nil {
			return err
		} else if !ok {
			return sqldb.ErrRerun
		}
	}
	for _, s := range b.Steps {
		if err := f.take(s); err != nil {
			return err
		}
	}
	return nil
}

// take runs one step.
func (f *fileWriter) take(s sqldb.Step) error {
	met, err := f.meets(s)
	switch {
	case err != nil:
		return err
	case !met && s.Refuse != nil:
		return cmp.Or(s.Refuse(context.Background(), f), sqldb.ErrRefused)
	}
	return nil
}

// meets runs one step and reports whether it touched or found a row.
func (f *fileWriter) meets(s sqldb.Step) (bool, error) {
	if s.Asks {
		var n int64
		return sqldb.One(context.Background(), f, s.SQL, s.Args, &n)
	}
	n, err := f.Exec(s.SQL, s.Args)
	if err == nil && n == 0 && s.Or != "" {
		n, err = f.Exec(s.Or, s.Args)
	}
	return n > 0, err
}

// count brings the counters of lists up to date, once a transaction.
func (f *fileWriter) count(total sqldb.Counts) error {
	for _, list := range slices.Sorted(maps.Keys(total)) {
		if total[list] == 0 {
			continue
		}
		n, err := f.Exec("UPDATE counters SET rows = rows + ? WHERE list = ?", []any{total[list], list})
		if err == nil && n == 0 {
			_, err = f.Exec("INSERT INTO counters (list, rows) VALUES (?, ?)", []any{list, total[list]})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
