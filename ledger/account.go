package ledger

import (
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// AccountID names an account. Domains derive it from the record that the
// account belongs to (see the functions below), so that it needs no look-up.
type AccountID string

// Account is one place where money of one asset is.
//
// A counted account carries a running balance and never holds less than
// nothing. An uncounted account (the bank and the chain as seen from inside,
// fees, suspense) has no limit and no balance row: Posted and Reserved read as
// zero, Audit sums its entries, and any number of units may post to it at once.
type Account struct {
	ID AccountID
	// Scope owns the account. Business is empty for accounts of the engine itself.
	Scope ferry.Scope
	Asset money.Asset
	// Control is the counted account that sums this one and its siblings: a
	// wallet over its addresses. Empty for none. Only its Posted and Reserved
	// move, with those of its subsidiaries; nothing is posted to it directly.
	Control AccountID
	// Uncounted marks an account without limit and balance row.
	Uncounted bool

	// Posted is the sum of the account's entries.
	Posted money.Amount
	// Reserved is the part of Posted that open reservations hold.
	Reserved money.Amount
}

// Available is what may be reserved or sent: posted - reserved.
func (a Account) Available() money.Amount {
	left, err := a.Posted.Sub(a.Reserved)
	if err != nil {
		panic(fmt.Sprintf("ledger: account %s: %v", a.ID, err)) // the store keeps 0 <= reserved <= posted
	}
	return left
}

// AddressAccount is the account of a custody address.
func AddressAccount(addressID string) AccountID { return AccountID("address:" + addressID) }

// WalletAccount is the control account over a wallet's addresses.
func WalletAccount(walletID string) AccountID { return AccountID("wallet:" + walletID) }

// BusinessAccount is a business's own balance of an asset that is held for it
// outside wallets: its NGN.
func BusinessAccount(scope ferry.Scope, asset money.Asset) AccountID {
	return AccountID("business:" + string(scope.Env) + ":" + string(scope.Business) + ":" + asset.String())
}

// System names the uncounted accounts that each environment has for each asset.
type System string

const (
	// Chain mirrors what the blockchain holds for us.
	Chain System = "chain"
	// Bank mirrors what banks hold for us.
	Bank System = "bank"
	// NetworkFees collects what senders pay for chain transfers.
	NetworkFees System = "network_fees"
	// PlatformFees collects the platform's own fees.
	PlatformFees System = "platform_fees"
	// ProcessingFees collects what the means of payment cost.
	ProcessingFees System = "processing_fees"
	// Suspense holds money whose owner is not known yet.
	Suspense System = "suspense"
	// Returns holds money on its way back to its sender.
	Returns System = "returns"
	// Cards mirrors what acquirers of cards and mobile wallets owe us.
	Cards System = "cards"
	// Billers mirrors what billers hold for us, and have sold for it.
	Billers System = "billers"
	// Exchange is the platform's other side of a conversion.
	Exchange System = "exchange"
	// Offramps is the platform's other side of offramps: the naira that it gives for USDC.
	Offramps System = "offramps"
	// Onramps is the platform's other side of onramps: the naira that came in for USDC.
	Onramps System = "onramps"
)

var systems = []System{Chain, Bank, NetworkFees, PlatformFees, ProcessingFees, Suspense, Returns, Cards, Exchange, Offramps, Billers, Onramps}

// SystemAccount is the environment's account of that name and asset.
func SystemAccount(env ferry.Env, name System, asset money.Asset) AccountID {
	return AccountID("system:" + string(env) + ":" + string(name) + ":" + asset.String())
}

// SystemAccounts lists every account that an environment has before any
// business: the engine opens them once.
func SystemAccounts(env ferry.Env) []Account {
	var all []Account
	for _, asset := range []money.Asset{money.AssetNGN, money.AssetUSDC} {
		for _, name := range systems {
			all = append(all, Account{
				ID:        SystemAccount(env, name, asset),
				Scope:     ferry.Scope{Env: env},
				Asset:     asset,
				Uncounted: true,
			})
		}
	}
	return all
}
