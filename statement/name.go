package statement

import (
	"errors"

	"github.com/ferrypay/ferry"
)

// Name is what an order is called: its trx_id, and by whom. Orders that come with a
// public key, which anybody has who sees the shop's page, have names of their own, so that
// a stranger's order neither takes nor blocks a name of the shop's.
type Name struct {
	TrxID  string
	Public bool
}

// PublicMark stands in columns before the name of an order that came with a public key.
// No trx_id begins with it.
const PublicMark = "~"

// Named returns what a business means by a trx_id: its own order of that name, or else
// the one that came with a public key. ByName finds one of them, or returns an error of
// ferry.NotFound.
func Named[R any](trxID string, byName func(Name) (R, error)) (R, error) {
	own, err := byName(Name{TrxID: trxID})
	if !errors.Is(err, ferry.NotFound) {
		return own, err
	}
	return byName(Name{TrxID: trxID, Public: true})
}
