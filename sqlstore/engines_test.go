//go:build postgres && unix

package sqlstore_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// handClock is real time as a test moves it.
type handClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// fleet is two servers on one database, each with a store of its own, as two
// processes have.
type fleet struct {
	t       *testing.T
	clock   *handClock
	engines [2]*engine.Engine
	web     [2]*httptest.Server
	tenant  engine.Tenant
}

func startFleet(t *testing.T) *fleet {
	t.Helper()
	sealer, err := seal.New([]byte("0123456789abcdef0123456789abcdef"))
	require.NoError(t, err)
	f := &fleet{t: t, clock: &handClock{now: noon}}
	url := pgtest.URL(t)
	for i := range f.engines {
		s := openServer(t, url)
		f.engines[i], err = engine.New(engine.Config{
			Store: s, Clock: f.clock, World: sandbox.New(sandbox.Config{Store: s.World(), Seed: 1, Clock: f.clock}),
			Sealer: sealer, Pepper: business.Pepper("the same for both"),
		})
		require.NoError(t, err)
		f.web[i] = httptest.NewServer(httpapi.New(f.engines[i], httpapi.Config{}))
		t.Cleanup(f.web[i].Close)
	}
	f.tenant, err = f.engines[0].Bootstrap(t.Context())
	require.NoError(t, err)
	return f
}

func (f *fleet) scope() ferry.Scope { return f.tenant.Business.Scope }

// together runs n calls at once, in turn on the two servers.
func (f *fleet) together(n int, do func(i int, e *engine.Engine)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i, f.engines[i%2]) })
	}
	all.Wait()
}

// post sends a request to one of the servers.
func (f *fleet) post(server int, path, key string, body any) (status int, answer []byte) {
	text, err := json.Marshal(body)
	assert.NoError(f.t, err)
	request, err := http.NewRequestWithContext(f.t.Context(), http.MethodPost, f.web[server%2].URL+"/v1/"+path, bytes.NewReader(text))
	assert.NoError(f.t, err)
	request.Header.Set("Authorization", "Bearer "+f.tenant.SecretKey)
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	if !assert.NoError(f.t, err) {
		return 0, nil
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	assert.NoError(f.t, err)
	return response.StatusCode, answer
}

// posts sends n requests at once, in turn to the two servers, and returns how
// often each answer came.
func (f *fleet) posts(n int, path, key string, body func(i int) any) (statuses map[int]int, answers map[string]int) {
	statuses, answers = map[int]int{}, map[string]int{}
	var mu sync.Mutex
	f.together(n, func(i int, _ *engine.Engine) {
		status, answer := f.post(i, path, key, body(i))
		mu.Lock()
		defer mu.Unlock()
		statuses[status]++
		answers[string(answer)]++
	})
	return statuses, answers
}

// funded makes a wallet with 100 USDC.
func (f *fleet) funded() wallets.Wallet {
	f.t.Helper()
	w, err := f.engines[0].Wallets.Create(f.t.Context(), f.scope(), wallets.CreateParams{})
	require.NoError(f.t, err)
	_, err = f.engines[1].World.Deposit(f.t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: money.USDC(100_000_000)})
	require.NoError(f.t, err)
	f.advance(1, 10*time.Second)
	return w
}

func (f *fleet) advance(server int, d time.Duration) {
	f.t.Helper()
	progress, err := f.engines[server].Advance(f.t.Context(), d)
	require.NoError(f.t, err)
	require.True(f.t, progress.Done)
}

func (f *fleet) balance(w wallets.Wallet) money.Amount {
	f.t.Helper()
	funded, err := f.engines[0].Wallets.Get(f.t.Context(), f.scope(), wallets.WalletRef{ID: string(w.ID)})
	require.NoError(f.t, err)
	return funded.Balance
}

func (f *fleet) requireClean() {
	f.t.Helper()
	findings, err := f.engines[1].Audit(f.t.Context(), ferry.Test)
	require.NoError(f.t, err)
	require.Empty(f.t, findings)
}

