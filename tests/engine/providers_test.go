package engine_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestALiveEnvironmentHasAnyOfItsProviders(t *testing.T) {
	for present := range 16 {
		t.Run(fmt.Sprintf("%04b", present), func(t *testing.T) {
			config := liveConfig(apitest.NewClock())
			config.Hold = true
			for i, leaveOut := range []func(){
				func() { config.Live.Chain = nil }, func() { config.Live.Bank = nil },
				func() { config.Live.KYC = nil }, func() { config.Live.Rates = nil },
			} {
				if present&(1<<i) == 0 {
					leaveOut()
				}
			}
			e, err := engine.New(config)
			require.NoError(t, err)
			require.Equal(t, present != 0, e.Serves(ferry.Live))
			tenant, err := e.CreateTenant(t.Context(), ferry.Live, "Shop")
			if present == 0 {
				require.ErrorIs(t, err, engine.ErrNoEnvironment)
				return
			}
			require.NoError(t, err)
			hasChain, hasBank := config.Live.Chain != nil, config.Live.Bank != nil
			require.Equal(t, hasBank, len(tenant.Business.SourceAccounts) == 1, "a bank opens a source account")

			held, _, err := e.Held(t.Context(), ferry.Live)
			require.NoError(t, err)
			require.Equal(t, hasChain, held, "what has no chain has nothing to match, and is not held")
			found, err := e.Reconcile(t.Context(), ferry.Live)
			require.NoError(t, err)
			require.True(t, found.Clean())
			var missing []string
			if !hasChain {
				missing = append(missing, "chain")
			}
			if !hasBank {
				missing = append(missing, "bank")
			}
			require.Equal(t, append(missing, "biller"), found.Missing)
			_, err = e.Stats(t.Context())
			require.NoError(t, err)
		})
	}
}

func TestFeesOfUSDCNeedARate(t *testing.T) {
	for name, c := range map[string]struct {
		live    func(*engine.Providers)
		tariffs fees.Tariffs
		want    error
	}{
		"fees, and USDC without rates":    {func(p *engine.Providers) { p.Rates = nil }, fees.Tariffs{fees.Link: {Platform: fees.Rule{Share: 1}}}, engine.ErrNoRates},
		"no fees":                         {func(p *engine.Providers) { p.Rates = nil }, fees.Tariffs{fees.Link: {}}, nil},
		"fees of another channel":         {func(p *engine.Providers) { p.Rates = nil }, fees.Tariffs{fees.API: {Platform: fees.Rule{Share: 1}}}, nil},
		"fees, and no USDC":               {func(p *engine.Providers) { p.Rates, p.Chain = nil, nil }, fees.Tariffs{fees.Checkout: {Platform: fees.Rule{Share: 1}}}, nil},
		"fees, and USDC that has a price": {func(*engine.Providers) {}, fees.Tariffs{fees.Checkout: {Platform: fees.Rule{Share: 1}}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			config := liveConfig(apitest.NewClock())
			c.live(&config.Live)
			config.Tariffs = c.tariffs
			_, err := engine.New(config)
			require.ErrorIs(t, err, c.want)
		})
	}
}

// site is a store and a live world on which engines with some of its providers run one
// after the other.
type liveSite struct {
	t      *testing.T
	clock  *apitest.Clock
	world  *sandbox.World
	config engine.Config
	all    engine.Providers
	log    strings.Builder
	*engine.Engine
	tenant engine.Tenant
}

func newLiveSite(t *testing.T, kept store.Backend) *liveSite {
	t.Helper()
	s := &liveSite{t: t, clock: apitest.NewClock()}
	s.world = sandbox.New(sandbox.Config{Clock: s.clock, Seed: 2})
	s.config = liveConfig(s.clock)
	s.config.Store, s.config.Logger = kept, slog.New(slog.NewTextHandler(&s.log, nil))
	s.all = engine.Providers{Chain: s.world.Chain(), Bank: s.world.Bank(), KYC: s.world.KYC(), Rates: s.world.Rates()}
	return s
}

// start runs an engine with all providers but those that are left out.
func (s *liveSite) start(without ...func(*engine.Providers)) {
	s.t.Helper()
	s.config.Live = s.all
	for _, leaveOut := range without {
		leaveOut(&s.config.Live)
	}
	e, err := engine.New(s.config)
	require.NoError(s.t, err)
	s.Engine = e
	if s.tenant.SecretKey == "" {
		s.tenant, err = e.CreateTenant(s.t.Context(), ferry.Live, "Shop")
		require.NoError(s.t, err)
	}
}

// work lets time pass and does what is due, and again what that leaves.
func (s *liveSite) work(by time.Duration) {
	s.t.Helper()
	s.clock.Add(by)
	for range 3 {
		for _, w := range s.Workers() {
			_, err := w.RunDue(s.t.Context(), 100)
			require.NoError(s.t, err, w.Name)
		}
		s.clock.Add(time.Second)
	}
}

