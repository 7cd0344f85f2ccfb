package main

import (
	"context"
	"slices"
	"time"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/money"
)

// price is what the book costs: 15,000 naira.
var price = money.NGN(15_000_00)

// ferry is as much of the API as the shop needs.
type ferry struct {
	api       *client.Client
	publicKey string
}

// dial returns a client of the ferry at a URL. It asks for the public key, which a
// session is made with beside the secret one.
func dial(ctx context.Context, address, secretKey string) (*ferry, error) {
	api, err := client.New(client.Config{BaseURL: address, Key: secretKey, Timeout: 10 * time.Second})
	if err != nil {
		return nil, err
	}
	keys, err := api.Keys.Config(ctx)
	if err != nil {
		return nil, err
	}
	return &ferry{api, keys.PublicKey}, nil
}

// watch sets the URL to which ferry sends events.
func (f *ferry) watch(ctx context.Context, address string) error {
	_, err := f.api.Webhooks.SetConfig(ctx, client.SetWebhookConfigParams{URL: &address})
	return err
}

// createCheckout makes a session for an order and returns the page on which it is
// paid, and which leads back to an address of the shop.
func (f *ferry) createCheckout(ctx context.Context, order, back string) (string, error) {
	session, err := f.api.Checkout.CreateSession(ctx, client.CreateCheckoutSessionParams{
		PublicKey: f.publicKey, TrxID: order, Email: "reader@example.com",
		Amount: client.PriceOf(price), Currency: client.CurrencyNGN, RedirectURL: back,
	})
	if err != nil {
		return "", err
	}
	return session.CheckoutURL, nil
}

// payment is what ferry knows of the payment of an order: pending, success, and
// else how it ended.
type payment struct{ client.Payment }

// InFull reports whether the order is paid, to the last kobo.
func (p payment) InFull() bool {
	return p.Status == client.PaymentStatusSuccess && !slices.Contains(p.Exceptions, "underpaid")
}

// payment asks for the payment of an order.
func (f *ferry) payment(ctx context.Context, order string) (payment, error) {
	found, err := f.api.Payments.Get(ctx, order)
	if err != nil {
		return payment{}, err
	}
	return payment{*found}, nil
}
