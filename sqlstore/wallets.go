package sqlstore

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

var (
	walletRows            = defineKind(wallets.WalletKind)
	walletTransferRows    = defineKind(wallets.TransferKind)
	walletTransactionRows = defineKind(wallets.TransactionKind)
)

type walletStore struct{ *unit }

var _ wallets.Store = walletStore{}

// Wallets returns the port of wallets, their addresses and transfers.
func (u *unit) Wallets() wallets.Store { return walletStore{u} }

func (s walletStore) Wallets() records.Listed[wallets.ID, wallets.Wallet] {
	return walletRows.in(s.unit)
}

func (s walletStore) Transfers() records.Table[wallets.TransferID, wallets.Transfer] {
	return walletTransferRows.in(s.unit)
}

func (s walletStore) Transactions() records.Listed[wallets.TransactionID, wallets.Transaction] {
	return walletTransactionRows.in(s.unit)
}

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
