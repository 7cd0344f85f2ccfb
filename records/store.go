package records

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
)

// Tx is a unit of work in which there are rows.
type Tx interface {
	Records() Store
}

// Store is the rows of all kinds within a unit of work, as a backend keeps them. It is
// beneath the methods of Kind, which give the rows their types.
//
// It takes a row as a Bound, which stays the caller's. It returns a row as a pointer to one
// that is stored: nobody writes through it. The methods of Kind copy rows, with the maps and
// slices in them, on the way in and out.
//
// Who owns a row, its key, its time of creation and its fixed columns never change. A
// row of another scope is not there: it is neither read nor updated. The scope of rows
// without a business has an environment only, that of rows without an owner is zero.
// Writes in a unit that only reads return ferry.ErrReadOnly.
type Store interface {
	// Insert adds a row with version 1, whatever the row says itself. A name that
	// another row has is refused with the error of that name.
	Insert(ctx context.Context, kind *Shape, row *Bound) error
	// Get returns a row of the scope, or the error of a missing one.
	Get(ctx context.Context, kind *Shape, scope ferry.Scope, id string) (any, error)
	// Prefetch says that the unit will read a row, by Get or Anyones. It changes no answer:
	// a store may read many such rows together, with what is read next.
	Prefetch(kind *Shape, scope ferry.Scope, id string)
	// PrefetchNamed says that the unit will read a row by Find, PrefetchOf that it will
	// read, by Get or Anyones, the rows whose ids are some values, and PrefetchAfter that it
	// will walk rows by After, with the env, the business and the column By for its query.
	// They change no answer either.
	PrefetchNamed(kind *Shape, by *Unique, like *Bound)
	PrefetchOf(kind *Shape, ids Values)
	PrefetchAfter(Rows)
	// Anyones returns the row with the same key as like whosever it is, or the error of a
	// missing one. It reads only the columns of the key of like.
	Anyones(ctx context.Context, kind *Shape, like *Bound) (any, error)
	// Find returns the row with the same unique name as like, or the error of a missing
	// row. It reads only the columns of that name of like.
	Find(ctx context.Context, kind *Shape, by *Unique, like *Bound) (any, error)
	// Update replaces a row and adds 1 to its version. A row that has moved on since
	// it was read is ferry.ErrStale.
	Update(ctx context.Context, kind *Shape, row *Bound) error
	// After returns rows of all owners that the query selects, in the order of their
	// ids after the given one, at most limit. The query must say in which env or business
	// an id names one row, when the key has these.
	After(ctx context.Context, kind *Shape, q Query, after string, limit int) ([]any, error)
	// Page returns one page of the rows of a scope that the query selects, newest
	// first, and how many there are. A page of a counted list costs the same however
	// many rows there are. Only rows of kinds with lists have pages.
	Page(ctx context.Context, kind *Shape, scope ferry.Scope, q Query, page ferry.Page) (ferry.List[any], error)
	// Purge removes rows of an environment that were made before an instant, the oldest
	// first and at most limit, and returns how many there were. Only rows of kinds that
	// are Purged go. A row that comes after another one of its key was purged is not taken
	// for that one by a unit which read it before.
	Purge(ctx context.Context, kind *Shape, env ferry.Env, before time.Time, limit int) (int, error)
}
