// Package stormshop shows how to put your own service into the storm of package ferrytest/sim. Shop
// sends each order to its buyer once it is paid; shop_test.go looks for an accident that makes it send
// one twice, or not at all:
//
//	go test ./examples/stormshop              # the shop stands the storm
//	go test ./examples/stormshop -careless    # with a mistake in it, it does not
package stormshop

import (
	"context"
	"net/http"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/webhook"
)

// Price is what everything costs.
var Price = money.NGN(5_000_00)

// Shop sells things for naira. A service has a database where it has maps.
type Shop struct {
	API       *client.Client
	PublicKey string
	// Careless makes it forget that a webhook may come twice.
	Careless bool
	// Placed are the accounts to which orders are to be paid, Sent is how often an order was sent to
	// its buyer, and asked are the orders that ferry has not answered yet.
	Placed map[string]string
	Sent   map[string]int
	asked  []string
}

// New returns a shop without orders.
func New(api *client.Client, publicKey string) *Shop {
	return &Shop{API: api, PublicKey: publicKey, Placed: map[string]string{}, Sent: map[string]int{}}
}

// Order takes an order. When ferry does not answer, AskAgain asks once more.
func (s *Shop) Order(ctx context.Context, name string) {
	s.asked = append(s.asked, name)
	s.AskAgain(ctx)
}

// AskAgain asks for the first order that is not answered. The key makes it one order, however often it
// is asked for. It reports whether there was one.
func (s *Shop) AskAgain(ctx context.Context) bool {
	if len(s.asked) == 0 {
		return false
	}
	name := s.asked[0]
	made, err := s.API.Checkout.CreateSession(ctx, client.CreateCheckoutSessionParams{
		PublicKey: s.PublicKey, TrxID: name, Email: "ada@example.com", Amount: client.PriceOf(Price), Currency: client.CurrencyNGN,
	}, client.WithIdempotencyKey(name))
	if err != nil {
		return true // it was not answered
	}
	s.asked = s.asked[1:]
	if made.Account.AccountNumber != "" { // an order that ended before it was answered has none
		s.Placed[name] = made.Account.AccountNumber
	}
	return true
}

// Webhooks takes the events of ferry.
func (s *Shop) Webhooks(v webhook.Verifier, secret string) http.Handler {
	return v.Handler(func(_ context.Context, event webhook.Received) error {
		if event.Type != "payment.success" {
			return nil
		}
		var paid struct {
			TrxID string `json:"trx_id"`
		}
		if err := event.Decode(&paid); err != nil {
			return err
		}
		if s.Sent[paid.TrxID] == 0 || s.Careless {
			s.Sent[paid.TrxID]++
		}
		return nil
	}, secret)
}
