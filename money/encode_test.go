package money_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"math"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/money"
)

func TestALogHasAnAmountInFullUnits(t *testing.T) {
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		`amount="25.5 USDC" none="0 no asset" within.amount="-0.01 NGN"`: func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		`"amount":"25.5 USDC","none":"0 no asset","within":{"amount":"-0.01 NGN"}`: func(b *bytes.Buffer) slog.Handler {
			return slog.NewJSONHandler(b, nil)
		},
	} {
		var out bytes.Buffer
		slog.New(handler(&out)).Info("paid", "amount", money.USDC(25_500_000), "none", money.Amount{}, slog.Group("within", "amount", money.NGN(-1)))
		require.Contains(t, out.String(), name)
		require.NotContains(t, out.String(), "ERROR")
	}
}

func TestJSONHasAnAmountAsATextThatNamesItsAsset(t *testing.T) {
	type row struct {
		Price money.Amount
		Tips  map[string]money.Amount
		Fee   *money.Amount
	}
	fee := money.NGN(-1)
	in := row{money.USDC(25_500_000), map[string]money.Amount{"a": money.NGN(100), "none": {}}, &fee}
	text, err := json.Marshal(in)
	require.NoError(t, err)
	require.JSONEq(t, `{"Price":"25.5 USDC","Tips":{"a":"1 NGN","none":"0"},"Fee":"-0.01 NGN"}`, string(text))
	var out row
	require.NoError(t, json.Unmarshal(text, &out))
	require.Equal(t, in, out)
}

func TestEveryAmountComesBackFromItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := money.Of(assets.Draw(t, "asset"), minors.Draw(t, "minor"))
		text, err := in.MarshalText()
		require.NoError(t, err)
		var out money.Amount
		require.NoError(t, out.UnmarshalText(text))
		require.Equal(t, in, out)
		back, err := money.FromDecimal(in.Asset(), in.Decimal())
		require.NoError(t, err)
		require.Equal(t, in, back)
	})
}

func TestATextThatIsNoAmountIsRefused(t *testing.T) {
	for text, why := range map[string]money.Reason{
		"": money.NoAsset, "25.5": money.NoAsset, "25.5NGN": money.NoAsset, " NGN": money.NotNumber, "1.005 NGN": money.TooPrecise,
		"--1 NGN": money.Negative, "01 NGN": money.LeadingZero, "99999999999999999999 NGN": money.OutOfRange, "1e3 NGN": money.NotNumber,
	} {
		amount := money.NGN(7)
		var refused *money.SyntaxError
		require.ErrorAs(t, amount.UnmarshalText([]byte(text)), &refused, text)
		require.Equal(t, why, refused.Reason, text)
		require.Equal(t, money.NGN(7), amount, "it stays")
	}
	var amount money.Amount
	for _, text := range []string{"1 EUR", "1 NGN ", "1  NGN"} {
		require.ErrorIs(t, amount.UnmarshalText([]byte(text)), money.ErrUnknownAsset, text)
	}
	_, err := money.Of(9, 1).MarshalText()
	require.ErrorIs(t, err, money.ErrUnknownAsset)
	for _, number := range []string{"25.5", "2550", "{}", "true"} {
		require.Error(t, json.Unmarshal([]byte(number), &amount), "a bare number names no unit")
	}
}

func TestADecimalIsAnAmountWhenItIsOneExactly(t *testing.T) {
	for literal, want := range map[string]money.Amount{
		"25.5": money.NGN(25_50), "-25.50000": money.NGN(-25_50), "0": money.NGN(0), "1e3": money.NGN(1000_00),
		"92233720368547758.07": money.NGN(math.MaxInt64),
	} {
		got, err := money.FromDecimal(money.AssetNGN, decimal.RequireFromString(literal))
		require.NoError(t, err, literal)
		require.Equal(t, want, got, literal)
	}
	require.Equal(t, "25.5", money.NGN(25_50).Decimal().String())
	require.True(t, decimal.RequireFromString("-0.000001").Equal(money.USDC(-1).Decimal()))
	for _, c := range []struct {
		units decimal.Decimal
		why   money.Reason
	}{
		{decimal.New(1, -3), money.TooPrecise}, {decimal.RequireFromString("92233720368547758.08"), money.OutOfRange},
		{decimal.New(-1, 400), money.OutOfRange}, {decimal.New(1, math.MaxInt32), money.OutOfRange}, {decimal.New(1, math.MinInt32), money.TooPrecise},
	} {
		var refused *money.SyntaxError
		_, err := money.FromDecimal(money.AssetNGN, c.units)
		require.ErrorAs(t, err, &refused)
		require.Equal(t, c.why, refused.Reason)
		require.Less(t, len(err.Error()), 100)
	}
	zero, err := money.FromDecimal(money.AssetUSDC, decimal.New(0, math.MaxInt32))
	require.NoError(t, err)
	require.Equal(t, money.USDC(0), zero)
	_, err = money.FromDecimal(0, decimal.New(1, 0))
	require.ErrorIs(t, err, money.ErrUnknownAsset)
}

func TestTheWireHasKoboAndFullUnitsOfUSDC(t *testing.T) {
	for amount, want := range map[money.Amount]json.Number{
		money.NGN(150_025): "150025", money.NGN(-1): "-1", money.NGN(0): "0",
		money.USDC(25_500_000): "25.5", money.USDC(1): "0.000001", {}: "0",
	} {
		require.Equal(t, want, amount.Wire())
	}
}
