package customers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
)

var (
	home = ferry.Scope{Business: "biz_00000000000000000000000000000001", Env: ferry.Test}
	away = ferry.Scope{Business: "biz_00000000000000000000000000000002", Env: ferry.Test}
	live = ferry.Scope{Business: home.Business, Env: ferry.Live}
)

// Numbers whose last digit decides what the sandbox says of them.
const (
	goodBVN     customers.Number = "22212345670"
	otherBVN    customers.Number = "22212345680"
	badBVN      customers.Number = "22212345671"
	slowBVN     customers.Number = "22212345672"
	goodNIN     customers.Number = "55512345670"
	goodCAC     customers.Number = "RC1234560"
	badCAC      customers.Number = "RC1234561"
	slowCAC     customers.Number = "RC1234562"
	rightOTP    customers.OTP    = sandbox.MagicOTP
	wrongOTP    customers.OTP    = "654321"
	maskGoodBVN                  = "222123****0"
)

// clock is a clock that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// provider is the sandbox's identity provider, in whose place a test may put
// its own answers.
type provider struct {
	kyc.Provider
	send   func(ctx context.Context, attempt string) error
	check  func(ctx context.Context) (kyc.Identity, error)
	lookUp func(ctx context.Context) (kyc.Identity, error)
}

func (p *provider) SendOTP(ctx context.Context, attempt string, t kyc.Type, number string) (kyc.Challenge, error) {
	if p.send != nil {
		if err := p.send(ctx, attempt); err != nil {
			return "", err
		}
	}
	return p.Provider.SendOTP(ctx, attempt, t, number)
}

func (p *provider) Check(ctx context.Context, c kyc.Challenge, t kyc.Type, number, otp string) (kyc.Identity, error) {
	if p.check != nil {
		return p.check(ctx)
	}
	return p.Provider.Check(ctx, c, t, number, otp)
}

func (p *provider) Lookup(ctx context.Context, t kyc.Type, number string) (kyc.Identity, error) {
	if p.lookUp != nil {
		return p.lookUp(ctx)
	}
	return p.Provider.Lookup(ctx, t, number)
}

// tb is what tests and property tests have in common.
type tb interface {
	require.TestingT
	Helper()
}

// bench is a service with everything around it.
type bench struct {
	tb
	ctx      context.Context
	clock    *clock
	provider *provider
	backend  store.Backend
	units    ferry.EnvUnits[store.Tx]
	config   customers.Config
	*customers.Service
}

// setup returns a bench over an empty store in memory.
func setup(t tb) *bench { return setupOn(t, memstore.New(), customers.Config{}) }

func setupOn(t tb, backend store.Backend, config customers.Config) *bench {
	clock := &clock{now: time.Date(2026, 3, 2, 9, 15, 0, 120e6, time.UTC)}
	provider := &provider{Provider: sandbox.New(sandbox.Config{Clock: clock}).KYC()}
	config.Providers = map[ferry.Env]kyc.Provider{ferry.Test: provider, ferry.Live: provider}
	sealer, err := seal.New(bytes.Repeat([]byte{7}, seal.KeySize))
	require.NoError(t, err)
	config.Sealer = sealer
	ids := ferry.NewIDs(rand.NewChaCha8([32]byte{1}))
	units := store.Open(backend, ferry.OneClock(clock), ids)
	service := customers.New(ferry.Narrow(units, func(tx store.Tx) customers.Tx { return tx }), config)
	return &bench{t, context.Background(), clock, provider, backend, units, config, service}
}

// person and company are what is needed to create the n-th of a kind.
func person(n int) customers.CreateParams {
	return customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi",
		Email: fmt.Sprintf("ada%d@example.com", n), Phone: fmt.Sprintf("+23480%08d", n),
	}
}

func company(n int) customers.CreateParams {
	return customers.CreateParams{
		Type: customers.Company, BusinessName: "Obi Foods Limited", CACNumber: string(goodCAC),
		Email: fmt.Sprintf("office%d@example.com", n), Phone: fmt.Sprintf("+23470%08d", n),
	}
}

func (b *bench) create(p customers.CreateParams) customers.Customer {
	b.Helper()
	c, err := b.Create(b.ctx, home, p)
	require.NoError(b, err)
	return c
}

func (b *bench) customer(id customers.ID) customers.Customer {
	b.Helper()
	c, err := b.Customer(b.ctx, home, id)
	require.NoError(b, err)
	return c
}

// initiate begins the verification of a BVN that must be taken.
func (b *bench) initiate(n customers.Number, id customers.ID) customers.Outcome {
	b.Helper()
	o, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: n, CustomerID: id})
	require.NoError(b, err)
	return o
}

// validate answers the challenge of a BVN.
func (b *bench) validate(n customers.Number, otp customers.OTP) (customers.Outcome, error) {
	return b.Validate(b.ctx, home, customers.ValidateParams{Type: kyc.BVN, Number: n, OTP: otp})
}

// told is an event as a business gets it, without its envelope.
type told struct {
	Type string
	Data map[string]any
}

// events returns what the business of a scope was told, oldest first.
func (b *bench) events(scope ferry.Scope) []told {
	b.Helper()
	var all []told
	require.NoError(b, b.backend.Read(b.ctx, func(ctx context.Context, p store.Ports) error {
		events, err := p.Webhooks().Feed(ctx, scope, 0, time.Time{}, 10_000)
		for _, e := range events {
			t := told{Type: e.Type}
			require.NoError(b, json.Unmarshal([]byte(e.Data), &t.Data))
			require.Equal(b, t.Data["customer_id"], e.Resource)
			all = append(all, t)
		}
		return err
	}))
	return all
}

// reasons returns the outcome of each attempt that the business was told of:
// the failure reason, or "verified".
func (b *bench) reasons() []string {
	b.Helper()
	var reasons []string
	for _, e := range b.events(home) {
		if e.Type == customers.EventVerified {
			reasons = append(reasons, "verified")
		} else {
			reasons = append(reasons, e.Data["failure_reason"].(string))
		}
	}
	return reasons
}

// requireFields checks that err refuses exactly these fields with these texts.
func requireFields(t tb, err error, want map[string]string) {
	t.Helper()
	require.ErrorIs(t, err, ferry.ErrValidation)
	e, ok := errors.AsType[*ferry.Error](err)
	require.True(t, ok)
	got := map[string]string{}
	for _, f := range e.Fields {
		require.NotContains(t, got, f.Name, "a field is named once")
		got[f.Name] = f.Message
	}
	require.Equal(t, want, got)
}

type tx = store.Tx

func ptr[T any](v T) *T { return &v }

// race calls do(0) to do(n-1) at the same time and returns their errors.
func race(n int, do func(i int) error) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return errs
}

// requireOne checks that one of the errors is nil and all others are refused.
func requireOne(t tb, refused error, errs []error) {
	t.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			require.ErrorIs(t, err, refused)
		}
	}
	require.Equal(t, 1, won)
}
