package sqldb

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
)

// Database is what a kind of SQL database does for a store. All else is written
// once, in SQL that both kinds understand, with ? for parameters.
type Database interface {
	// Begin opens a snapshot for one unit.
	Begin(ctx context.Context) (Snapshot, error)
	// Commit applies a batch, all of it or nothing. It returns errRerun when
	// a guard does not hold, and the refusal of a step that touched no row.
	// A batch that waits when ctx ends is not applied; one that is being
	// applied is not disturbed.
	Commit(ctx context.Context, b *Batch) error
	// Alone waits until no other batch is being applied and keeps the others
	// waiting until the turn ends.
	Alone(ctx context.Context) (Turn, error)
	// Post returns the steps that write a posting.
	Post(j Journal) []Step
	// Now is the SQL of the time in which leases run: the microsecond at which
	// the statement began, by the database's clock.
	Now() string
	// List is the SQL of a query that returns some rows of texts, and its parameters. It has the same
	// text for any number of rows.
	List(columns int, rows [][]string) (sql string, args []any)
	// OneOfEach is the SQL of what a query reads from: each row of a list beside the row of a table
	// for which a condition holds. FirstOfEach is that for the first such row in an order; the key of
	// the table is id. Each row is looked up by index, whatever the database knows of the table.
	OneOfEach(list, table, where string) string
	FirstOfEach(list, table, where, order string) string
	// Waiting is the SQL of the part steps (now, queue, owner, due, key, round, fence, place) of a query, with
	// what it needs: of each queue and owner the first keys of due_work that are Free, the longest due first,
	// with their places among those of the owner, as far as they are due and there is room. A key beyond that
	// may be among them. The query has the parts asked (queue, now, clock), the queues with the time in which
	// leases run, and room (owner, most, held). The one parameter is the room of an owner that is not listed
	// there.
	Waiting() string
	// Ask runs one query on its own, outside of any snapshot. Holders of a snapshot of
	// Begin may wait for it.
	Ask(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error
	// AskFenced is Ask with a fencing number before the columns of each row. It is greater
	// than all that were drawn before the query.
	AskFenced(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error
	// Update runs body in a transaction while no other one writes. It commits
	// when body returns nil.
	Update(ctx context.Context, body func(Writer) error) error
	// Clear removes the rows of all tables except the kept ones, while no other
	// transaction writes.
	Clear(ctx context.Context, kept []string) error
	Close(ctx context.Context) error
}

// Free is the condition that no claim of a key of due_work runs, for the table by its name in a query, and
// a moment of Now. Claimed keys stay in the indexes by which due ones are found, so that a claim changes no
// index. They are few.
func Free(table, now string) string {
	return "(" + table + ".fence = 0 OR " + table + ".leased_until <= " + now + ")"
}

// ByDue and ByOwner are conditions that hold for each key of due_work. A query that says one of them may use
// the index of keys in the order in which they are due, or that of the keys of each owner. No other query
// does: PostgreSQL, when it believes that there are few keys, would look for one of them, or for those of one
// owner, in any index that begins with their queue.
const (
	ByDue   = "due > -9000000000000000000"
	ByOwner = "owner >= ''"
)

// Migrate brings the tables of a database up to date.
type Migrate func(ctx context.Context, db *sql.DB, dialect goose.Dialect, options ...goose.ProviderOption) error

// Opener opens a database of one kind, whose tables it has migrated before anything else.
type Opener func(ctx context.Context, migrate Migrate) (Database, error)

// Turn is the time during which one unit has the database for itself.
type Turn interface {
	Commit(ctx context.Context, b *Batch) error
	End()
}

// Asker runs queries.
type Asker interface {
	// Query calls each for every row of a result; scan reads the row.
	Query(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error
}

// EachRow calls each for every row of a result.
func EachRow(rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
}, each func(scan func(...any) error) error) error {
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// One reads the row that a query finds, and reports whether there is one.
func One(ctx context.Context, a Asker, sql string, args []any, into ...any) (found bool, err error) {
	err = a.Query(ctx, sql, args, func(scan func(...any) error) error {
		found = true
		return scan(into...)
	})
	return found, err
}

// Writer runs statements in a transaction, and queries that see what they did.
type Writer interface {
	Asker
	// Exec runs a statement and returns how many rows it touched.
	Exec(sql string, args []any) (int64, error)
}

// Query is a query and what is done with its result: Each is called for every row of it.
type Query struct {
	SQL  string
	Args []any
	Each func(scan func(...any) error) error
}

// Snapshot is one consistent state of the database.
type Snapshot interface {
	Asker
	// All runs queries in their order, in one round trip.
	All(ctx context.Context, queries ...Query) error
	End()
}

// Named returns pairs of a name and a text.
func Named(ctx context.Context, from Asker, sql string) (map[string]string, error) {
	found := map[string]string{}
	err := from.Query(ctx, sql, nil, func(scan func(...any) error) error {
		var name, text string
		if err := scan(&name, &text); err != nil {
			return err
		}
		found[name] = text
		return nil
	})
	return found, err
}

func ExecAll(w Writer, statements []string) error {
	for _, sql := range statements {
		if _, err := w.Exec(sql, nil); err != nil {
			return err
		}
	}
	return nil
}
