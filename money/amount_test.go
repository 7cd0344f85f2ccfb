package money_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/money"
)

var assets = rapid.SampledFrom([]money.Asset{money.AssetNGN, money.AssetUSDC})

func TestAnAssetIsReadInAnyLetterCase(t *testing.T) {
	for code, want := range map[string]money.Asset{
		"NGN": money.AssetNGN, "ngn": money.AssetNGN, "nGn": money.AssetNGN,
		"USDC": money.AssetUSDC, "usdc": money.AssetUSDC, "uSdC": money.AssetUSDC, "Usdc": money.AssetUSDC,
	} {
		asset, err := money.ParseAsset(code)
		require.NoError(t, err, code)
		require.Equal(t, want, asset)
	}
	for _, code := range []string{"", "NGNN", "USD", "USDT", " NGN", "NGN\x00", "u\u017fdc"} {
		_, err := money.ParseAsset(code)
		require.ErrorIs(t, err, money.ErrUnknownAsset, code)
	}
}

func TestAnAssetKnowsItsDecimals(t *testing.T) {
	require.Equal(t, 2, money.AssetNGN.Decimals())
	require.Equal(t, 6, money.AssetUSDC.Decimals())
	for _, none := range []money.Asset{0, 3, 255} {
		require.False(t, none.Valid())
		require.Equal(t, "no asset", none.String())
		require.Zero(t, none.Decimals())
	}
}

func TestAddAndSubRefuseWhatDoesNotFit(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		a, b int64
		add  bool // whether a + b fits
		sub  bool // whether a - b fits
	}{
		{0, 0, true, true},
		{most, 0, true, true},
		{most, 1, false, true},
		{most - 1, 1, true, true},
		{most, -1, true, false},
		{most, most, false, true},
		{most, -most, true, false},
		{-most, -1, false, true}, // the integer without an opposite is no amount
		{-most, 1, true, false},
		{-1, most, true, false},
		{-most, most, true, false},
		{1 << 62, 1 << 62, false, true},
		{-1 << 62, -1 << 62, false, true},
	} {
		sum, err := money.NGN(c.a).Add(money.NGN(c.b))
		if !c.add {
			require.ErrorIs(t, err, money.ErrOverflow, "%d + %d", c.a, c.b)
			require.Zero(t, sum)
		} else {
			require.NoError(t, err)
			require.Equal(t, money.NGN(c.a+c.b), sum)
		}
		difference, err := money.NGN(c.a).Sub(money.NGN(c.b))
		if !c.sub {
			require.ErrorIs(t, err, money.ErrOverflow, "%d - %d", c.a, c.b)
			require.Zero(t, difference)
		} else {
			require.NoError(t, err)
			require.Equal(t, money.NGN(c.a-c.b), difference)
		}
	}
	least, err := money.NGN(-1).Sub(money.NGN(math.MinInt64))
	require.NoError(t, err)
	require.Equal(t, money.NGN(most), least)
}

func TestAssetsDoNotMix(t *testing.T) {
	a, b := money.NGN(100), money.USDC(1_000_000)
	_, addErr := a.Add(b)
	_, subErr := a.Sub(b)
	_, cmpErr := a.Cmp(b)
	_, sumErr := money.Sum(a, a, b)
	_, edgeErr := a.Sub(money.USDC(math.MinInt64))
	for _, err := range []error{addErr, subErr, cmpErr, sumErr, edgeErr} {
		var mismatch *money.MismatchError
		require.ErrorAs(t, err, &mismatch)
	}
	require.EqualError(t, addErr, "money: 1 NGN and 1 USDC are different assets")
	_, zeroErr := money.NGN(0).Add(b)
	require.Error(t, zeroErr, "nothing of an asset is still of that asset")
}

func TestTheZeroValueAddsToAnyAmount(t *testing.T) {
	sum, err := money.Amount{}.Add(money.USDC(5))
	require.NoError(t, err)
	require.Equal(t, money.USDC(5), sum)
	sum, err = money.NGN(5).Sub(money.Amount{})
	require.NoError(t, err)
	require.Equal(t, money.NGN(5), sum)
	sum, err = money.Sum()
	require.NoError(t, err)
	require.Zero(t, sum)
}

func TestAmountsCompare(t *testing.T) {
	for _, c := range []struct {
		a, b int64
		want int
	}{{1, 2, -1}, {2, 2, 0}, {3, 2, 1}, {-3, 2, -1}, {math.MinInt64, math.MaxInt64, -1}} {
		got, err := money.NGN(c.a).Cmp(money.NGN(c.b))
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	require.Equal(t, []int{-1, 0, 1}, []int{money.NGN(-5).Sign(), money.NGN(0).Sign(), money.NGN(5).Sign()})
	require.True(t, money.NGN(0).IsZero())
	require.False(t, money.NGN(1).IsZero())
}

func TestArithmeticAgreesWithIntegersOfAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asset := assets.Draw(t, "asset")
		x, y := minors.Draw(t, "x"), minors.Draw(t, "y")
		sum, err := money.Of(asset, x).Add(money.Of(asset, y))
		agree(t, new(big.Int).Add(big.NewInt(x), big.NewInt(y)), sum, err)
		difference, err := money.Of(asset, x).Sub(money.Of(asset, y))
		agree(t, new(big.Int).Sub(big.NewInt(x), big.NewInt(y)), difference, err)
		require.Equal(t, money.Of(asset, -x), money.Of(asset, x).Neg())
		require.Equal(t, money.Of(asset, x), money.Of(asset, x).Neg().Neg())
	})
}

// minors are the integers of amounts, with the edges drawn often.
var minors = rapid.OneOf(
	rapid.Int64Range(-math.MaxInt64, math.MaxInt64),
	rapid.Int64Range(-1000, 1000),
	rapid.SampledFrom([]int64{math.MaxInt64, math.MaxInt64 - 1, -math.MaxInt64, -math.MaxInt64 + 1}),
)

func agree(t *rapid.T, want *big.Int, got money.Amount, err error) {
	t.Helper()
	if want.CmpAbs(big.NewInt(math.MaxInt64)) > 0 {
		require.ErrorIs(t, err, money.ErrOverflow)
		return
	}
	require.NoError(t, err)
	require.Equal(t, want.Int64(), got.Minor())
}

func TestASplitKeepsEveryMinorUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := money.Of(assets.Draw(t, "asset"), minors.Draw(t, "minor"))
		n := rapid.IntRange(1, 50).Draw(t, "n")
		parts, err := whole.Split(n)
		require.NoError(t, err)
		require.Len(t, parts, n)
		sum, err := money.Sum(parts...)
		require.NoError(t, err)
		require.Equal(t, whole, sum)
		spread, err := parts[0].Sub(parts[n-1])
		require.NoError(t, err)
		require.LessOrEqual(t, spread.Minor()*int64(whole.Sign()), int64(1), "parts differ by at most one")
		for i := 1; i < n; i++ {
			step := (parts[i-1].Minor() - parts[i].Minor()) * int64(whole.Sign())
			require.GreaterOrEqual(t, step, int64(0), "the first parts carry the remainder")
		}
	})
}

func TestASplitIntoNoPartsIsRefused(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt} {
		_, err := money.NGN(100).Split(n)
		require.ErrorIs(t, err, money.ErrNoParts)
	}
}
