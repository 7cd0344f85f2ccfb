package biller

import (
	"time"

	"github.com/ferrypay/ferry/money"
)

// Purchase is a bill that a biller is asked to sell.
type Purchase struct {
	// Key is by what the biller knows the purchase. It never changes, and no other purchase has
	// it.
	Key string
	Target
	// Amount is positive, and the price of a product that has one. A biller whose price has
	// changed refuses.
	Amount money.Amount
	// Phone is who may be told of the delivery, in the form 0803…, or empty.
	Phone string
	// Reference is the name that the business gave the purchase.
	Reference string
}

// State is how far a biller is with a purchase.
type State string

const (
	// StateInProgress: the biller has accepted the purchase, and its outcome is not known yet. So
	// is one that was delivered while its token is not known.
	StateInProgress State = "in_progress"
	// StateDelivered: the customer has what was bought, and the outcome tells all of it. Final.
	StateDelivered State = "delivered"
	// StateFailed: the biller has not delivered, has taken no money, and never will under this
	// key. Final. It is the only proof of that beside ErrUnknownKey: what a biller does not say so
	// plainly, as "error" or "contact support", is StateInProgress or ErrUnavailable.
	StateFailed State = "failed"
)

// Outcome is what a biller reports of a purchase.
type Outcome struct {
	// Key is that of the purchase.
	Key   string
	State State
	// Ref is the biller's own id of the purchase. It may be empty until it is delivered.
	Ref string
	// Provider, Number and Amount are what the biller has delivered to, and for how much, or is
	// asked to. They differ from the purchase only by a mistake of the biller.
	Provider, Number string
	Amount           money.Amount
	Receipt
	// Reason says in the biller's words why the purchase failed.
	Reason string
	// At is when the purchase reached the state.
	At time.Time
}

// Receipt is what a customer gets besides the service.
type Receipt struct {
	// Token is what is typed into a prepaid meter; others have none.
	Token string
	// Units is what the token is worth, as in "34.5 kWh", or empty.
	Units string
}
