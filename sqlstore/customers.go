package sqlstore

import (
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/records"
)

var (
	customerRows = defineKind(customers.CustomerKind)
	identityRows = defineKind(customers.IdentityKind)
	trailRows    = defineKind(customers.TrailKind)
)

type customerStore struct {
	kindTable[customers.ID, customers.Customer]
}

// Customers returns the port of customers and their identities.
func (u *unit) Customers() customers.Store { return customerStore{customerRows.in(u)} }

func (s customerStore) Identities() records.Table[customers.IdentityID, customers.Identity] {
	return identityRows.in(s.unit)
}

func (s customerStore) Trails() records.Table[customers.Subject, customers.Trail] {
	return trailRows.in(s.unit)
}
