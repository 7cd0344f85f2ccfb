package links

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/lease"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Links() Store
	Businesses() business.Store
	Leases() lease.Store
}

// Store keeps links and their tallies within a unit of work. Every update compares
// the row's Version with the stored one (ferry.ErrStale) and raises it.
type Store interface {
	// Insert adds a link; ErrSlugTaken when any business of any environment has
	// one of that slug, in whatever letter case.
	Insert(context.Context, Link) error
	// Link returns a link of the scope, or ErrNotFound.
	Link(context.Context, ferry.Scope, ID) (Link, error)
	// BySlug returns the link of any business that has a slug, in whatever letter
	// case, or ErrNotFound. It is a read by key.
	BySlug(ctx context.Context, slug string) (Link, error)
	// Update replaces a link. Its slug and time of creation stay.
	Update(context.Context, Link) error
	// List lists links, newest first. A page costs the same however many there
	// are when the filter is empty.
	List(context.Context, ferry.Scope, Filter, ferry.Page) (ferry.List[Link], error)

	// Tally returns the tally of a link, or an empty one of Version 0 when there
	// is none. It is a read by key.
	Tally(context.Context, ferry.Scope, ID) (Tally, error)
	// PutTally writes a tally, new when its Version is 0, else compared with the
	// stored one: ferry.ErrStale.
	PutTally(context.Context, Tally) error
}
