package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/webhook"
)

// liveConfig is an engine with live providers, which a world of their own plays.
func liveConfig(clock ferry.Clock) engine.Config {
	world := sandbox.New(sandbox.Config{Clock: clock, Seed: 2})
	return engine.Config{
		Store: memstore.New(), Clock: clock, Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"),
		Live: engine.Providers{Chain: world.Chain(), Bank: world.Bank(), KYC: world.KYC(), Rates: world.Rates()},
	}
}

// shelf is one thing of each kind that ends by itself, of a tenant.
type shelf struct {
	engine  *engine.Engine
	scope   ferry.Scope
	link    links.Link
	account accounts.Account
}

const order = "order-1"

func stock(t *testing.T, e *engine.Engine, env ferry.Env) shelf {
	t.Helper()
	tenant, err := e.CreateTenant(t.Context(), env, "Shop")
	require.NoError(t, err)
	s := shelf{engine: e, scope: tenant.Business.Scope}
	_, err = e.Checkout.Create(t.Context(), s.scope, checkout.CreateParams{
		Variant: business.DialectA, TrxID: order, Email: "ada@example.com", Amount: money.NGN(15_000_00),
	})
	require.NoError(t, err)
	s.link, err = e.Links.Create(t.Context(), s.scope, links.CreateParams{
		Policy: business.DialectA, Currency: "NGN", Amount: money.NGN(100_00), Title: "Lunch",
		ExpiresAt: e.Clock(env).Now().Add(time.Hour),
	})
	require.NoError(t, err)
	s.account, err = e.Accounts.CreateVirtual(t.Context(), s.scope, accounts.VirtualParams{Currency: "NGN", Reference: "ref-1"})
	require.NoError(t, err)
	return s
}

// ended reports whether session, link and account have each ended.
func (s shelf) ended(t *testing.T) [3]bool {
	t.Helper()
	state, err := s.engine.Checkout.Get(t.Context(), s.scope, checkout.Ref{TrxID: order})
	require.NoError(t, err)
	link, err := s.engine.Links.Get(t.Context(), s.scope, string(s.link.ID))
	require.NoError(t, err)
	account, err := s.engine.Accounts.Get(t.Context(), s.scope, accounts.Virtual, string(s.account.ID))
	require.NoError(t, err)
	return [3]bool{!state.Open, link.Link.Status != links.Active, account.Status != accounts.Active}
}

func TestTheTestClockMovesNothingOfTheLiveEnvironment(t *testing.T) {
	clock := apitest.NewClock()
	e, err := engine.New(liveConfig(clock))
	require.NoError(t, err)
	live, test := stock(t, e, ferry.Live), stock(t, e, ferry.Test)
	running, over := [3]bool{}, [3]bool{true, true, true}
	require.Equal(t, running, live.ended(t))

	enginetest.Advance(t, e, 48*time.Hour)
	require.Equal(t, over, test.ended(t))
	require.Equal(t, running, live.ended(t))
	require.Equal(t, clock.Now(), e.Clock(ferry.Live).Now())
	require.Equal(t, clock.Now().Add(48*time.Hour), e.Clock(ferry.Test).Now())

	clock.Add(48 * time.Hour)
	_, err = e.Drain(t.Context())
	require.NoError(t, err)
	require.Equal(t, over, live.ended(t))
}

func TestWhatIsWrittenInAnEnvironmentBearsItsTime(t *testing.T) {
	clock := apitest.NewClock()
	e, err := engine.New(liveConfig(clock))
	require.NoError(t, err)
	enginetest.Advance(t, e, 48*time.Hour)
	for env, want := range map[ferry.Env]time.Time{ferry.Live: clock.Now(), ferry.Test: clock.Now().Add(48 * time.Hour)} {
		s := stock(t, e, env)
		state, err := e.Checkout.Page(t.Context(), string(sessionOf(t, s)))
		require.NoError(t, err)
		require.Equal(t, want, state.Session.CreatedAt)
		require.True(t, state.Open)
		link, err := e.Links.BySlug(t.Context(), s.link.Slug)
		require.NoError(t, err)
		require.Equal(t, want, link.CreatedAt)
		require.Equal(t, links.Active, link.Status)
	}
}

func sessionOf(t *testing.T, s shelf) checkout.ID {
	t.Helper()
	state, err := s.engine.Checkout.Get(t.Context(), s.scope, checkout.Ref{TrxID: order})
	require.NoError(t, err)
	return state.Session.ID
}

// everyQueue is the queues of all domains.
func everyQueue() (all []lease.Kind) {
	for _, d := range engine.Domains() {
		all = append(all, d.Queues...)
	}
	return all
}

func TestNoWorkOfTheLiveEnvironmentIsDueByTheTestClock(t *testing.T) {
	clock := apitest.NewClock()
	e, err := engine.New(liveConfig(clock))
	require.NoError(t, err)
	due := clock.Now().Add(time.Hour)
	inLive(t, e, func(ctx context.Context, tx store.Tx) error {
		for _, q := range everyQueue() {
			if err := tx.Leases().Schedule(ctx, q.In(ferry.Live), "live/biz_1/x", due); err != nil {
				return err
			}
		}
		return nil
	})
	enginetest.Advance(t, e, 48*time.Hour)
	inLive(t, e, func(ctx context.Context, tx store.Tx) error {
		for _, q := range everyQueue() {
			next, err := tx.Leases().Next(ctx, []lease.Queue{q.In(ferry.Live)})
			require.NoError(t, err)
			require.Equal(t, map[lease.Queue]time.Time{q.In(ferry.Live): due}, next)
		}
		return nil
	})
}

