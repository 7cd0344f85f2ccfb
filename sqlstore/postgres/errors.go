package postgres

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/store"
)

// outcome returns the error of a commit: ErrOutcomeUnknown when the server has
// not said what became of it.
func outcome(err error) error {
	if err == nil || answered(err) {
		return err
	}
	return fmt.Errorf("%w: %w", sqldb.ErrOutcomeUnknown, err)
}

// unavailable returns an error of work that has not come to its commit:
// store.ErrUnavailable, unless the server has answered.
func unavailable(err error) error {
	if err == nil || answered(err) {
		return err
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
}

// answered reports whether an error is the server's word that it has done
// nothing, and not the end of the connection.
func answered(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.SeverityUnlocalized == "ERROR"
}

// passing reports whether an error says that the same may succeed at once.
func passing(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && strings.HasPrefix(pg.Code, "40") // serialization failure, deadlock
}
