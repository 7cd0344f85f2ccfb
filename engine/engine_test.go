package engine_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

func TestAStoreIsAllThatAnEngineNeeds(t *testing.T) {
	_, err := engine.New(engine.Config{})
	require.ErrorIs(t, err, engine.ErrNoStore)
	_, err = engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
}

func TestASecondEngineOnTheSameStoreFindsItsAccounts(t *testing.T) {
	s := memstore.New()
	for range 2 {
		_, err := engine.New(engine.Config{Store: s})
		require.NoError(t, err)
	}
}

func TestTheDemoBusinessHasAMillionNaira(t *testing.T) {
	e, tenant := enginetest.New(t)
	totals, err := e.Balances(t.Context(), tenant.Business.Scope)
	require.NoError(t, err)
	require.Len(t, totals, 2, "one for every currency")
	require.Equal(t, money.NGN(1_000_000_00), totals[0].Posted)
	require.Equal(t, money.USDC(0), totals[1].Posted)
	require.True(t, totals[0].Reserved.IsZero())
	require.NotEmpty(t, tenant.Business.SourceAccounts[0].AccountNumber)
}

func TestEnginesInOneProcessDoNotKnowEachOther(t *testing.T) {
	a, ofA := enginetest.New(t)
	b, _ := enginetest.New(t)
	_, err := b.Businesses.Authenticate(t.Context(), ofA.SecretKey)
	require.ErrorIs(t, err, ferry.Unauthenticated)
	_, err = a.Businesses.Authenticate(t.Context(), ofA.SecretKey)
	require.NoError(t, err)
}

func TestAnEnvironmentWithoutAnOutsideWorldIsRefused(t *testing.T) {
	e, _ := enginetest.New(t)
	require.False(t, e.Serves(ferry.Live))
	_, err := e.CreateTenant(t.Context(), ferry.Live, "Live shop")
	require.ErrorIs(t, err, engine.ErrNoEnvironment)
}

func TestMoneyArrivesIsToldAndGoesOn(t *testing.T) {
	e, tenant := enginetest.New(t)
	var mu sync.Mutex
	var told []string
	receiver := httptest.NewServer(webhook.Handler(func(_ context.Context, event webhook.Received) error {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, event.Type)
		return nil
	}, tenant.WebhookSecret))
	defer receiver.Close()
	_, err := e.Webhooks.Configure(t.Context(), tenant.Business.Scope, webhook.ConfigureParams{URL: &receiver.URL})
	require.NoError(t, err)

	wallet := enginetest.Deposit(t, e, tenant, money.USDC(25_500_000))
	transfer, err := e.Outgoing.Transfer(t.Context(), tenant.Business.Scope, outgoing.TransferParams{
		From: string(wallet.PrimaryAddress), To: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", Amount: money.USDC(10_000_000),
	})
	require.NoError(t, err)
	require.Equal(t, wallets.Pending, transfer.Status)
	enginetest.Advance(t, e, time.Minute)

	funded, err := e.Wallets.Get(t.Context(), tenant.Business.Scope, wallets.WalletRef{ID: string(wallet.ID)})
	require.NoError(t, err)
	require.Equal(t, money.USDC(15_495_000), funded.Balance)
	findings, err := e.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, findings)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{"stablecoin.received", "stablecoin.sent"}, told)
}

func TestAdvanceMovesTheClockByWhatWasAsked(t *testing.T) {
	e, _ := enginetest.New(t)
	before := e.Clock(ferry.Test).Now()
	enginetest.Advance(t, e, 48*time.Hour)
	require.WithinDuration(t, before.Add(48*time.Hour), e.Clock(ferry.Test).Now(), time.Minute)
}

func TestAWebhookOfAReceiverThatIsDownIsTriedAgainAtItsDueInstants(t *testing.T) {
	e, tenant := enginetest.New(t)
	var mu sync.Mutex
	tries := 0
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if tries++; tries < 3 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer receiver.Close()
	_, err := e.Webhooks.Configure(t.Context(), tenant.Business.Scope, webhook.ConfigureParams{URL: &receiver.URL})
	require.NoError(t, err)
	_, err = e.Webhooks.SendTest(t.Context(), tenant.Business.Scope)
	require.NoError(t, err)
	enginetest.Advance(t, e, time.Hour)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, 3, tries)
}

func TestWorkersLeaveNoInstantOut(t *testing.T) {
	e, tenant := enginetest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { e.Run(ctx) })
	running.Go(func() { // a worker that never rests
		for ctx.Err() == nil {
			for _, w := range e.Workers() {
				_, _ = w.RunDue(ctx, 100)
			}
		}
	})
	defer running.Wait()
	defer stop()
	receiver := httptest.NewServer(http.NotFoundHandler())
	receiver.Close() // nobody listens there any more
	_, err := e.Webhooks.Configure(t.Context(), tenant.Business.Scope, webhook.ConfigureParams{URL: &receiver.URL})
	require.NoError(t, err)
	for range 60 {
		_, err = e.Webhooks.SendTest(t.Context(), tenant.Business.Scope)
		require.NoError(t, err)
	}
	enginetest.Advance(t, e, 24*time.Hour)
	list, err := e.Webhooks.Attempts(t.Context(), tenant.Business.Scope, webhook.AttemptFilter{}, ferry.Page{})
	require.NoError(t, err)
	require.Greater(t, list.Total, 270, "a probe every 5 minutes")
}

