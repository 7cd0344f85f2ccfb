package storetest

import (
	"context"
	"testing"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// testScoped is about updates of rows of every kind that a scope owns, beside those
// whose suites call owned.test themselves.
func testScoped(t *testing.T, open func(*testing.T) store.Backend) {
	for name, kind := range map[string]interface {
		testChanges(*testing.T, func(*testing.T) store.Backend)
	}{
		"addresses": scopedAddresses, "keys of addresses": scopedAddressKeys,
		"custodies": scopedCustodies,
	} {
		t.Run(name, func(t *testing.T) { kind.testChanges(t, open) })
	}
	t.Run("a row whose key is its scope is not there in another", func(t *testing.T) { testScopeKeys(t, open) })
}

// testScopeKeys is about rows that another scope has rows of its own of.
func testScopeKeys(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	record := idempotency.Record{Key: idempotency.Key{Scope: home, Operation: "POST /v1", Client: "c"}, Fingerprint: "f", CreatedAt: start}
	write(t, b, all(putEndpoint(endpoint(home, 1)),
		putTrail(customers.Trail{Scope: home, Subject: "s"}), putWindow(checkout.Window{Scope: home, Key: "k", At: start}),
		func(ctx context.Context, p store.Ports) error { return p.Idempotency().Insert(ctx, record) }))
	for _, scope := range []ferry.Scope{away, live} {
		foreign := record
		foreign.Key.Scope = scope
		refuse(t, b, idempotency.ErrUnknown, func(ctx context.Context, p store.Ports) error { return p.Idempotency().Update(ctx, foreign) })
		refuse(t, b, ferry.ErrStale, putEndpoint(webhook.Endpoint{Scope: scope, Version: 1}))
		refuse(t, b, ferry.ErrStale, putTrail(customers.Trail{Scope: scope, Subject: "s", Version: 1}))
		refuse(t, b, ferry.ErrStale, putWindow(checkout.Window{Scope: scope, Key: "k", At: start, Version: 1}))
	}
}

func putWindow(w checkout.Window) body {
	return func(ctx context.Context, p store.Ports) error {
		return checkout.WindowKind.Put(ctx, p, w)
	}
}

// on calls what a suite has for a row.
func on[R any](do func(R) body) func(context.Context, store.Ports, R) error {
	return func(ctx context.Context, p store.Ports, row R) error { return do(row)(ctx, p) }
}

// inScope is a row of scope home as another scope would have it.
func inScope[R any](row func(int) R, set func(*R, ferry.Scope)) func(ferry.Scope, int) R {
	return func(scope ferry.Scope, n int) R {
		r := row(n)
		set(&r, scope)
		return r
	}
}
