// Package business keeps the tenants of an engine: who they are, what they
// prefer, and the API keys by which their programs are known
// (docs/api.md, "Business", "API keys", "Authentication").
//
//	key: active ──rotate──> active until its overlap ends ──time──> expired
//	           └──revoke──> revoked <──revoke──┘
//
// A key is shown when it is made and never again. The store has its keyed
// digest, by which it is found.
//
// What a program needs, on the service Engine.Businesses:
//
//   - [Service.Create]: a [Business] with its first keys; Engine.CreateTenant does more
//   - [Service.Business] and [Service.Update], with [UpdateParams]: its preferences
//   - [Service.CreateKey]: a key with a [KeyType] and some [KeyScope]; [Minted] has its text
//   - [Service.Keys], [Service.RotateKey] and [Service.RevokeKey]: keys over time
//   - [Service.Authenticate]: whose key a text is
//   - [Pepper]: the key of digests, a setting of the engine
//   - [DialectA] and [DialectB]: the two forms of some requests
//
// Methods whose names end in In join the caller's unit of work. [Config], [Tx] and the kinds
// of records are for the engine and the stores.
package business

import (
	"time"

	"github.com/ferrypay/ferry"
)

// Business is one tenant in one environment. The same business in the other
// environment has the same id and a name, preferences and keys of its own.
type Business struct {
	Scope ferry.Scope
	Name  string
	Preferences
	// SourceAccounts are the bank accounts that payouts and fiat transfers
	// name as their source.
	SourceAccounts []SourceAccount
	CreatedAt      time.Time
	UpdatedAt      time.Time
	Version        int64
}

// SourceAccount is a bank account owned by a business.
type SourceAccount struct {
	ID            string // bank_*
	AccountNumber string
	BankCode      string
	BankName      string
	AccountName   string
}

// Dialect is one of the two forms in which the specification describes some
// routes.
type Dialect string

const (
	// DialectA is the older form.
	DialectA Dialect = "A"
	// DialectB is the newer form and the default.
	DialectB Dialect = "B"
)

// Settlement says what becomes of collected USDC.
type Settlement string

const (
	// Hold keeps USDC in the business's wallet.
	Hold Settlement = "hold"
	// Convert credits NGN at the quoted rate.
	Convert Settlement = "convert"
)

// MismatchPolicy says what becomes of a payment of another amount than expected.
type MismatchPolicy string

const (
	// Strict returns or holds what does not fit.
	Strict MismatchPolicy = "strict"
	// Accept takes what arrived as the payment.
	Accept MismatchPolicy = "accept"
)

// PaymentMethod is a way in which payers may pay.
type PaymentMethod string

const (
	// BankTransfer is payment into a bank account made for the payer.
	BankTransfer PaymentMethod = "bank-transfer"
	// Crypto is payment in USDC.
	Crypto PaymentMethod = "crypto"
)

// AllMethods are all ways to pay, the default first.
func AllMethods() []PaymentMethod { return []PaymentMethod{BankTransfer, Crypto} }

// Preferences are what a business chooses (docs/api.md, "Business").
type Preferences struct {
	// APIVariant is the dialect of requests that do not name one.
	APIVariant       Dialect
	CustomerPaysFee  bool
	CryptoSettlement Settlement
	// PaymentMethods are offered to payers, in this order.
	PaymentMethods []PaymentMethod
	// RedirectHosts are the hosts payers may be sent back to; empty means any, but
	// none for orders of the public key in live mode.
	RedirectHosts  []string
	MismatchPolicy MismatchPolicy
	// Support is how payers reach the business.
	Support Support
	// Branding is how its pages look.
	Branding Branding
}

// Support is how payers reach a business. Each may be empty.
type Support struct{ Email, Phone, URL string }

// DefaultPreferences are those of a new business.
func DefaultPreferences() Preferences {
	return Preferences{
		APIVariant:       DialectB,
		CryptoSettlement: Hold,
		PaymentMethods:   AllMethods(),
		MismatchPolicy:   Strict,
	}
}
