package business_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
)

// A business makes a key that may only read. A server finds out whose a key is.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business

	made := must(e.Businesses.CreateKey(ctx, shop.Scope, business.CreateKeyParams{
		Type: business.SecretKey, Label: "reports", Scopes: []business.KeyScope{business.Read},
	}))
	key := must(e.Businesses.Authenticate(ctx, made.Secret)) // shown here only
	fmt.Println(key.Label, key.Scope == shop.Scope, key.Scopes)

	must(e.Businesses.RevokeKey(ctx, shop.Scope, key.ID))
	_, err := e.Businesses.Authenticate(ctx, made.Secret)
	fmt.Println(err)
	// Output:
	// reports true [read]
	// unauthorized: Unauthorized
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
