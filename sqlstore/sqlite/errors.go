package sqlite

import "errors"

var (
	// ErrBroken refuses to write after a commit whose outcome is unknown. The
	// store must be closed and opened again.
	ErrBroken = errors.New("sqlite: the database failed in a commit")
	// ErrInUse refuses to open a file that another store has open.
	ErrInUse = errors.New("sqlite: the file is in use by another process")
	// ErrForeign refuses a file that another program has made.
	ErrForeign = errors.New("sqlite: the file is not a database of ferry")
)
