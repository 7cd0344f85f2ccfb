package money_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/money"
)

func rate(t require.TestingT, price string) money.Rate {
	r, err := money.NewRate(money.AssetUSDC, money.AssetNGN, price)
	require.NoError(t, err)
	return r
}

func TestARateConvertsBothWays(t *testing.T) {
	for _, c := range []struct {
		price    string
		from, to money.Amount
	}{
		{"1500", money.USDC(1_000_000), money.NGN(150_000)},
		{"1500", money.NGN(150_000), money.USDC(1_000_000)},
		{"1500.25", money.USDC(2_000_000), money.NGN(300_050)},
		{"1500", money.USDC(0), money.NGN(0)},
		{"1500", money.NGN(0), money.USDC(0)},
		{"1500", money.NGN(1), money.USDC(7)},              // 6.67 millionths
		{"1500", money.USDC(3), money.NGN(0)},              // 0.45 kobo
		{"1500", money.USDC(4), money.NGN(1)},              // 0.6 kobo
		{"5000", money.USDC(1), money.NGN(1)},              // 0.5 kobo: half goes up
		{"5000", money.USDC(3), money.NGN(2)},              // 1.5 kobo
		{"4999.999999999999", money.USDC(1), money.NGN(0)}, // just below half
		{"20000", money.NGN(1), money.USDC(1)},             // 0.5 millionths: half goes up
		{"5000", money.USDC(-1), money.NGN(-1)},            // and away from zero
		{"1", money.NGN(math.MaxInt64 / 10_000), money.USDC(math.MaxInt64 / 10_000 * 10_000)},
	} {
		got, err := rate(t, c.price).Convert(c.from)
		require.NoError(t, err)
		require.Equal(t, c.to, got, "%s at %s", c.from, c.price)
	}
}

func TestAWorthThatIsRoundedDownIsNeverTooMuch(t *testing.T) {
	for _, c := range []struct {
		price    string
		from, to money.Amount
	}{
		{"1500", money.USDC(1_000_000), money.NGN(150_000)},
		{"1500", money.NGN(150_000), money.USDC(1_000_000)},
		{"1500", money.USDC(4), money.NGN(0)},    // 0.6 kobo
		{"1500", money.NGN(1), money.USDC(6)},    // 6.67 millionths
		{"5000", money.USDC(-1), money.NGN(0)},   // toward zero
		{"20000", money.NGN(1), money.USDC(0)},   // 0.5 millionths
		{"9999.99", money.USDC(1), money.NGN(0)}, // 0.999999 kobo
	} {
		got, err := rate(t, c.price).ConvertDown(c.from)
		require.NoError(t, err)
		require.Equal(t, c.to, got, "%s at %s", c.from, c.price)
	}
}

// A price with so many digits that the quotient lies within 10^-18 below a
// half: rounding it to fewer digits first would carry it over the half.
func TestAQuotientIsRoundedOnce(t *testing.T) {
	price := "20000." + strings.Repeat("0", 20) + "1"
	got, err := rate(t, price).Convert(money.NGN(1))
	require.NoError(t, err)
	require.Equal(t, money.USDC(0), got)
}

func TestARateRefusesWhatDoesNotFit(t *testing.T) {
	_, err := rate(t, "15000").Convert(money.USDC(math.MaxInt64))
	require.ErrorIs(t, err, money.ErrOverflow)
	_, err = rate(t, "0.000001").Convert(money.NGN(math.MaxInt64))
	require.ErrorIs(t, err, money.ErrOverflow)
	var mismatch *money.MismatchError
	for _, foreign := range []money.Amount{{}, money.Of(0, 5), money.Of(9, 5)} {
		_, err = rate(t, "1500").Convert(foreign)
		require.ErrorAs(t, err, &mismatch)
	}
	for _, amount := range []money.Amount{{}, money.NGN(1)} {
		_, err = money.Rate{}.Convert(amount)
		require.ErrorIs(t, err, money.ErrRate)
	}
}

func TestAPriceIsAPositiveDecimalOfTwoAssets(t *testing.T) {
	for _, price := range []string{
		"", "0", "0.00", "-1", "+1", "NaN", "Infinity", "x", "1e3", "1E400000000", "1e-9999999", ".5", "5.", "1 ", " 1", "1_0", "1,5", "١",
		strings.Repeat("9", 41), "0." + strings.Repeat("0", 40) + "1",
	} {
		_, err := money.NewRate(money.AssetUSDC, money.AssetNGN, price)
		require.ErrorIs(t, err, money.ErrRate, price)
	}
	for _, pair := range [][2]money.Asset{{money.AssetNGN, money.AssetNGN}, {0, money.AssetNGN}, {money.AssetUSDC, 0}, {9, money.AssetNGN}} {
		_, err := money.NewRate(pair[0], pair[1], "1")
		require.ErrorIs(t, err, money.ErrRate, pair)
	}
	r := rate(t, "1500.50")
	require.Equal(t, "1500.5", r.Price())
	require.Equal(t, money.AssetUSDC, r.Base)
	require.Equal(t, money.AssetNGN, r.Quote)
}

func TestConversionsAgreeWithFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := fmt.Sprintf("%d.%09d", rapid.IntRange(0, 5000).Draw(t, "whole"), rapid.IntRange(1, 999_999_999).Draw(t, "part"))
		r := rate(t, price)
		exact, _ := new(big.Rat).SetString(price)
		minor := rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "minor")

		// 1 millionth of USDC is price/10^4 kobo.
		kobo := new(big.Rat).Mul(big.NewRat(minor, 10_000), exact)
		got, err := r.Convert(money.USDC(minor))
		agree(t, halfUp(kobo), got, err)
		got, err = r.ConvertDown(money.USDC(minor))
		agree(t, whole(kobo), got, err)

		micro := new(big.Rat).Quo(new(big.Rat).Mul(big.NewRat(minor, 1), big.NewRat(10_000, 1)), exact)
		got, err = r.Convert(money.NGN(minor))
		agree(t, halfUp(micro), got, err)
		got, err = r.ConvertDown(money.NGN(minor))
		agree(t, whole(micro), got, err)
	})
}

func whole(x *big.Rat) *big.Int { return new(big.Int).Quo(x.Num(), x.Denom()) }

func halfUp(x *big.Rat) *big.Int {
	y := new(big.Rat).Add(x, big.NewRat(1, 2))
	return new(big.Int).Div(y.Num(), y.Denom())
}

func TestWorthIsRoundedOnce(t *testing.T) {
	for _, c := range []struct {
		micros []int64
		prices []string
		want   int64
	}{
		{[]int64{4, 4, 4, 4, 4}, []string{"1500", "1500", "1500", "1500", "1500"}, 3}, // 5 × 0.6 kobo
		{[]int64{4}, []string{"1500"}, 1},
		{[]int64{4, 4}, []string{"1500", "1000"}, 1},   // 0.6 and 0.4 kobo
		{[]int64{1, 4}, []string{"1000", "1000"}, 1},   // 0.5 kobo: half goes up
		{[]int64{1, -2}, []string{"5000", "5000"}, -1}, // and away from zero
	} {
		var parts []money.Priced
		for n, micro := range c.micros {
			parts = append(parts, money.Priced{Amount: money.USDC(micro), Rate: rate(t, c.prices[n])})
		}
		got, err := money.Worth(parts...)
		require.NoError(t, err)
		require.Equal(t, money.NGN(c.want), got)
	}
	nothing, err := money.Worth()
	require.NoError(t, err)
	require.Zero(t, nothing)
}

func TestWorthOfOneAmountIsItsConversion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rate(t, fmt.Sprintf("%d.%09d", rapid.IntRange(0, 5000).Draw(t, "whole"), rapid.IntRange(1, 999_999_999).Draw(t, "part")))
		amount := money.USDC(rapid.Int64Range(0, math.MaxInt64).Draw(t, "micro"))
		want, refused := r.Convert(amount)
		got, err := money.Worth(money.Priced{Amount: amount, Rate: r})
		require.ErrorIs(t, err, refused)
		require.Equal(t, want, got)
	})
}

func TestWorthRefusesWhatIsNotOfOneBaseAndQuote(t *testing.T) {
	opposite, err := money.NewRate(money.AssetNGN, money.AssetUSDC, "0.001")
	require.NoError(t, err)
	var mismatch *money.MismatchError
	for _, parts := range [][]money.Priced{
		{{Amount: money.NGN(1), Rate: rate(t, "1500")}},
		{{Amount: money.USDC(1), Rate: rate(t, "1500")}, {Amount: money.NGN(1), Rate: opposite}},
	} {
		_, err := money.Worth(parts...)
		require.ErrorAs(t, err, &mismatch)
	}
	_, err = money.Worth(money.Priced{Amount: money.USDC(1)})
	require.ErrorIs(t, err, money.ErrRate)
	most := money.Priced{Amount: money.USDC(math.MaxInt64), Rate: rate(t, "15000")}
	_, err = money.Worth(most, most)
	require.ErrorIs(t, err, money.ErrOverflow)
}

func TestAMarkedRateIsDearerOrCheaperByBasisPoints(t *testing.T) {
	for _, c := range []struct {
		price string
		by    int64
		want  string
	}{
		{"1500", 0, "1500"},
		{"1500", 150, "1522.5"},
		{"1500", -150, "1477.5"},
		{"1500.123", 1, "1500.2730123"},
		{"0.0000000000001", 0, "0.0000000000001"},
		{"1.000000000001", 1, "1.000100000002"},
		{"1.000000000001", -1, "0.9999"},
	} {
		rate, err := money.NewRate(money.AssetUSDC, money.AssetNGN, c.price)
		require.NoError(t, err)
		marked, err := rate.Marked(c.by)
		require.NoError(t, err)
		require.Equal(t, c.want, marked.Price(), "%s by %d", c.price, c.by)
		require.Equal(t, money.AssetUSDC, marked.Base)
		require.Equal(t, money.AssetNGN, marked.Quote)
	}
}

func TestAPriceOfWhichNothingIsLeftIsNoRate(t *testing.T) {
	rate, err := money.NewRate(money.AssetUSDC, money.AssetNGN, "1500")
	require.NoError(t, err)
	for _, by := range []int64{-10_000, -20_000} {
		_, err = rate.Marked(by)
		require.ErrorIs(t, err, money.ErrRate)
	}
	_, err = money.Rate{}.Marked(0)
	require.ErrorIs(t, err, money.ErrRate)
}
