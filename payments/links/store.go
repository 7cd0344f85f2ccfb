package links

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
	Leases() lease.Store
}

// TallyOf returns the tally of a link, or an empty one of version 0.
func TallyOf(ctx context.Context, tx records.Tx, scope ferry.Scope, id ID) (Tally, error) {
	return TallyKind.GetOr(ctx, tx, Tally{Link: id, Scope: scope})
}
