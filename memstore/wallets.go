package memstore

import "github.com/ferrypay/ferry/wallets"

type walletTables struct {
	surplus roster // custodies by scope and surplus, where there is one
}

type walletStore struct{ *unit }

var _ wallets.Store = walletStore{}

// Wallets returns the port of sums and lists of addresses.
func (u *unit) Wallets() wallets.Store { return walletStore{u} }
