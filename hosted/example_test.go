package hosted_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/hosted"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
)

// The page of a session shows the account to which the payer transfers.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	order := must(e.Checkout.Create(ctx, shop, checkout.CreateParams{
		TrxID: "order-981", Email: "ada@example.com", Amount: money.NGN(15_000_00),
	}))

	pages := hosted.New(e, hosted.Config{})
	answer := httptest.NewRecorder()
	pages.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/checkout/"+string(order.Session.ID), nil))
	fmt.Println(answer.Code, strings.Contains(answer.Body.String(), order.Session.Account.AccountNumber))
	// Output: 200 true
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
