package sqlstore

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

type walletStore struct{ *unit }

var _ wallets.Store = walletStore{}

// Wallets returns the port of wallets, their addresses and transfers.
func (u *unit) Wallets() wallets.Store { return walletStore{u} }

// walletLists names the lists of what belongs to wallets: that of a scope and that
// of a wallet, each in every status and in one.
func walletLists(table string, scope ferry.Scope, id wallets.ID, status string) []string {
	return []string{
		walletList(table, scope, "", ""), walletList(table, scope, "", status),
		walletList(table, scope, id, ""), walletList(table, scope, id, status),
	}
}

// walletList names one of them; an empty wallet or status stands for every one.
func walletList(table string, scope ferry.Scope, id wallets.ID, status string) string {
	return listName(table, scope, string(id), status)
}
