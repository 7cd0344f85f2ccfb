package client_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/money"
)

func TestAmountsAreFullUnitsAndPricesAreKobo(t *testing.T) {
	for _, a := range []money.Amount{money.NGN(1_500_25), money.NGN(0), money.NGN(1), money.USDC(25_500_000), money.USDC(1), money.NGN(-250)} {
		back, err := client.AmountOf(a).In(a.Asset())
		require.NoError(t, err)
		require.Equal(t, a, back)
		back, err = client.PriceOf(a).In(a.Asset())
		require.NoError(t, err)
		require.Equal(t, a, back)
	}
	require.Equal(t, "1500.25", client.AmountOf(money.NGN(1_500_25)).String())
	require.Equal(t, "150025", client.PriceOf(money.NGN(1_500_25)).String())
	require.Equal(t, "25.5", client.PriceOf(money.USDC(25_500_000)).String())
}

func TestDecimalsThatAnAssetDoesNotHaveAreRefused(t *testing.T) {
	amount, err := client.ParseAmount("0.001")
	require.NoError(t, err)
	_, err = amount.In(money.AssetNGN)
	require.Error(t, err)
	_, err = amount.In(money.AssetUSDC)
	require.NoError(t, err)
}

func TestNoDigitOfAnAmountIsLost(t *testing.T) {
	const digits = "9007199254740993.123456" // no float64 has it
	var amount client.Amount
	require.NoError(t, json.Unmarshal([]byte(digits), &amount))
	require.Equal(t, digits, amount.String())
	written, err := json.Marshal(amount)
	require.NoError(t, err)
	require.Equal(t, digits, string(written))
}

func TestEqualAmountsAreEqual(t *testing.T) {
	for _, text := range []string{"25.5", "25.50", "025.500", "25.5000000"} {
		parsed, err := client.ParseAmount(text)
		require.NoError(t, err)
		require.Equal(t, client.AmountOf(money.USDC(25_500_000)), parsed)
	}
}

func TestWhatIsNoAmountIsRefused(t *testing.T) {
	for _, text := range []string{"", "1e3", "1,000", ".5", "5.", "1.2.3", "+1", "--1", " 1", "NaN", "0x1", "½"} {
		_, err := client.ParseAmount(text)
		require.Error(t, err, "%q", text)
		require.Error(t, json.Unmarshal([]byte(`"`+text+`"`), new(client.Price)), "%q", text)
	}
}

func TestNoAmountIsNotZero(t *testing.T) {
	var amounts struct {
		Null, Absent, Zero client.Amount
	}
	require.NoError(t, json.Unmarshal([]byte(`{"Null":null,"Zero":0}`), &amounts))
	require.True(t, amounts.Null.Empty())
	require.True(t, amounts.Absent.Empty())
	require.False(t, amounts.Zero.Empty())
	body, err := json.Marshal(client.CreateVirtualAccountParams{Reference: "x"})
	require.NoError(t, err)
	require.NotContains(t, string(body), "amount")
}

func TestMetadataKeepsItsDigits(t *testing.T) {
	var m client.Metadata
	require.NoError(t, json.Unmarshal([]byte(`{"order":9007199254740993,"vip":true,"tier":"gold"}`), &m))
	require.Equal(t, client.Metadata{"order": json.Number("9007199254740993"), "vip": true, "tier": "gold"}, m)
}
