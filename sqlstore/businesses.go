package sqlstore

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/records"
)

var (
	businessRows = defineKind(business.Kind)
	apiKeyRows   = defineKind(business.KeyKind)
)

type businessStore struct {
	kindTable[ferry.BusinessID, business.Business]
}

// Businesses returns the port of tenants and their keys.
func (u *unit) Businesses() business.Store { return businessStore{businessRows.in(u)} }

func (s businessStore) Keys() records.Table[business.KeyID, business.Key] {
	return apiKeyRows.in(s.unit)
}
