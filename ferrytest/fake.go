// Package ferrytest is ferry as a fake for your tests: the whole engine in
// memory, on a simulated world, behind a real URL.
//
//	fake := ferrytest.Start(t)
//	shop := NewShop(fake.URL, fake.SecretKey) // your own client
//	fake.Deposit(address, "25.5")             // USDC arrives at an address
//	fake.Credit(account, "15000")             // naira arrive at an account
//	fake.Advance(time.Minute)                 // time passes, webhooks are sent
//
// It is the engine that `ferry dev` serves, so what passes here holds there. A
// fake is safe for parallel tests; each test starts its own.
//
// What a test needs:
//
//   - [Start]: a [Fake] that ends with the test; its fields are the URL and the keys
//   - [Fake.Deposit] and [Fake.Credit]: money arrives and is booked when they return
//   - [Fake.Advance] and [Fake.Drain]: what is due is done
//   - [Fake.Inject]: the next calls of the chain, the bank or a receiver fail
//   - [Fake.Reset]: an empty fake under the same URL and keys
//   - [Fake.Snapshot] and [Fake.Restore]: back to a moment, as often as tests need it
//   - [Config]: brand, address and keys of the test's choice
//
// With the variable FERRYTEST_INSPECT set, each fake shows the inspector of package inspect at
// its URL and logs it. A test that failed then waits until its deadline, so that there is
// time to look: FERRYTEST_INSPECT=1 go test -run TestOrder -v -timeout 30m.
package ferrytest

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/server"
)

// Fake is a running sandbox with one business. Its methods end the test when
// they fail.
type Fake struct {
	// URL is where it answers, without /v1 and without a slash at the end.
	URL string
	// Tenant is the business of the fake: its keys and its webhook secret.
	engine.Tenant
	// Engine is the engine behind it, for tests that look inside.
	Engine *engine.Engine

	t testing.TB
}

// Config is what a test may choose.
type Config struct {
	// Config is that of the server, such as its BaseURL, its Brand and its RateLimit.
	// The Brand counts for webhooks, too.
	server.Config
	// Credentials are those of the business where the test chooses them, as
	// engine.BootstrapWith takes them.
	Credentials engine.Credentials
}

// Start starts a fake that ends with the test. At most one Config is given.
func Start(t testing.TB, config ...Config) *Fake {
	t.Helper()
	f, c := &Fake{t: t}, Config{}
	if len(config) > 0 {
		c = config[0]
	}
	parts, window := engine.Config{Store: memstore.New(), Brand: c.Brand}, openWindow()
	window.hear(&parts)
	var err error
	f.Engine, err = engine.New(parts)
	f.check(err)
	f.Tenant, err = f.Engine.BootstrapWith(context.Background(), c.Credentials)
	f.check(err)
	web := httptest.NewServer(window.around(f, server.New(f.Engine, c.Config)))
	f.URL = web.URL
	window.announce(f)
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { f.Engine.Run(ctx) })
	working.Go(func() { window.run(ctx) })
	t.Cleanup(func() {
		window.hold(f)
		cancel()
		working.Wait()
		web.Close()
	})
	return f
}

// Reset forgets everything, in milliseconds. URL and credentials stay, and the business
// of the fake has its first balance again. Its webhook URL is gone: set it anew.
func (f *Fake) Reset() {
	f.t.Helper()
	f.check(f.Engine.Reset(f.t.Context()))
}

// Snapshot remembers this moment, so that Restore can go back to it. So tests share what takes many
// requests to set up.
func (f *Fake) Snapshot() {
	f.t.Helper()
	f.check(f.Engine.Snapshot(f.t.Context()))
}

// Restore goes back to the moment of the last Snapshot: everything that was made since is gone, and what
// was advanced of the clock. It may be called again.
func (f *Fake) Restore() {
	f.t.Helper()
	f.check(f.Engine.Restore(f.t.Context()))
}

// Advance moves the fake's clock and returns when all that became due is done.
func (f *Fake) Advance(d time.Duration) {
	f.t.Helper()
	for {
		progress, err := f.Engine.Advance(f.t.Context(), d)
		f.check(err)
		if progress.Done {
			return
		}
		d = 0 // the rest of the way
	}
}

// Drain does what is due now, such as sending webhooks, and moves no clock.
func (f *Fake) Drain() {
	f.t.Helper()
	for {
		progress, err := f.Engine.Drain(f.t.Context())
		f.check(err)
		if progress.Done {
			return
		}
	}
}

// Inject makes the next count calls to a part of the outside world fail in the
// given way; docs/api.md, "Test helpers", says which ways there are.
func (f *Fake) Inject(target sandbox.Target, kind sandbox.Kind, count int) {
	f.t.Helper()
	f.check(f.Engine.World.Inject(f.t.Context(), target, kind, count))
}

func (f *Fake) check(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatalf("ferrytest: %v", err)
	}
}
