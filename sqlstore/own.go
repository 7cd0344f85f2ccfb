package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/store"
)

// Own is the tables of a program that embeds the engine, within a unit of work of a
// Store: they are in the same database, and what is written to them is committed with
// the unit or not at all. Store.Define makes the tables.
//
// A unit buffers, and so does Own. Exec and Must add a statement to those that the unit
// commits, in order, and return before it runs. An error of the database is the error of
// Write. Query reads the snapshot with which the unit began: it does not see what Exec
// added. Nothing checks that what it read is still so when the unit commits, but Guard:
// use it for what a decision depends on. The body of a unit may run again, and its
// statements are then those of the last run.
//
// A statement is one INSERT, UPDATE, DELETE, or for Query and Guard one SELECT, in SQL
// of the database at hand, without a semicolon or RETURNING, and with ? for values. Its
// text is kept, so that values never stand in it. Statements of several units are
// committed in one transaction: a slow one makes all wait. Tables of ferry are to be left
// alone: nothing about them is promised.
type Own struct{ unit *unit }

var (
	// ErrNotSQL refuses a unit of another backend.
	ErrNotSQL = errors.New("sqlstore: the unit of work is not one of a SQL database")
	// ErrStatement refuses what is not one statement of the kind that is asked for.
	ErrStatement = errors.New("sqlstore: not one statement of that kind")
)

// OwnOf returns the program's own tables within a unit, such as a listener of an engine
// is given, or ErrNotSQL.
func OwnOf(tx store.Ports) (Own, error) {
	u, found := store.As[*unit](tx)
	if !found {
		return Own{}, ErrNotSQL
	}
	return Own{u}, nil
}

// Exec adds a statement that may touch any number of rows. Errors: ErrStatement,
// ferry.ErrReadOnly in a read unit.
func (o Own) Exec(statement string, args ...any) error { return o.do(nil, statement, args) }

// Must is Exec for a statement that has to touch a row. When it touches none, nothing of
// the unit remains, and Write returns refused.
func (o Own) Must(refused error, statement string, args ...any) error {
	return o.do(sqldb.Refusal(refused), statement, args)
}

func (o Own) do(refuse func(context.Context, sqldb.Asker) error, statement string, args []any) error {
	if err := oneOf(statement, "INSERT", "UPDATE", "DELETE"); err != nil {
		return err
	}
	if err := o.unit.writable(); err != nil {
		return err
	}
	o.unit.do(refuse, statement, args...)
	return nil
}

// Query calls each for every row of the snapshot that a SELECT finds; scan reads the row.
func (o Own) Query(ctx context.Context, query string, args []any, each func(scan func(into ...any) error) error) error {
	if err := oneOf(query, "SELECT"); err != nil {
		return err
	}
	return o.unit.query(ctx, query, args, each)
}

// Guard makes the unit depend on a SELECT that has found a row: if it finds none when the
// unit commits, the body runs again. Errors: ErrStatement, ferry.ErrReadOnly in a read unit.
func (o Own) Guard(query string, args ...any) error {
	if err := oneOf(query, "SELECT"); err != nil {
		return err
	}
	if err := o.unit.writable(); err != nil {
		return err
	}
	// The first column is read as a number: what the program selects does not matter.
	o.unit.remember(rowKey{"own", fmt.Sprint(query, args)}, "SELECT 1 FROM ("+query+") AS own", args...)
	return nil
}

// oneOf refuses a text that is not one statement of the given kinds.
func oneOf(statement string, kinds ...string) error {
	word, _, _ := strings.Cut(strings.TrimSpace(statement), " ")
	for _, kind := range kinds {
		if strings.EqualFold(word, kind) && !strings.Contains(statement, ";") {
			return nil
		}
	}
	return fmt.Errorf("%w (%s): %s", ErrStatement, strings.Join(kinds, ", "), statement)
}

// Define runs statements that make a program's own tables, as CREATE TABLE IF NOT EXISTS,
// in one transaction, while no unit commits. Table names of ferry never begin with own_.
// Reset empties these tables too.
func (s *Store) Define(ctx context.Context, statements ...string) error {
	if err := s.db.Update(ctx, func(w sqldb.Writer) error { return sqldb.ExecAll(w, statements) }); err != nil {
		return fmt.Errorf("sqlstore: define: %w", err)
	}
	return nil
}