func TestRunWorksUntilItsContextEnds(t *testing.T) {
	e, tenant := enginetest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { e.Run(ctx) })
	arrived := make(chan struct{}, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived <- struct{}{} }))
	defer receiver.Close()
	_, err := e.Webhooks.Configure(t.Context(), tenant.Business.Scope, webhook.ConfigureParams{URL: &receiver.URL})
	require.NoError(t, err)
	_, err = e.Webhooks.SendTest(t.Context(), tenant.Business.Scope)
	require.NoError(t, err)
	<-arrived
	stop()
	running.Wait()
}

func TestPassesCanBeRunByHand(t *testing.T) {
	e, _ := enginetest.New(t)
	for _, w := range e.Workers() {
		_, err := w.RunDue(t.Context(), 10)
		require.NoError(t, err, w.Name)
	}
	stats, err := e.Stats(t.Context())
	require.NoError(t, err)
	require.Len(t, stats.Workers, len(e.Workers()))
}

func TestADrainFindsADepositBehindManyNewAddresses(t *testing.T) {
	e, tenant := enginetest.New(t)
	scope := tenant.Business.Scope
	w, err := e.Wallets.Create(t.Context(), scope, wallets.CreateParams{})
	require.NoError(t, err)
	var last wallets.Address
	for range 250 {
		last, err = e.Wallets.CreateAddress(t.Context(), scope, wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}})
		require.NoError(t, err)
	}
	_, err = e.World.Deposit(t.Context(), sandbox.DepositParams{To: last.Address, Amount: money.USDC(1)})
	require.NoError(t, err)
	_, err = e.World.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
	progress, err := e.Drain(t.Context())
	require.NoError(t, err)
	require.True(t, progress.Done)
	funded, err := e.Wallets.GetAddress(t.Context(), scope, wallets.AddressRef{ID: string(last.ID)})
	require.NoError(t, err)
	require.Equal(t, money.USDC(1), funded.Balance)
}

func TestABusinessWithoutSourceAccountCannotBeFunded(t *testing.T) {
	e, _ := enginetest.New(t)
	made, err := e.Businesses.Create(t.Context(), ferry.Scope{Env: ferry.Test}, business.CreateParams{Name: "No account"})
	require.NoError(t, err)
	require.ErrorIs(t, e.FundNGN(t.Context(), made.Business.Scope, money.NGN(1)), sandbox.ErrNoAccount)
}

func TestLiveMoneyNeedsKeysThatLastAndAClockThatNobodyMoves(t *testing.T) {
	world := sandbox.New(sandbox.Config{})
	whole := engine.Config{
		Store: memstore.New(), Live: engine.Providers{Chain: world.Chain(), Bank: world.Bank(), KYC: world.KYC(), Rates: world.Rates()},
		Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"),
	}
	e, err := engine.New(whole)
	require.NoError(t, err)
	require.True(t, e.Serves(ferry.Live))
	for name, without := range map[string]func(*engine.Config){
		"a sealer: addresses would lose their keys": func(c *engine.Config) { c.Sealer = nil },
		"a pepper: businesses would lose theirs":    func(c *engine.Config) { c.Pepper = nil },
		"production: test helpers move the clock":   func(c *engine.Config) { c.Production = false },
	} {
		config := whole
		without(&config)
		_, err := engine.New(config)
		require.ErrorIs(t, err, engine.ErrNotForLive, name)
	}
}

func TestTheHeaderOfSignaturesHasTheNameThatTheOperatorGaveIt(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New(), Brand: ferry.Brand{Name: "acme"}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	headers := make(chan http.Header, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { headers <- r.Header }))
	defer receiver.Close()
	_, err = e.Webhooks.Configure(t.Context(), tenant.Business.Scope, webhook.ConfigureParams{URL: &receiver.URL})
	require.NoError(t, err)
	_, err = e.Webhooks.SendTest(t.Context(), tenant.Business.Scope)
	require.NoError(t, err)
	enginetest.Advance(t, e, time.Second)
	got := <-headers
	require.NotEmpty(t, got.Get("x-acme-signature"))
	require.Empty(t, got.Get(webhook.DefaultHeader))
}

func TestAnEngineRefusesFeesThatCannotBe(t *testing.T) {
	_, err := engine.New(engine.Config{Store: memstore.New(), Tariffs: fees.Tariffs{
		fees.Checkout: {Platform: fees.Rule{Flat: money.NGN(money.Ceiling + 1)}},
	}})
	require.ErrorIs(t, err, ferry.ErrValidation)
	require.ErrorContains(t, err, "fees.checkout.platform.flat")
}
