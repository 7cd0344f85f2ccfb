package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"
)

// realPath returns the one name of a file, so that its lock is one too.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, filepath.Base(path))
	target, err := os.Readlink(path)
	switch {
	case err != nil:
		return path, nil // it is not there yet
	case !filepath.IsAbs(target):
		target = filepath.Join(folder, target)
	}
	return linked(path, target)
}

// linked is realPath for what a link leads to where nothing is yet.
func linked(path, target string) (string, error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("sqlite: the link %s leads nowhere: %w", path, err)
	}
	return realPath(target)
}

// private makes a file that only its owner may read: it holds secrets.
func (on disk) private(path string) error {
	if on != machine {
		return nil // SQLite makes it, and nobody else reads it
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// newPrivate is private for a file that may be locked. One that is there is not
// touched: closing it would give up the locks that this process has on it.
func (on disk) newPrivate(path string) error {
	if on != machine {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// lockFile takes the lock that keeps other processes out, and other stores of
// this one. The system lets go of it when the process dies.
func (on disk) lockFile(ctx context.Context, path string) (*sql.DB, error) {
	if err := on.newPrivate(path + "-lock"); err != nil {
		return nil, err
	}
	db := on.connect(path+"-lock", "journal_mode(MEMORY)", "locking_mode(EXCLUSIVE)")
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		if code(err) == sqlite3.SQLITE_BUSY {
			err = fmt.Errorf("%w: %s", ErrInUse, path)
		}
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
