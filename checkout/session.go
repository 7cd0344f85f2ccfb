package checkout

import (
	"context"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets"
)

// ID names a session: sess_ and 32 hexadecimal digits.
type ID string

// Prefix begins the id of a session.
const Prefix = "sess_"

// Session is one order on its way to be paid.
type Session struct {
	ID    ID
	Scope ferry.Scope
	// TrxID is the name of the order. Public says that the order came with a public key.
	// Name, which is both, is unique in the scope.
	TrxID  string
	Public bool
	// Variant is the dialect in which it was asked for.
	Variant  business.Dialect
	Status   Status
	Payment  payments.ID
	Customer payments.Customer
	Pricing  Pricing
	// Methods are what the payer may choose from, the default first.
	Methods []business.PaymentMethod
	// CryptoError says why USDC cannot be offered for now, or is empty.
	CryptoError string
	// Settlement and Mismatch are the business's preferences when it was made.
	Settlement     business.Settlement
	Mismatch       business.MismatchPolicy
	Redirects      Redirects
	Customizations Customizations
	Metadata       ferry.Metadata
	// Link is the payment link it was made for, or empty.
	Link links.ID
	// Account takes naira; zero until the bank has opened it.
	Account bank.Account
	// Instruction is the address that is offered now, or empty, and Credited
	// what partial deposits were worth, in the asset of the order.
	Instruction wallets.AddressID
	Credited    money.Amount
	// Renewed are the prices in naira that an order in USDC was offered at after that
	// of its Pricing, oldest first.
	Renewed   []NairaOffer
	ExpiresAt time.Time
	// EndedAt is when it ended, or zero.
	EndedAt   time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64
}

// Name is what the order is called.
func (s Session) Name() statement.Name { return statement.Name{TrxID: s.TrxID, Public: s.Public} }

// Ref names the session and no other.
func (s Session) Ref() Ref { return Ref{Reference: string(s.ID)} }

// Offers reports whether the payer may choose a method.
func (s Session) Offers(m business.PaymentMethod) bool { return slices.Contains(s.Methods, m) }

// Available are the methods that can be used now, the default first.
func (s Session) Available() []business.PaymentMethod {
	return slices.DeleteFunc(slices.Clone(s.Methods), func(m business.PaymentMethod) bool {
		return m == business.Crypto && s.CryptoError != ""
	})
}

// Amount is what was asked for, in the asset of the order.
func (s Session) Amount() money.Amount {
	if s.Pricing.Type == InCrypto {
		return s.Pricing.Requested
	}
	return s.Pricing.Base
}

// payable is what is to be paid, in the asset of the order.
func (s Session) payable() money.Amount {
	if s.Pricing.Type == InCrypto {
		return s.Pricing.Crypto
	}
	return s.Pricing.Fiat
}

// Open reports whether a session may be paid at an instant: it is pending, and neither
// its own time nor that of an attempt is over. One whose time is over stays pending
// until chain and bank were asked for the last time.
func (s Session) Open(p payments.Payment, now time.Time) bool {
	return s.running(p, now) && now.Before(s.ExpiresAt)
}

// openIn is Open now.
func openIn(ctx context.Context, tx Tx, s Session) (bool, error) {
	p, err := payments.PaymentKind.Get(ctx, tx, s.Scope, s.Payment)
	return s.Open(p, tx.Now()), err
}

// running is Open, and for an attempt under way also after the session's time.
func (s Session) running(p payments.Payment, now time.Time) bool {
	return s.Status == Pending && now.Before(dueAt(s, p))
}

// Seen is the status as a dialect names it: B does not know Cancelled.
func (s Session) Seen(as business.Dialect) Status {
	if as == business.DialectB && s.Status == Cancelled {
		return Failed
	}
	return s.Status
}

// Status is where a session stands.
type Status string

const (
	// Pending: may be paid. Money, the payer or time move it on.
	Pending Status = "pending"
	// Completed: paid. Final.
	Completed Status = "completed"
	// Failed: an attempt failed. Final.
	Failed Status = "failed"
	// Cancelled: the payer gave up. Final.
	Cancelled Status = "cancelled"
	// Expired: its time is over. Final.
	Expired Status = "expired"
)

// cause is what moves a session.
type cause string

const (
	// causePaid: the money is there.
	causePaid cause = "paid"
	// causeFailed: an attempt failed.
	causeFailed cause = "failed"
	// causeCancelled: the payer gave up.
	causeCancelled cause = "cancelled"
	// causeExpired: the time is over.
	causeExpired cause = "expired"
)

// Lifecycle is docs/api.md, "Checkout session status".
var Lifecycle = ferry.Lifecycle[Status, cause]{
	Name:    "checkout session",
	Initial: Pending,
	Edges: []ferry.Edge[Status, cause]{
		{From: Pending, On: causePaid, To: Completed},
		{From: Pending, On: causeFailed, To: Failed},
		{From: Pending, On: causeCancelled, To: Cancelled},
		{From: Pending, On: causeExpired, To: Expired},
	},
}

// Customizations are what the business shows on the page.
type Customizations struct{ Title, Description, Logo string }

// ReuseSlot says which session an equal order reuses: the newest of its kind.
type ReuseSlot struct {
	Scope ferry.Scope
	// Key is a digest of what makes two orders equal.
	Key     string
	Session ID
	At      time.Time
	Version int64
}

// Filter keeps sessions; the zero value keeps all.
type Filter struct {
	// Status keeps those that stand so, as the dialects that made them name it:
	// Session.Seen says how.
	Status Status
	// Asset keeps orders priced in one asset.
	Asset money.Asset
	Email string
	// Search keeps sessions whose trx_id, or payer's email or name contains it, in
	// any case.
	Search string
	Range  ferry.Range
}
