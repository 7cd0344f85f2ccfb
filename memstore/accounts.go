package memstore

import "github.com/ferrypay/ferry/payments/accounts"

type accountTables struct {
	accounts shelf[accounts.ID, accounts.Account]
}

// Accounts returns the port of collection accounts.
func (u *unit) Accounts() accounts.Store {
	return tableOf(u, accounts.AccountKind, &u.tables.accounts.accounts)
}
