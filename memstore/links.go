package memstore

import (
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/records"
)

type linkTables struct {
	links   shelf[links.ID, links.Link]
	tallies shelf[links.ID, links.Tally]
}

type linkStore struct {
	kindTable[links.ID, links.Link]
}

// Links returns the port of payment links.
func (u *unit) Links() links.Store {
	return linkStore{tableOf(u, links.LinkKind, &u.tables.links.links)}
}

func (s linkStore) Tallies() records.Table[links.ID, links.Tally] {
	return tableOf(s.unit, links.TallyKind, &s.tables.links.tallies)
}