func TestTheTestClockEndsNoLeaseOfTheLiveEnvironment(t *testing.T) {
	clock := apitest.NewClock()
	e, err := engine.New(liveConfig(clock))
	require.NoError(t, err)
	claim := func(wanted int) {
		t.Helper()
		inLive(t, e, func(ctx context.Context, tx store.Tx) error {
			for _, q := range everyQueue() {
				claims, err := tx.Leases().Claim(ctx, q.In(ferry.Live), tx.Now(), time.Hour, 10)
				require.NoError(t, err)
				require.Len(t, claims, wanted, q)
			}
			return nil
		})
	}
	inLive(t, e, func(ctx context.Context, tx store.Tx) error {
		for _, q := range everyQueue() {
			if err := tx.Leases().Schedule(ctx, q.In(ferry.Live), "live/biz_1/x", tx.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	claim(1)
	enginetest.Advance(t, e, 48*time.Hour)
	claim(0)
}

func TestTheTestClockLeavesALiveOfferAsItIs(t *testing.T) {
	clock := apitest.NewClock()
	e, err := engine.New(liveConfig(clock))
	require.NoError(t, err)
	offered := map[ferry.Env]checkout.State{}
	read := func(env ferry.Env, s shelf) checkout.State {
		state, err := e.Checkout.Get(t.Context(), s.scope, checkout.Ref{TrxID: order})
		require.NoError(t, err)
		return state
	}
	shelves := map[ferry.Env]shelf{}
	for _, env := range ferry.Envs() {
		shelves[env] = stock(t, e, env)
		_, err := e.Checkout.Crypto(t.Context(), shelves[env].scope, checkout.Ref{TrxID: order}, checkout.SolanaUSDC)
		require.NoError(t, err)
		offered[env] = read(env, shelves[env])
		require.NotNil(t, offered[env].Current, "USDC is offered at a price")
	}
	enginetest.Advance(t, e, 48*time.Hour)
	require.Equal(t, offered[ferry.Live], read(ferry.Live, shelves[ferry.Live]))
	require.NotEqual(t, offered[ferry.Test], read(ferry.Test, shelves[ferry.Test]))
}

func inLive(t *testing.T, e *engine.Engine, body func(context.Context, store.Tx) error) {
	t.Helper()
	require.NoError(t, e.Units(ferry.Live).Write(t.Context(), body))
}

func TestTheTestClockMakesNobodyForgetALiveClientsKey(t *testing.T) {
	e, err := engine.New(liveConfig(apitest.NewClock()))
	require.NoError(t, err)
	keys := map[ferry.Env]idempotency.Key{}
	for _, env := range ferry.Envs() {
		key := idempotency.Key{Scope: ferry.Scope{Business: "biz_1", Env: env}, Operation: "POST /v1/wallets", Client: "k"}
		keys[env] = key
		require.NoError(t, e.Units(env).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			_, err := idempotency.Begin(ctx, tx, tx.Now(), tx.Now(), key.Record("f"))
			return err
		}))
	}
	enginetest.Advance(t, e, idempotency.Retention+time.Hour)
	known := func(env ferry.Env) error {
		return e.Units(env).Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
			_, err := idempotency.RecordKind.Get(ctx, tx, keys[env].Scope, keys[env].ID())
			return err
		})
	}
	require.NoError(t, known(ferry.Live))
	require.ErrorIs(t, known(ferry.Test), idempotency.ErrUnknown)
}

func TestARotatedLiveSecretSignsByTheLiveClock(t *testing.T) {
	clock := apitest.NewClock()
	e, err := engine.New(liveConfig(clock))
	require.NoError(t, err)
	tenant, err := e.CreateTenant(t.Context(), ferry.Live, "Shop")
	require.NoError(t, err)
	keys, err := e.Businesses.Keys(t.Context(), tenant.Business.Scope)
	require.NoError(t, err)
	for _, k := range keys {
		_, err := e.Businesses.RotateKey(t.Context(), k.Scope, business.RotateKeyParams{ID: k.ID})
		require.NoError(t, err)
	}
	rotated, err := e.Webhooks.RotateSecret(t.Context(), tenant.Business.Scope, webhook.RotateSecretParams{})
	require.NoError(t, err)
	require.Equal(t, clock.Now().Add(24*time.Hour), rotated.PreviousValidUntil)

	enginetest.Advance(t, e, 48*time.Hour)
	_, err = e.Businesses.Authenticate(t.Context(), tenant.SecretKey)
	require.NoError(t, err, "the overlap lasts by the live clock")
	clock.Add(25 * time.Hour)
	_, err = e.Businesses.Authenticate(t.Context(), tenant.SecretKey)
	require.ErrorIs(t, err, business.ErrUnauthorized)
}