func (s *liveSite) order(trxID string, amount money.Amount) checkout.State {
	s.t.Helper()
	_, err := s.Checkout.Create(s.t.Context(), s.tenant.Business.Scope, checkout.CreateParams{
		TrxID: trxID, Email: "ada@example.com", Amount: amount,
	})
	require.NoError(s.t, err)
	return s.state(trxID)
}

func (s *liveSite) state(trxID string) checkout.State {
	s.t.Helper()
	state, err := s.Checkout.Get(s.t.Context(), s.tenant.Business.Scope, checkout.Ref{TrxID: trxID})
	require.NoError(s.t, err)
	return state
}

func (s *liveSite) deposit(to chain.Address, amount int64) {
	s.t.Helper()
	_, err := s.world.Deposit(s.t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(amount)})
	require.NoError(s.t, err)
}

func (s *liveSite) clean() {
	s.t.Helper()
	findings, err := s.Audit(s.t.Context(), ferry.Live)
	require.NoError(s.t, err)
	require.Empty(s.t, findings)
	found, err := s.Reconcile(s.t.Context(), ferry.Live)
	require.NoError(s.t, err)
	require.Empty(s.t, found.Findings)
}

func noChain(p *engine.Providers) { p.Chain = nil }
func noBank(p *engine.Providers)  { p.Bank = nil }
func noKYC(p *engine.Providers)   { p.KYC = nil }
func noRates(p *engine.Providers) { p.Rates = nil }

// stores are those on which what touches what is kept is tried.
func stores(t *testing.T) map[string]store.Backend {
	t.Helper()
	return map[string]store.Backend{"memory": memstore.New(), "sqlite": sqlitetest.Open(t)}
}

func TestAnOrderInUSDCIsPaidWithoutRates(t *testing.T) {
	for name, kept := range stores(t) {
		t.Run(name, func(t *testing.T) {
			s := newLiveSite(t, kept)
			s.start(noBank, noKYC, noRates)
			made := s.order("usdc", money.USDC(10_000_000))
			require.Equal(t, []business.PaymentMethod{business.Crypto}, made.Available())
			require.Equal(t, money.USDC(10_000_000), made.Current.Amount)
			require.Equal(t, made.ExpiresAt, made.Current.ExpiresAt, "no rate runs out")

			s.deposit(made.Current.Deposit, 4_000_000)
			s.work(10 * time.Second)
			require.Equal(t, money.USDC(4_000_000), s.state("usdc").Current.Received)
			s.deposit(made.Current.Deposit, 7_000_000)
			s.work(10 * time.Second)
			paid := s.state("usdc")
			require.Equal(t, checkout.Completed, paid.Status)
			require.Equal(t, money.USDC(10_000_000), paid.Payment.Settled)
			s.clean()

			_, err := s.Checkout.Create(t.Context(), s.tenant.Business.Scope, checkout.CreateParams{
				TrxID: "naira", Email: "ada@example.com", Amount: money.NGN(100_00),
			})
			require.ErrorIs(t, err, ferry.ErrNoProvider)
		})
	}
}

func TestAnOrderThatHasNoPriceInNairaIsPaidByNoCard(t *testing.T) {
	s := newLiveSite(t, memstore.New())
	s.start(noRates)
	made := s.order("order-1", money.USDC(10_000_000))
	card := checkout.Attempt{Method: payments.Card, Outcome: checkout.OutcomeSuccess}
	_, err := s.Engine.Checkout.Attempt(t.Context(), made.Scope, made.Ref(), card)
	require.ErrorIs(t, err, checkout.ErrNoRates)
	require.Equal(t, checkout.Pending, s.state("order-1").Status)

	s.start()
	paid, err := s.Engine.Checkout.Attempt(t.Context(), made.Scope, made.Ref(), card)
	require.NoError(t, err)
	require.Equal(t, checkout.Completed, paid.Status)
	require.Equal(t, money.NGN(15_000_00), paid.Payment.Received)
	s.clean()
}

func TestUSDCThatIsConvertedIsNotOfferedWithoutRates(t *testing.T) {
	s := newLiveSite(t, memstore.New())
	s.start(noRates)
	convert := business.Convert
	_, err := s.Businesses.Update(t.Context(), s.tenant.Business.Scope, business.UpdateParams{CryptoSettlement: &convert})
	require.NoError(t, err)
	_, err = s.Checkout.Create(t.Context(), s.tenant.Business.Scope, checkout.CreateParams{
		TrxID: "usdc", Email: "ada@example.com", Amount: money.USDC(10_000_000),
	})
	require.ErrorIs(t, err, checkout.ErrNoRates)
}

// waiting is what waits for providers: sessions, a transfer and a virtual account.
type waiting struct {
	naira, usdc checkout.State
	transfer    outgoing.Transfer
	account     accounts.Account
}

