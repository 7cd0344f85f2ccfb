package memstore

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/records"
)

type businessTables struct {
	businesses shelf[ferry.BusinessID, business.Business]
	keys       shelf[business.KeyID, business.Key]
}

type businessStore struct {
	kindTable[ferry.BusinessID, business.Business]
}

// Businesses returns the port of tenants and their keys.
func (u *unit) Businesses() business.Store {
	return businessStore{tableOf(u, business.Kind, &u.tables.businesses.businesses)}
}

func (s businessStore) Keys() records.Table[business.KeyID, business.Key] {
	return tableOf(s.unit, business.KeyKind, &s.tables.businesses.keys)
}