func TestOneRequestSentToTwoServersHasOneEffect(t *testing.T) {
	t.Parallel()
	f := startFleet(t)
	from, to := f.funded(), f.funded()
	for name, receiver := range map[string]string{"inside": string(to.PrimaryAddress), "outside": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"} {
		statuses, answers := f.posts(100, "wallets/transfer", name, func(int) any {
			return map[string]any{
				"from_address": from.PrimaryAddress, "to_address": receiver, "amount": 7, "network": "Solana", "asset": "USDC",
			}
		})
		require.Equal(t, map[int]int{200: 100}, statuses, name)
		require.Len(t, answers, 1, name)
	}
	f.advance(0, time.Minute)
	require.Equal(t, "85.995", f.balance(from).Major())
	require.Equal(t, "107", f.balance(to).Major())
	f.requireClean()
}

func TestANameIsTakenOnceAcrossServers(t *testing.T) {
	t.Parallel()
	f := startFleet(t)
	statuses, _ := f.posts(40, "customers", "", func(i int) any {
		return map[string]any{
			"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": "ada@example.com", "phone": fmt.Sprintf("+2348030000%03d", i),
		}
	})
	require.Equal(t, map[int]int{200: 1, 409: 39}, statuses)
	statuses, _ = f.posts(40, "wallets", "", func(int) any {
		return map[string]any{"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": "main"}
	})
	require.Equal(t, map[int]int{200: 1, 400: 39}, statuses)
}

func TestARevokedKeyEndsOnTheOtherServerWithinFiveSeconds(t *testing.T) {
	t.Parallel()
	f := startFleet(t)
	one, two := f.engines[0].Businesses, f.engines[1].Businesses
	made, err := one.CreateKey(t.Context(), f.scope(), business.CreateKeyParams{Type: business.SecretKey})
	require.NoError(t, err)
	for _, s := range []*business.Service{one, two} {
		_, err := s.Authenticate(t.Context(), made.Secret)
		require.NoError(t, err)
	}
	_, err = one.RevokeKey(t.Context(), f.scope(), made.Key.ID)
	require.NoError(t, err)
	_, err = one.Authenticate(t.Context(), made.Secret)
	require.ErrorIs(t, err, business.ErrUnauthorized)

	f.clock.pass(5 * time.Second)
	_, err = two.Authenticate(t.Context(), made.Secret)
	require.ErrorIs(t, err, business.ErrUnauthorized)
}

func TestWrongOTPsAreCountedAcrossServers(t *testing.T) {
	t.Parallel()
	f := startFleet(t)
	customer, err := f.engines[0].Customers.Create(t.Context(), f.scope(), customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348031234567",
	})
	require.NoError(t, err)
	const number = "22212345670"
	_, err = f.engines[0].Customers.Initiate(t.Context(), f.scope(), customers.InitiateParams{Type: kyc.BVN, Number: number, CustomerID: customer.ID})
	require.NoError(t, err)

	f.together(20, func(i int, e *engine.Engine) {
		_, err := e.Customers.Validate(t.Context(), f.scope(), customers.ValidateParams{
			Type: kyc.BVN, Number: number, OTP: customers.OTP(fmt.Sprint(700_000 + i)),
		})
		assert.ErrorIs(t, err, customers.ErrInvalidOTP)
	})
	_, err = f.engines[1].Customers.Validate(t.Context(), f.scope(), customers.ValidateParams{Type: kyc.BVN, Number: number, OTP: "123456"})
	require.ErrorIs(t, err, customers.ErrInvalidOTP, "no attempt is left for the right one")
	failed := 0
	for _, e := range f.events(0) {
		if e.Type == "customer.verification_failed" {
			failed++
		}
	}
	require.Equal(t, 5, failed, "each attempt is told")
}

// events reads the feed of a server after a place, to its end.
func (f *fleet) events(after int64) (all []webhook.Event) {
	for {
		page, err := ferry.InRead(f.t.Context(), f.engines[1].Units(ferry.Test), func(ctx context.Context, tx store.Tx) ([]webhook.Event, error) {
			return tx.Webhooks().Feed(ctx, f.scope(), after, time.Time{}, 50)
		})
		if !assert.NoError(f.t, err) || len(page) == 0 {
			return all
		}
		all = append(all, page...)
		after = page[len(page)-1].Cursor
	}
}

