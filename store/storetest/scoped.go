package storetest

import (
	"context"
	"testing"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// testScoped is about rows that another scope has rows of its own of: they are not there in
// it.
func testScoped(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	write(t, b, all(putEndpoint(endpoint(home, 1)),
		putInitiations(customers.InitiationLog{Scope: home, RateKey: "s"}), putReuseSlot(checkout.ReuseSlot{Scope: home, Key: "k", At: start})))
	for _, scope := range []ferry.Scope{away, live} {
		refuse(t, b, ferry.ErrStale, putEndpoint(webhook.Endpoint{Scope: scope, Version: 1}))
		refuse(t, b, ferry.ErrStale, putInitiations(customers.InitiationLog{Scope: scope, RateKey: "s", Version: 1}))
		refuse(t, b, ferry.ErrStale, putReuseSlot(checkout.ReuseSlot{Scope: scope, Key: "k", At: start, Version: 1}))
	}
}

func putReuseSlot(w checkout.ReuseSlot) body {
	return func(ctx context.Context, p store.Ports) error {
		return checkout.ReuseSlotKind.Put(ctx, p, w)
	}
}

// inScope is a row of scope home as another scope would have it.
func inScope[R any](row func(int) R, set func(*R, ferry.Scope)) func(ferry.Scope, int) R {
	return func(scope ferry.Scope, n int) R {
		r := row(n)
		set(&r, scope)
		return r
	}
}
