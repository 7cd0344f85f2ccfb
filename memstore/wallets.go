package memstore

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

type walletTables struct {
	surplus index[ferry.Scope, string] // custodies by surplus, where there is one
}

type walletStore struct{ *unit }

var _ wallets.Store = walletStore{}

// Wallets returns the port of sums and lists of addresses.
func (u *unit) Wallets() wallets.Store { return walletStore{u} }

func (s walletStore) rows() *walletTables { return &s.tables.wallets }
