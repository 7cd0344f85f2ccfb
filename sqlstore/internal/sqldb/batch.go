package sqldb

import (
	"context"
)

// Batch is what a unit wants to commit: the guards hold, then the steps are
// taken in order.
type Batch struct {
	Guards []*Guard
	Steps  []Step
	Counts Counts
}

// Empty reports whether there is nothing to write. What such a unit read was one
// snapshot, so there is nothing to check either.
func (b *Batch) Empty() bool { return len(b.Steps) == 0 }

// Unchanged returns errRerun when something that a refused batch has read has
// changed: its refusal then means nothing, and the body runs again.
func (b *Batch) Unchanged(ctx context.Context, a Asker) error {
	for _, g := range b.Guards {
		if ok, err := g.Holds(ctx, a); err != nil {
			return err
		} else if !ok {
			return ErrRerun
		}
	}
	return nil
}

// Guard is a query that finds a row as long as what a unit has read is still so.
type Guard struct {
	SQL  string
	Args []any
	// Covered: a step asks the same, so that the guard is asked only to
	// explain why the step was refused.
	Covered bool
}

func (g *Guard) Holds(ctx context.Context, a Asker) (bool, error) {
	var n int64
	return One(ctx, a, g.SQL, g.Args, &n)
}

// Step is one statement of a unit.
type Step struct {
	SQL  string
	Args []any
	// Asks marks a statement that returns rows instead of changing some.
	Asks bool
	// Checked marks a statement that fails of itself when it must be refused.
	Checked bool
	// Keyed marks the insert of one row that can be refused only because its primary key is
	// taken. It ends with UnlessTaken.
	Keyed bool
	// Row is the text of the row in a keyed insert, to which others may be added. It is empty
	// when the database numbers the rows.
	Row string
	// Of names the row of a statement that finds one row by its key, and reads and changes nothing else. So
	// steps of different rows may be taken in any order, or together. An UPDATE or DELETE has the word WHERE
	// in it once.
	Of string
	// Or is a statement with the same parameters, which is taken when SQL touches no row. It ends with
	// its conditions. Only a statement that must touch a row has one.
	Or string
	// Counts marks a statement that counts up what later inserts take a number from. It is never
	// refused, and nothing else in a batch touches its table.
	Counts bool
	// Refuse returns the error of a unit whose step touched or found no row.
	// It sees the state in which that happened. Nil: any number will do.
	Refuse func(ctx context.Context, a Asker) error
}

// UnlessTaken makes an insert skip a row whose key is taken.
const UnlessTaken = " ON CONFLICT DO NOTHING"

// PowerOfTwo returns the least one that is not less than n: how many values a statement has for n of them,
// so that there are few different texts, which are prepared one by one.
func PowerOfTwo(n int) int {
	power := 1
	for power < n {
		power *= 2
	}
	return power
}

// Refusal returns what a step with a fixed error is refused with.
func Refusal(err error) func(context.Context, Asker) error {
	return func(context.Context, Asker) error { return err }
}

// Counts is what to add to the counters of lists, by their names.
type Counts map[string]int64

func (c Counts) Add(more Counts) {
	for list, n := range more {
		c[list] += n
	}
}
