package sqldb

import "errors"

var (
	// ErrOutcomeUnknown says that a commit was cut off in a way that leaves
	// open whether the unit is in the store.
	ErrOutcomeUnknown = errors.New("sqlstore: it is not known whether the unit was committed")
	// ErrClosed refuses work on a store that is closed.
	ErrClosed = errors.New("sqlstore: the store is closed")
	// ErrRerun is the verdict on a unit that read what has changed since: its body
	// runs again.
	ErrRerun = errors.New("sqlstore: a row that the unit read has changed")
	// ErrRefused is the refusal of a step that gives no reason.
	ErrRefused = errors.New("sqlstore: a step was refused")
)
