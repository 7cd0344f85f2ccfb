package sqlstore

import (
	"github.com/ferrypay/ferry/wallets"
)

type walletStore struct{ *unit }

var _ wallets.Store = walletStore{}

// Wallets returns the port of wallets, their addresses and transfers.
func (u *unit) Wallets() wallets.Store { return walletStore{u} }
