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

// Store has the rows of all kinds within a unit of work, as a backend keeps them. Domains
// call the methods of Kind, which give the rows their types and call Store.
//
// Store takes a row as a Bound, which stays the caller's. It returns a pointer to a row
// that is stored, and nobody writes through that pointer. The methods of Kind copy rows, with
// the maps and slices in them, on the way in and out.
//
// Who owns a row, its key, its time of creation and its fixed columns never change. A
// row of another scope is not there: it is neither read nor updated. The scope of rows
// without a business has an environment only, that of rows without an owner is zero.
// Writes in a unit that only reads return ferry.ErrReadOnly.
type Store interface {
	// Insert adds a row with version 1, whatever the row says itself. A name that
	// another row has is refused with the error of that name, as row.Refusal makes it, at once or
	// when the unit commits.
	Insert(ctx context.Context, kind *Shape, row *Bound) error
	// Get returns a row of the scope, or the error of a missing one.
	Get(ctx context.Context, kind *Shape, scope ferry.Scope, id string) (any, error)
	// Peek is Get of a row on which the unit does not depend. The row may be an old one, and
	// the unit commits also when another unit changes it. So decide by it only what is right
	// for every state of the row.
	Peek(ctx context.Context, kind *Shape, scope ferry.Scope, id string) (any, error)
	// Prefetch says that the unit will read a row by Get, Peek or Anyones. It changes no answer:
	// a store may read all such rows together with its next query, or ignore the call.
	Prefetch(kind *Shape, scope ferry.Scope, id string)
	// PrefetchNamed is Prefetch of a row that the unit will read by Find.
	PrefetchNamed(kind *Shape, by *Unique, like *Bound)
	// PrefetchOf is Prefetch of the rows that have these ids.
	PrefetchOf(kind *Shape, ids Values)
	// PrefetchAfter is Prefetch of rows that the unit will read by After, with a query for
	// an env, a business and one value of the column By.
	PrefetchAfter(Rows)
	// PrefetchPage is Prefetch of what the unit will read by Page, for the same kind, scope, query
	// and page.
	PrefetchPage(Rows)
	// Expect says that a row is as it was when an earlier unit read or wrote it. It changes
	// no answer: a store may take the row in place of reading it, when the unit runs again
	// with the stored row if that has changed, or ignore the call.
	Expect(kind *Shape, row *Bound)
	// Anyones returns the row with the same key as like whosever it is, or the error of a
	// missing one. It reads only the columns of the key of like.
	Anyones(ctx context.Context, kind *Shape, like *Bound) (any, error)
	// Find returns the row with the same unique name as like, or the error of a missing
	// row. It reads only the columns of that name of like.
	Find(ctx context.Context, kind *Shape, by *Unique, like *Bound) (any, error)
	// Update replaces a row and adds 1 to its version. A row that has moved on since
	// it was read is ferry.ErrStale.
	Update(ctx context.Context, kind *Shape, row *Bound) error
	// After returns rows of all owners that the query selects: those after the given id, in
	// the order of their ids, at most limit. When the key of the kind has an env or a
	// business, the query must name it, so that an id names one row.
	After(ctx context.Context, kind *Shape, q Query, after string, limit int) ([]any, error)
	// Page returns one page of the rows of a scope that the query selects, newest
	// first, and how many there are. A page of a counted list costs the same however
	// many rows there are. Only rows of kinds with lists have pages.
	Page(ctx context.Context, kind *Shape, scope ferry.Scope, q Query, page ferry.Page) (ferry.List[any], error)
	// Purge removes rows of an environment that were made before an instant, the oldest
	// first and at most limit, and returns how many it removed. It removes only rows of kinds
	// that are Purged. A unit may have read a row that is then purged. When another row with
	// the same key comes, the unit does not take it for the purged one.
	Purge(ctx context.Context, kind *Shape, env ferry.Env, before time.Time, limit int) (int, error)
}
