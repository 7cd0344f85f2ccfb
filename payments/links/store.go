package links

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Links() Store
	Businesses() business.Store
	Leases() lease.Store
}

// Store keeps links and their tallies within a unit of work. It is the table of links
// itself.
type Store interface {
	records.Listed[ID, Link]
	Tallies() records.Table[ID, Tally]
}

// TallyOf returns the tally of a link, or an empty one of version 0.
func TallyOf(ctx context.Context, store Store, scope ferry.Scope, id ID) (Tally, error) {
	return TallyKind.GetOr(ctx, store.Tallies(), Tally{Link: id, Scope: scope})
}