func (s *liveSite) begin() (w waiting) {
	s.t.Helper()
	ctx, scope := s.t.Context(), s.tenant.Business.Scope
	w.naira, w.usdc = s.order("naira", money.NGN(15_000_00)), s.order("usdc", money.USDC(10_000_000))
	till, err := s.Wallets.Create(ctx, scope, wallets.CreateParams{Reference: "till"})
	require.NoError(s.t, err)
	s.deposit(till.PrimaryAddress, 50_000_000)
	s.work(10 * time.Second)
	there, err := chain.NewSeed(strings.NewReader(strings.Repeat("stranger", 4)))
	require.NoError(s.t, err)
	w.transfer, err = s.Outgoing.Transfer(ctx, scope, outgoing.TransferParams{
		From: string(till.PrimaryAddress), To: string(there.Address()), Amount: money.USDC(1_000_000),
	})
	require.NoError(s.t, err)
	w.account, err = s.Accounts.CreateVirtual(ctx, scope, accounts.VirtualParams{Currency: "NGN", Reference: "v-1"})
	require.NoError(s.t, err)
	return w
}

func (s *liveSite) transferStatus(w waiting) wallets.TransferStatus {
	s.t.Helper()
	found, err := s.Outgoing.FindTransfer(s.t.Context(), s.tenant.Business.Scope, string(w.transfer.ID))
	require.NoError(s.t, err)
	return found.Status
}

func TestWhatWaitsForAProviderThatIsTakenAwayGoesOnWhenItIsBack(t *testing.T) {
	for name, kept := range stores(t) {
		t.Run(name, func(t *testing.T) {
			s := newLiveSite(t, kept)
			s.start()
			w := s.begin()

			// Payers who know address and account pay while neither is read.
			s.start(noChain, noBank)
			s.deposit(w.usdc.Current.Deposit, 10_000_000)
			_, err := s.world.Credit(t.Context(), sandbox.CreditParams{AccountNumber: w.naira.Account.AccountNumber, Amount: money.NGN(15_000_00)})
			require.NoError(t, err)
			s.log.Reset()
			for range 20 {
				s.work(time.Minute)
			}
			for _, trxID := range []string{"naira", "usdc"} {
				state := s.state(trxID)
				require.Equal(t, checkout.Pending, state.Status)
				require.Empty(t, state.Available())
				require.Nil(t, state.Current)
				require.Zero(t, state.Account)
			}
			require.Equal(t, wallets.Pending, s.transferStatus(w))
			require.Empty(t, s.log.String(), "nobody is told again and again")
			s.clean()

			s.start()
			for range 12 {
				s.work(time.Minute)
			}
			require.Equal(t, checkout.Completed, s.state("naira").Status)
			require.Equal(t, checkout.Completed, s.state("usdc").Status)
			require.Equal(t, wallets.Success, s.transferStatus(w))
			s.clean()
		})
	}
}

func TestASessionWhoseAddressNobodyWatchesDoesNotEndBeforeTheChainWasAsked(t *testing.T) {
	s := newLiveSite(t, memstore.New())
	s.start()
	made := s.order("usdc", money.USDC(10_000_000))
	s.start(noChain, noBank)
	s.deposit(made.Current.Deposit, 10_000_000)
	s.work(72 * time.Hour)
	require.Equal(t, checkout.Pending, s.state("usdc").Status)
	require.False(t, s.state("usdc").Open)
	s.start()
	for range 12 {
		s.work(time.Minute)
	}
	require.Equal(t, checkout.Completed, s.state("usdc").Status, "it was paid in time")
	s.clean()
}

func TestADepositThatNeedsARateWaitsForRates(t *testing.T) {
	s := newLiveSite(t, memstore.New())
	s.start()
	made := s.order("naira", money.NGN(15_000_00))
	s.start(noRates)
	s.log.Reset()
	require.Nil(t, s.state("naira").Current)
	s.work(time.Hour) // the rate of the address has run out
	s.deposit(made.Current.Deposit, 10_000_000)
	s.work(10 * time.Second)
	s.work(10 * time.Second)
	require.Equal(t, checkout.Pending, s.state("naira").Status)
	require.Empty(t, s.log.String())
	s.start()
	s.work(10 * time.Second)
	require.Equal(t, checkout.Completed, s.state("naira").Status)
	s.clean()
}

// countedBank is a bank of one's own around the simulated one.
type countedBank struct {
	bank.Bank
	opened int
}

func (b *countedBank) OpenAccount(ctx context.Context, key, name string) (bank.Account, error) {
	b.opened++
	return b.Bank.OpenAccount(ctx, key, name)
}

func TestOnesOwnAdapterStandsInForAProviderOfTheTestEnvironment(t *testing.T) {
	world := sandbox.New(sandbox.Config{Seed: 1})
	own := &countedBank{Bank: world.Bank()}
	e, err := engine.New(engine.Config{Store: memstore.New(), World: world, Test: engine.Providers{Bank: own}})
	require.NoError(t, err)
	_, err = e.Bootstrap(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, own.opened)
	require.NotNil(t, e.Rates(ferry.Test), "the others are the world's")
}
