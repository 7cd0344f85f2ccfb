// Package books names the accounts that deposits, transfers and custody have in common.
package books

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// Outside is what the chain holds for us, as seen from the books.
func Outside(env ferry.Env) ledger.AccountID {
	return ledger.SystemAccount(env, ledger.Chain, money.AssetUSDC)
}
