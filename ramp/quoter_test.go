package ramp_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// source is a source of rates that the test decides about.
type source struct {
	price string
	spoil func(*money.Rate)
	until time.Time
	err   error
	asked int
}

func (s *source) Quote(_ context.Context, base, quote money.Asset) (rates.Quote, error) {
	s.asked++
	if s.err != nil {
		return rates.Quote{}, s.err
	}
	rate, err := money.NewRate(base, quote, s.price)
	if s.spoil != nil {
		s.spoil(&rate)
	}
	return rates.Quote{Rate: rate, ExpiresAt: s.until}, err
}

// shop is a business with a source of rates.
type shop struct {
	*engine.Engine
	*source
	scope ferry.Scope
	store store.Backend
}

// open makes a shop with a spread of 1% on either side. Its source stands by 1500 naira for
// an hour.
func open(t testing.TB, pricing ramp.Pricing) *shop {
	s := &shop{source: &source{price: "1500"}, store: memstore.New()}
	e, err := engine.New(engine.Config{Store: s.store, Ramp: pricing, Test: engine.Providers{Rates: s.source}})
	require.NoError(t, err)
	s.Engine = e
	b, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	s.scope = b.Business.Scope
	s.until = s.now().Add(time.Hour)
	return s
}

func (s *shop) now() time.Time { return s.World.Clock().Now() }

var onePercent = ramp.Pricing{OnrampSpread: 100, OfframpSpread: 100}

func TestTheSpreadIsAgainstThePayerOnEitherSide(t *testing.T) {
	s := open(t, onePercent)
	in, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.NGN(15_000_00))
	require.NoError(t, err)
	require.Equal(t, "1515", in.Rate)
	require.Equal(t, "1500", in.BaseRate)
	require.EqualValues(t, 100, in.Spread)
	require.Equal(t, money.USDC(9_900_990), in.Crypto, "rounded down")

	out, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Offramp, money.NGN(15_000_00))
	require.NoError(t, err)
	require.Equal(t, "1485", out.Rate)
	require.Equal(t, money.USDC(10_101_011), out.Crypto, "rounded up")

	for _, want := range []ramp.Quote{in, out} {
		got, err := s.Quotes.Get(t.Context(), s.scope, string(want.ID))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestAQuoteStandsFor15MinutesAndNoLongerThanItsSourceStandsByIt(t *testing.T) {
	s := open(t, ramp.Pricing{})
	q, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.NGN(15_000_00))
	require.NoError(t, err)
	require.Equal(t, q.CreatedAt.Add(15*time.Minute), q.ExpiresAt)

	s.until = s.now().Add(time.Minute).Truncate(time.Millisecond)
	q, err = s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.NGN(15_000_00))
	require.NoError(t, err)
	require.Equal(t, s.until, q.ExpiresAt)

	s.until = s.now().Add(-time.Second)
	_, err = s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.NGN(15_000_00))
	require.ErrorIs(t, err, ramp.ErrUnavailable, "the source no longer stands by it")
	_, err = s.Quotes.Rate(t.Context(), ferry.Test, ramp.Onramp)
	require.ErrorIs(t, err, ramp.ErrUnavailable)
}

func TestAnOrderUsesAQuoteOfItsSideUntilItHasRunOut(t *testing.T) {
	s := open(t, ramp.Pricing{Validity: time.Minute})
	q, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.NGN(15_000_00))
	require.NoError(t, err)
	use := func(scope ferry.Scope, side ramp.Side) (err error) {
		return s.store.Read(t.Context(), func(ctx context.Context, tx store.Ports) error {
			_, err = ramp.UsableIn(ctx, clocked{tx, s.now()}, scope, side, string(q.ID))
			return err
		})
	}
	require.NoError(t, use(s.scope, ramp.Onramp))
	require.ErrorIs(t, use(s.scope, ramp.Offramp), ramp.ErrQuoteNotFound)
	require.ErrorIs(t, use(ferry.Scope{Env: ferry.Test, Business: "biz_other"}, ramp.Onramp), ramp.ErrQuoteNotFound)
	_, err = s.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
	require.ErrorIs(t, use(s.scope, ramp.Onramp), ramp.ErrQuoteExpired)
}

// clocked is a unit at an instant.
type clocked struct {
	store.Ports
	now time.Time
}

func (c clocked) Now() time.Time      { return c.now }
func (clocked) NewID(p string) string { panic("no id is needed: " + p) }

