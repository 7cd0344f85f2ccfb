package fees_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
)

var shop = ferry.Scope{Business: "biz_1", Env: ferry.Test}

func TestAFeeIsAShareAndAFlatSumWithinBounds(t *testing.T) {
	for name, c := range map[string]struct {
		rule   fees.Rule
		amount int64
		want   int64
	}{
		"nothing":                          {fees.Rule{}, 10_000, 0},
		"a share":                          {fees.Rule{Share: 15_000}, 10_000, 150},
		"a share, a half kobo up":          {fees.Rule{Share: 15_000}, 100, 2},
		"a share, less than a half down":   {fees.Rule{Share: 14_000}, 100, 1},
		"flat":                             {fees.Rule{Flat: money.NGN(100)}, 10_000, 100},
		"a share and a flat sum":           {fees.Rule{Share: 15_000, Flat: money.NGN(100)}, 10_000, 250},
		"not less than the minimum":        {fees.Rule{Share: 1, Minimum: money.NGN(50)}, 10_000, 50},
		"not more than the cap":            {fees.Rule{Share: 500_000, Cap: money.NGN(200)}, 10_000, 200},
		"the cap wins over the minimum":    {fees.Rule{Minimum: money.NGN(300), Cap: money.NGN(200)}, 10_000, 200},
		"never more than what it is of":    {fees.Rule{Flat: money.NGN(100)}, 60, 60},
		"all of it, of the greatest there": {fees.Rule{Share: 1_000_000}, 1<<63 - 1, 1<<63 - 1},
	} {
		t.Run(name, func(t *testing.T) {
			fee, err := c.rule.Of(money.NGN(c.amount))
			require.NoError(t, err)
			require.Equal(t, money.NGN(c.want), fee)
		})
	}
}

func TestAShareBeyondTheWholeIsRefused(t *testing.T) {
	_, err := fees.Rule{Share: 1_000_001}.Of(money.NGN(1))
	require.ErrorIs(t, err, money.ErrOverflow)
}

func TestEachPartOfTheFeesIsComputedByItsOwnRule(t *testing.T) {
	tariffs := fees.Tariffs{fees.Checkout: {
		Platform: fees.Rule{Share: 10_000}, Processing: fees.Rule{Flat: money.NGN(7)},
	}}
	taken, err := tariffs.Of(fees.Checkout, money.NGN(1000))
	require.NoError(t, err)
	require.Equal(t, fees.Fees{Platform: money.NGN(10), Processing: money.NGN(7)}, taken)
	taken, err = tariffs.Of(fees.Link, money.NGN(1000))
	require.NoError(t, err)
	require.Equal(t, fees.Fees{Platform: money.NGN(0), Processing: money.NGN(0)}, taken, "a channel without a tariff is free")
}

func TestSharesAddUpToTheAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := money.NGN(rapid.Int64Range(0, 1<<40).Draw(t, "amount"))
		taken := fees.Fees{
			Platform:   money.NGN(rapid.Int64Range(0, 1<<41).Draw(t, "platform")),
			Processing: money.NGN(rapid.Int64Range(0, 1<<41).Draw(t, "processing")),
		}
		legs, err := taken.Shares(shop, amount)
		require.NoError(t, err)
		total := money.NGN(0)
		for _, leg := range legs {
			require.Positive(t, leg.Amount.Sign())
			total, err = total.Add(leg.Amount)
			require.NoError(t, err)
		}
		require.Equal(t, amount, total)
	})
}

func TestConvertedFeesAddUpToTheConvertedTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate, err := money.NewRate(money.AssetUSDC, money.AssetNGN, rapid.SampledFrom([]string{"1500", "1499.37", "0.7", "30000"}).Draw(t, "price"))
		require.NoError(t, err)
		taken := fees.Fees{
			Platform:   money.NGN(rapid.Int64Range(0, 100_000_00).Draw(t, "platform")),
			Processing: money.NGN(rapid.Int64Range(0, 100_000_00).Draw(t, "processing")),
		}
		total, err := taken.Total()
		require.NoError(t, err)
		want, err := rate.Convert(total)
		require.NoError(t, err)
		converted, err := taken.Converted(rate)
		require.NoError(t, err)
		got, err := converted.Total()
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.GreaterOrEqual(t, converted.Platform.Sign(), 0)
		processing, err := rate.Convert(taken.Processing)
		require.NoError(t, err)
		require.Equal(t, processing, converted.Processing)
	})
}

func TestFeesThatCannotBeAreNamed(t *testing.T) {
	var problems ferry.Problems
	fees.Tariffs{
		fees.Checkout: {Platform: fees.Rule{Share: 1_000_001, Flat: money.USDC(1)}, Processing: fees.Rule{Minimum: money.NGN(-1), Cap: money.NGN(money.Ceiling + 1)}},
		fees.Link:     {Platform: fees.Rule{Share: 1_000_000, Cap: money.NGN(money.Ceiling)}},
		"phone":       {},
	}.Check(&problems)
	refused, ok := errors.AsType[*ferry.Error](problems.Err())
	require.True(t, ok)
	require.Equal(t, []ferry.Field{
		{Name: "fees.checkout.platform.share", Message: "Must be 0 to 1000000 millionths"},
		{Name: "fees.checkout.platform.flat", Message: "Must be in naira"},
		{Name: "fees.checkout.processing.minimum", Message: "Must not be negative"},
		{Name: "fees.checkout.processing.cap", Message: "Must not be more than 100000000000 NGN"},
		{Name: "fees.phone", Message: "There is no such channel"},
	}, refused.Fields)
}
