package widgets_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/ramp/widgets"
)

// A page of the shop opens a session for its visitor. Another page cannot, and the token of the
// session is of no use to it either.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	widget := must(e.Widgets.Create(ctx, shop, widgets.CreateParams{Name: "Top up", Domains: []string{"shop.example.com"}}))
	key := business.Key{Scope: shop, Type: business.WidgetKey, ID: widget.Key}

	opened := must(e.Widgets.Open(ctx, key, "https://shop.example.com", ""))
	_, err := e.Widgets.Open(ctx, key, "https://evil.example.com", "")
	fmt.Println(err)

	_, found, _ := e.Widgets.Session(ctx, opened.Token, "https://shop.example.com")
	fmt.Println(found.Name)
	_, _, err = e.Widgets.Session(ctx, opened.Token, "https://evil.example.com")
	fmt.Println(err)
	// Output:
	// forbidden: Forbidden
	// Top up
	// unauthorized: Unauthorized
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
