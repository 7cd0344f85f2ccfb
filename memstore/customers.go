package memstore

import (
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/records"
)

type customerTables struct {
	customers  shelf[customers.ID, customers.Customer]
	identities shelf[customers.IdentityID, customers.Identity]
	trails     shelf[customers.Subject, customers.Trail]
}

type customerStore struct {
	kindTable[customers.ID, customers.Customer]
}

// Customers returns the port of customers and their identities.
func (u *unit) Customers() customers.Store {
	return customerStore{tableOf(u, customers.CustomerKind, &u.tables.customers.customers)}
}

func (s customerStore) Identities() records.Table[customers.IdentityID, customers.Identity] {
	return tableOf(s.unit, customers.IdentityKind, &s.tables.customers.identities)
}

func (s customerStore) Trails() records.Table[customers.Subject, customers.Trail] {
	return tableOf(s.unit, customers.TrailKind, &s.tables.customers.trails)
}
