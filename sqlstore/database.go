package sqlstore

import "context"

// database is what a kind of SQL database does for a store. All else is written
// once, in SQL that both kinds understand, with ? for parameters.
type database interface {
	// begin opens a snapshot for one unit.
	begin(ctx context.Context) (snapshot, error)
	// commit applies a batch, all of it or nothing. It returns errRerun when
	// a guard does not hold, and the refusal of a step that touched no row.
	// A batch that waits when ctx ends is not applied; one that is being
	// applied is not disturbed.
	commit(ctx context.Context, b *batch) error
	// alone waits until no other batch is being applied and keeps the others
	// waiting until the turn ends.
	alone(ctx context.Context) (turn, error)
	// post returns the steps that write a posting.
	post(j journal) []step
	// fences returns n fencing numbers, each greater than all before it.
	fences(ctx context.Context, n int) ([]int64, error)
	// now is the SQL of the time in which leases run: the microsecond at which
	// the statement runs, by the database's clock.
	now() string
	// look opens a snapshot for a reader on which holders of a snapshot of begin
	// may wait.
	look(ctx context.Context) (snapshot, error)
	// update runs body in a transaction while no other one writes. It commits
	// when body returns nil.
	update(ctx context.Context, body func(writer) error) error
	// clear removes the rows of all tables except the kept ones, while no other
	// transaction writes.
	clear(ctx context.Context, kept []string) error
	close(ctx context.Context) error
}

// turn is the time during which one unit has the database for itself.
type turn interface {
	commit(ctx context.Context, b *batch) error
	end()
}

// asker runs queries.
type asker interface {
	// query calls each for every row of a result; scan reads the row.
	query(ctx context.Context, sql string, args []any, each func(scan func(...any) error) error) error
}

// eachRow calls each for every row of a result.
func eachRow(rows interface {
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

// writer runs statements in a transaction, and queries that see what they did.
type writer interface {
	asker
	// exec runs a statement and returns how many rows it touched.
	exec(sql string, args []any) (int64, error)
}

// snapshot is one consistent state of the database.
type snapshot interface {
	asker
	end()
}
