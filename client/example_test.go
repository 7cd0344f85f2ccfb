package client_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/ferrytest"
	"github.com/ferrypay/ferry/money"
)

// exampleT stands in for the *testing.T that an example does not have.
type exampleT struct {
	testing.TB
	cleanup func()
}

func (t *exampleT) Helper()                  {}
func (t *exampleT) Context() context.Context { return context.Background() }
func (t *exampleT) Cleanup(f func())         { t.cleanup = f }
func (t *exampleT) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...))
}

// must stands in for what a program does about an error.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// sandbox starts a server for one example, as `ferry dev` is one, and returns a client of its
// business. End ends the server.
func sandbox() (c *client.Client, fake *ferrytest.Fake, end func()) {
	t := &exampleT{}
	fake = ferrytest.Start(t)
	return must(client.New(client.Config{BaseURL: fake.URL, Key: fake.SecretKey})), fake, t.cleanup
}

// ctx stands in for the context of a request.
var ctx = context.Background()

// An order is paid, and a part of the money goes back.
func Example() {
	t := &exampleT{} // in a test, its *testing.T
	defer func() { t.cleanup() }()
	fake := ferrytest.Start(t) // or `ferry dev`
	ctx := context.Background()

	c := must(client.New(client.Config{BaseURL: fake.URL, Key: fake.SecretKey}))
	session := must(c.Checkout.CreateSession(ctx, client.CreateCheckoutSessionParams{
		PublicKey: fake.PublicKey, TrxID: "order-981", Email: "ada@example.com",
		Amount: client.PriceOf(money.NGN(15_000_00)), Currency: client.CurrencyNGN,
	}))
	fake.Credit(session.Account.AccountNumber, "15000") // the payer pays

	payment := must(c.Payments.Get(ctx, "order-981"))
	fmt.Println(payment.Status, payment.Amount, "kobo")

	_, err := c.Refunds.Create(ctx, client.CreateRefundParams{
		TrxID: "order-981", Reference: "too-much", Amount: client.PriceOf(money.NGN(20_000_00)),
	})
	fmt.Println(errors.Is(err, client.CodeRefundAmountExceedsRemaining))
	refund := must(c.Refunds.Create(ctx, client.CreateRefundParams{
		TrxID: "order-981", Reference: "too-spicy", Amount: client.PriceOf(money.NGN(5_000_00)),
	}))
	fmt.Println(refund.Status, refund.Amount)
	// Output:
	// success 1500000 kobo
	// true
	// pending 500000
}

// The same key is the same payout, also when the program was stopped and started in between.
func ExampleWithIdempotencyKey() {
	t := &exampleT{}
	defer func() { t.cleanup() }()
	fake := ferrytest.Start(t)
	c := must(client.New(client.Config{BaseURL: fake.URL, Key: fake.SecretKey}))
	for range 2 {
		var answer client.Answer
		payout := must(c.Payouts.Create(context.Background(), client.CreatePayoutParams{
			Reference: "rent-march", SourceAccountNumber: fake.Business.SourceAccounts[0].AccountNumber,
			Amount:      client.AmountOf(money.NGN(25_000_50)),
			Beneficiary: client.BeneficiaryParam{BankCode: "058", AccountNumber: "0123456780"},
		}, client.WithIdempotencyKey("rent-march"), client.WithAnswer(&answer)))
		fmt.Println(payout.Reference, payout.TotalAmount, answer.Replayed)
	}
	// Output:
	// rent-march 25000.5 false
	// rent-march 25000.5 true
}
