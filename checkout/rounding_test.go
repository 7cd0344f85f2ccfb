package checkout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
)

// twoKobo are fees of 0.02 naira for each part.
var twoKobo = fees.Tariffs{fees.Checkout: {
	Platform: fees.Rule{Flat: money.NGN(2)}, Processing: fees.Rule{Flat: money.NGN(2)},
}}

// The examples of docs/api.md, "Fees and rounding".
func TestAnOrderCostsWhatTheExamplesSay(t *testing.T) {
	for name, c := range map[string]struct {
		tariffs             fees.Tariffs
		amount              money.Amount
		base, fiat, crypto  int64
		platform, processed int64 // in millionths
	}{
		"worth of an order in USDC":  {nil, money.USDC(10_000_001), 15_000_00, 15_000_00, 10_000_001, 0, 0},
		"an order in naira, in USDC": {nil, money.NGN(15_000_01), 15_000_01, 15_000_01, 10_000_007, 0, 0},
		"what is paid":               {twoKobo, money.USDC(10_000_001), 15_000_00, 15_000_04, 10_000_028, 14, 13},
		"an order in USDC, in naira": {tariffs, money.USDC(10_000_000), 15_000_00, 15_200_00, 10_133_333, 100_000, 33_333},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, c.tariffs)
			s.prefer(business.UpdateParams{CustomerPaysFee: ptr(true)})
			quoted, err := s.Engine.Checkout.Quote(t.Context(), ferry.Test, &s.scope, c.amount, checkout.SolanaUSDC)
			require.NoError(t, err)
			require.Equal(t, []money.Amount{money.NGN(c.base), money.NGN(c.fiat), money.USDC(c.crypto)}, []money.Amount{quoted.Base, quoted.Fiat, quoted.Crypto})
			p := order("order-1")
			p.Amount = c.amount
			s.create(p)
			paid := s.get("order-1").Payment
			require.Equal(t, c.amount, must(paid.Net()), "net_amount is the price")
			if c.amount.Asset() == money.AssetUSDC {
				require.Equal(t, fees.Fees{Platform: money.USDC(c.platform), Processing: money.USDC(c.processed)}, paid.Fees)
			}
		})
	}
}

func TestAFeeIsWhatTheExampleSays(t *testing.T) {
	rule := fees.Rule{Share: 15_000, Flat: money.NGN(100_00)}
	require.Equal(t, money.NGN(325_00), must(rule.Of(money.NGN(15_000_00))))
	rule.Cap = money.NGN(200_00)
	require.Equal(t, money.NGN(200_00), must(rule.Of(money.NGN(15_000_00))))
}

func TestFeesAreTakenAsTheExamplesSay(t *testing.T) {
	for came, want := range map[int64]struct {
		fees fees.Fees
		left int64
	}{
		20_00: {fees.Fees{Platform: money.NGN(7_76), Processing: money.NGN(5_00)}, 7_24},
		6_00:  {fees.Fees{Platform: money.NGN(1_00), Processing: money.NGN(5_00)}, 0},
	} {
		s := setup(t, fees.Tariffs{fees.Checkout: {
			Platform: fees.Rule{Flat: money.NGN(10_00)}, Processing: fees.Rule{Flat: money.NGN(5_00)},
		}})
		accept(s)
		p := order("order-1")
		p.Amount = money.NGN(7_76)
		s.create(p)
		s.credit("order-1", money.NGN(came))
		paid := s.get("order-1").Payment
		require.Equal(t, payments.Success, paid.Status)
		require.Equal(t, money.NGN(came), paid.Amount)
		require.Equal(t, want.fees, paid.Fees)
		require.Equal(t, want.fees, s.feesTaken(money.AssetNGN))
		require.Equal(t, money.NGN(want.left), s.gained())
		require.Equal(t, money.NGN(want.left), paid.Settled)
		s.clean()
	}
}

func TestADepositThatIsWorthLessThanAKoboCountsNothing(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.inParts("order-1", 1)
	require.Equal(t, money.NGN(0), s.get("order-1").Credited)
}