func TestWithoutARateNothingIsQuoted(t *testing.T) {
	for name, spoil := range map[string]func(*source){
		"the source is out":            func(s *source) { s.err = rates.ErrUnavailable },
		"the source fails":             func(s *source) { s.err = errors.New("boom") },
		"the source prices no USDC":    func(s *source) { s.err = rates.ErrUnknownPair },
		"the rate is of another asset": func(s *source) { s.spoil = func(r *money.Rate) { r.Base = money.AssetNGN } },
		"the rate is in another asset": func(s *source) { s.spoil = func(r *money.Rate) { r.Quote = money.AssetUSDC } },
		"the rate is the other way":    func(s *source) { s.spoil = func(r *money.Rate) { r.Base, r.Quote = r.Quote, r.Base } },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, ramp.Pricing{})
			spoil(s.source)
			_, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Offramp, money.NGN(15_000_00))
			require.ErrorIs(t, err, ramp.ErrUnavailable)
			_, err = s.Quotes.Rate(t.Context(), ferry.Test, ramp.Offramp)
			require.ErrorIs(t, err, ramp.ErrUnavailable)
		})
	}
	t.Run("the environment has no source", func(t *testing.T) {
		s := open(t, onePercent)
		_, err := s.Quotes.Rate(t.Context(), ferry.Live, ramp.Offramp)
		require.ErrorIs(t, err, ferry.ErrNoProvider)
	})
}

func TestWhatIsWorthLessThanTheMinimumOrMoreThanTheCeilingIsNotQuoted(t *testing.T) {
	s := open(t, onePercent)
	for side, least := range map[ramp.Side]int64{ramp.Onramp: 1515_00, ramp.Offramp: 1484_99 + 1} {
		_, err := s.Quotes.Quote(t.Context(), s.scope, side, money.NGN(least))
		require.NoError(t, err, side)
		_, err = s.Quotes.Quote(t.Context(), s.scope, side, money.NGN(least-1))
		require.ErrorIs(t, err, ramp.ErrBelowMinimum, side)
	}
	_, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.Most(money.AssetNGN))
	require.ErrorIs(t, err, ferry.ErrValidation)
	asked := s.asked
	for _, wrong := range []money.Amount{{}, money.NGN(0), money.NGN(-1), money.USDC(5), money.NGN(money.Ceiling + 1)} {
		_, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, wrong)
		require.ErrorIs(t, err, ferry.ErrValidation, wrong)
	}
	require.Equal(t, asked, s.asked, "the source is not asked for nothing")
}

func TestNobodyIsQuotedNothing(t *testing.T) {
	s := open(t, onePercent)
	_, err := s.Quotes.Offer(t.Context(), ferry.Scope{}, ramp.Onramp, money.NGN(15_000_00))
	require.ErrorIs(t, err, ferry.ErrZeroScope)
	require.Zero(t, s.asked)
}

func TestTheOperatorsPricingIsChecked(t *testing.T) {
	for _, wrong := range []ramp.Pricing{
		{OnrampSpread: -1}, {OfframpSpread: 10_000}, {Validity: -1}, {Minimum: money.NGN(1)}, {Minimum: money.USDC(-1)},
	} {
		_, err := engine.New(engine.Config{Store: memstore.New(), Ramp: wrong})
		require.ErrorIs(t, err, ferry.ErrValidation, "%+v", wrong)
	}
	_, err := engine.New(engine.Config{Store: memstore.New(), Ramp: ramp.Pricing{OnrampSpread: 9_999, OfframpSpread: 9_999, Minimum: money.USDC(0)}})
	require.NoError(t, err)
}

func TestExchangingToAndFroMakesNoMoney(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		pricing := ramp.Pricing{
			OnrampSpread: rapid.Int64Range(0, 500).Draw(r, "onramp"), OfframpSpread: rapid.Int64Range(0, 500).Draw(r, "offramp"),
			Minimum: money.USDC(1),
		}
		s := open(t, pricing)
		s.price = fmt.Sprintf("%d.%03d", rapid.IntRange(1, 5000).Draw(r, "naira"), rapid.IntRange(0, 999).Draw(r, "part"))
		in, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.NGN(rapid.Int64Range(100_00, 1_000_000_00).Draw(r, "in")))
		require.NoError(r, err)
		out, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Offramp, in.Fiat)
		require.NoError(r, err)
		require.LessOrEqual(r, in.Crypto.Minor(), out.Crypto.Minor(), "the USDC that %s buy do not buy more naira back", in.Fiat)
		base, err := money.NewRate(money.AssetUSDC, money.AssetNGN, s.price)
		require.NoError(r, err)
		worth, err := base.ConvertUp(in.Crypto)
		require.NoError(r, err)
		require.LessOrEqual(r, worth.Minor(), in.Fiat.Minor())
	})
}

func TestTheSandboxQuotes(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	price, err := e.Quotes.Rate(t.Context(), ferry.Test, ramp.Onramp)
	require.NoError(t, err)
	require.Equal(t, sandbox.Price, price.Rate)
	require.NoError(t, e.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	_, err = e.Quotes.Rate(t.Context(), ferry.Test, ramp.Onramp)
	require.ErrorIs(t, err, ramp.ErrUnavailable)
}
