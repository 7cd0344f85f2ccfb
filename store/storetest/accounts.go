package storetest

import (
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	provider "github.com/ferrypay/ferry/provider/bank"
)

// collectionAccount is the n-th account of a scope, with no field empty.
func collectionAccount(scope ferry.Scope, n int) accounts.Account {
	return accounts.Account{
		ID: accounts.ID(idOf("vacc_", n)), Scope: scope, Kind: accounts.Virtual, Reference: fmt.Sprintf("order-%d", n),
		Status: accounts.Active, Amount: money.NGN(100), ValidFor: time.Hour, ExpiresAt: after(n + 3600),
		Bank:     provider.Account{BankCode: "999", BankName: "Bank", AccountNumber: fmt.Sprintf("%s%09d", scope.Env[:1], n), AccountName: "Shop"},
		Received: money.NGN(7), Count: 2, LastAt: after(n + 1),
		Identity: "idn_1", Customer: "cus_1", Email: "ada@example.com", Phone: "08012345678", CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var _ = caseOf(kindCase[accounts.ID, accounts.Account]{
	kind: accounts.AccountKind, row: collectionAccount,
	change: func(a *accounts.Account) {
		a.Status, a.Received = accounts.Completed, money.NGN(100)
	},
	vary: func(a *accounts.Account, n int) {
		if n%2 == 0 {
			a.Status, a.Customer = accounts.Closed, "cus_2"
		}
		switch n {
		case 3:
			a.Status = accounts.Expired
		case 5:
			a.Kind, a.Customer = accounts.Reserved, ""
		}
	},
})
