// Package biller is the port to a biller: who sells airtime, data, television and electricity,
// and delivers them to a number.
//
// An adapter implements [Biller], with [Provider], [Product], [Customer] and [Outcome] as its
// answers, and [ErrUnavailable] for an answer that did not come. Package billertest is its test.
package biller

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// Service is a kind of bill.
type Service string

const (
	// Airtime is credit of a phone.
	Airtime Service = "AIRTIME"
	// Data is a volume of data for a phone.
	Data Service = "DATA"
	// CableTV is a subscription of a decoder.
	CableTV Service = "CABLETV"
	// Utility is electricity of a meter.
	Utility Service = "UTILITY"
)

// Services are all services.
func Services() []Service { return []Service{Airtime, Data, CableTV, Utility} }

// Provider is a company whose bills are sold, within one service.
type Provider struct {
	Service Service
	// Code names it, within its service.
	Code, Name string
}

// Product is what a provider sells.
type Product struct {
	Service  Service
	Provider string
	// Code names it, within its service.
	Code, Name string
	// Category groups the products of a service, as in "MONTHLY". For electricity it says how the
	// meter pays: Prepaid or Postpaid.
	Category string
	// Price is what it costs. It is zero when the buyer chooses the amount, from Least to Most.
	Price, Least, Most money.Amount
}

// The categories of electricity.
const (
	// Prepaid: the meter takes a token.
	Prepaid = "PREPAID"
	// Postpaid: the amount pays what the meter has counted.
	Postpaid = "POSTPAID"
)

// Target is what a bill is for.
type Target struct {
	Service  Service
	Provider string
	// Product is the code of one of the provider's products.
	Product string
	// Number is that of the phone, in the form 0803…, of the decoder or of the meter.
	Number string
}

// Customer is who a number belongs to. Each field may be empty.
type Customer struct{ Name, Address string }

// Biller is a biller. It is called outside any unit of work.
type Biller interface {
	// Providers returns the companies of a service; none for one that is not sold. Errors:
	// ErrUnavailable.
	Providers(context.Context, Service) ([]Provider, error)
	// Products returns what a company sells within a service, and none for a company that it does
	// not know. Errors: ErrUnavailable.
	Products(ctx context.Context, s Service, provider string) ([]Product, error)
	// Verify returns who the number of a target belongs to, whose product may be empty but for
	// electricity. A biller that cannot know, as for
	// phones, returns an empty Customer. Errors: ErrNoCustomer, ErrUnavailable.
	Verify(context.Context, Target) (Customer, error)
	// Buy buys, and returns what is known of the purchase afterwards. The key makes a repeated call
	// the same purchase, which is the one of the first call. A refusal is an outcome in
	// StateFailed. Errors: ErrUnavailable, after which the outcome is unknown: it may have been
	// delivered, may be delivered later, or never.
	Buy(context.Context, Purchase) (Outcome, error)
	// Outcome returns what is known of the purchase of a key. Errors: ErrUnavailable, and
	// ErrUnknownKey, which is final: no call of Buy with the key that began before has an effect
	// any more. An adapter to a biller that answers "unknown" earlier says ErrUnavailable until it
	// is sure.
	Outcome(ctx context.Context, key string) (Outcome, error)
}

var (
	// ErrUnavailable says that nothing is known: the biller did not answer.
	ErrUnavailable = errors.New("biller: unavailable")
	// ErrNone says that an environment has no biller. No Biller returns it.
	ErrNone = ferry.NoProvider("biller")
	// ErrNoCustomer says that a number belongs to nobody.
	ErrNoCustomer = errors.New("biller: no such customer")
	// ErrUnknownKey says that the biller has no purchase of a key.
	ErrUnknownKey = errors.New("biller: no purchase of this key")
)
