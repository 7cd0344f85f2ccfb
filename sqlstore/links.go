package sqlstore

import (
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/records"
)

var (
	linkRows  = defineKind(links.LinkKind)
	tallyRows = defineKind(links.TallyKind)
)

type linkStore struct {
	kindTable[links.ID, links.Link]
}

// Links returns the port of payment links.
func (u *unit) Links() links.Store { return linkStore{linkRows.in(u)} }

func (s linkStore) Tallies() records.Table[links.ID, links.Tally] { return tallyRows.in(s.unit) }
