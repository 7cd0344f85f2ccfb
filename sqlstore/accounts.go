package sqlstore

import "github.com/ferrypay/ferry/payments/accounts"

var accountRows = defineKind(accounts.AccountKind)

// Accounts returns the port of collection accounts.
func (u *unit) Accounts() accounts.Store { return accountRows.in(u) }