func TestWhoeverReadsTheEventsOfTwoServersMissesNone(t *testing.T) {
	t.Parallel()
	f := startFleet(t)
	const each = 100
	var status atomic.Int64
	status.Store(http.StatusOK)
	f.receive(&status)
	before := int64(len(f.events(0)))
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.together(8, func(i int, e *engine.Engine) {
			for range each / 8 {
				_, err := e.Webhooks.SendTest(context.Background(), f.scope())
				assert.NoError(t, err)
			}
		})
	}()
	last, seen := before, 0
	for running := true; running; {
		select {
		case <-done:
			running = false // one more look
		default:
		}
		for _, e := range f.events(last) {
			require.Equal(t, last+1, e.Cursor)
			last = e.Cursor
			seen++
		}
	}
	require.Equal(t, each/8*8, seen)
}

func TestBothServersReadTheBankAndTheChainAndBookOnce(t *testing.T) {
	t.Parallel()
	f := startFleet(t)
	w, err := f.engines[0].Wallets.Create(t.Context(), f.scope(), wallets.CreateParams{})
	require.NoError(t, err)
	const n = 40
	for range n {
		_, err := f.engines[0].World.Credit(t.Context(), sandbox.CreditParams{
			AccountNumber: f.tenant.Business.SourceAccounts[0].AccountNumber, Amount: money.NGN(100),
		})
		require.NoError(t, err)
		_, err = f.engines[1].World.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: money.USDC(1_000_000)})
		require.NoError(t, err)
	}
	f.clock.pass(10 * time.Second)
	f.together(6, func(_ int, e *engine.Engine) {
		for range 5 {
			_, err := e.BankFeed.RunDue(context.Background(), 10)
			assert.NoError(t, err)
			_, err = e.Deposits.Sweep(context.Background(), 10)
			assert.NoError(t, err)
		}
	})
	f.advance(1, time.Second)
	require.Equal(t, "40", f.balance(w).Major())
	totals, err := f.engines[0].Balances(t.Context(), f.scope())
	require.NoError(t, err)
	require.Equal(t, "1000040", totals[0].Posted.Major())
	require.Len(t, slices.DeleteFunc(f.events(0), func(e webhook.Event) bool { return e.Type != wallets.EventReceived }), n)
	f.requireClean()
}

// dispatch has both servers deliver at once what is due.
func (f *fleet) dispatch() {
	f.together(4, func(_ int, e *engine.Engine) {
		_, err := e.Webhooks.RunDue(context.Background(), 64)
		assert.NoError(f.t, err)
	})
}

// receive makes a receiver that answers with a status, and counts.
func (f *fleet) receive(status *atomic.Int64) *atomic.Int64 {
	f.t.Helper()
	var came atomic.Int64
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		came.Add(1)
		w.WriteHeader(int(status.Load()))
	}))
	f.t.Cleanup(hook.Close)
	_, err := f.engines[0].Webhooks.Configure(f.t.Context(), f.scope(), webhook.ConfigureParams{URL: &hook.URL})
	require.NoError(f.t, err)
	return &came
}

func TestAnEndpointThatFailsIsProbedByOneServerAtATime(t *testing.T) {
	t.Parallel()
	f := startFleet(t)
	var status atomic.Int64
	status.Store(http.StatusInternalServerError)
	came := f.receive(&status)
	const events, underWay = 64, 2 * 16 // what both servers post to an endpoint at once
	f.together(events, func(_ int, e *engine.Engine) {
		_, err := e.Webhooks.SendTest(t.Context(), f.scope())
		assert.NoError(t, err)
	})
	f.dispatch()
	first := came.Load()
	require.LessOrEqual(t, first, int64(underWay), "the failures of both servers count together")
	for range 3 {
		f.dispatch()
	}
	require.Equal(t, first, came.Load())

	for n := range int64(3) {
		f.clock.pass(6 * time.Minute)
		f.dispatch()
		require.Equal(t, first+n+1, came.Load(), "one probe")
	}
	status.Store(http.StatusOK)
	f.clock.pass(6 * time.Minute)
	f.dispatch()
	f.advance(0, 0)
	require.Equal(t, first+3+events, came.Load(), "each event is delivered once")
}
