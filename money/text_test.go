package money_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/money"
)

func TestAMajorLiteralIsReadExactly(t *testing.T) {
	for literal, want := range map[string]money.Amount{
		"0": money.NGN(0), "0.0": money.NGN(0), "0.01": money.NGN(1), "0.1": money.NGN(10), "1": money.NGN(100),
		"25.5": money.NGN(2550), "25.50": money.NGN(2550), "10.01": money.NGN(1001),
		"92233720368547758.07": money.NGN(math.MaxInt64), "92233720368547758": money.NGN(math.MaxInt64 - 7),
	} {
		got, err := money.ParseMajor(money.AssetNGN, literal)
		require.NoError(t, err, literal)
		require.Equal(t, want, got, literal)
	}
	for literal, want := range map[string]money.Amount{
		"0.000001": money.USDC(1), "1": money.USDC(1_000_000), "1.000000": money.USDC(1_000_000),
		"9223372036854.775807": money.USDC(math.MaxInt64),
	} {
		got, err := money.ParseMajor(money.AssetUSDC, literal)
		require.NoError(t, err, literal)
		require.Equal(t, want, got, literal)
	}
}

func TestAMinorLiteralIsReadExactly(t *testing.T) {
	for literal, want := range map[string]int64{"0": 0, "1": 1, "10": 10, "2550": 2550, "9223372036854775807": math.MaxInt64} {
		got, err := money.ParseMinor(money.AssetNGN, literal)
		require.NoError(t, err, literal)
		require.Equal(t, money.NGN(want), got, literal)
	}
}

func TestAWrongLiteralIsRefusedWithItsReason(t *testing.T) {
	for name, c := range map[string]struct {
		literal string
		reason  money.Reason
	}{
		"empty":                    {"", money.NotNumber},
		"exponent":                 {"1e2", money.NotNumber},
		"capital exponent":         {"1E2", money.NotNumber},
		"exponent after a point":   {"1.5e0", money.NotNumber},
		"plus":                     {"+1", money.NotNumber},
		"minus":                    {"-1", money.Negative},
		"minus nothing":            {"-0", money.Negative},
		"minus a fraction":         {"-0.01", money.Negative},
		"a lone minus":             {"-", money.NotNumber},
		"minus a word":             {"-x", money.NotNumber},
		"two minuses":              {"--1", money.NotNumber},
		"minus in the middle":      {"1-1", money.NotNumber},
		"leading zero":             {"01", money.LeadingZero},
		"leading zeros":            {"00", money.LeadingZero},
		"leading zeros and point":  {"00.5", money.LeadingZero},
		"NaN":                      {"NaN", money.NotNumber},
		"Infinity":                 {"Infinity", money.NotNumber},
		"minus Infinity":           {"-Infinity", money.NotNumber},
		"hexadecimal":              {"0x10", money.NotNumber},
		"octal":                    {"0o7", money.NotNumber},
		"a trailing point":         {"1.", money.NotNumber},
		"a leading point":          {".5", money.NotNumber},
		"a lone point":             {".", money.NotNumber},
		"two points":               {"1.2.3", money.NotNumber},
		"a point after decimals":   {"1.5.", money.NotNumber},
		"a comma":                  {"1,5", money.NotNumber},
		"thousands":                {"1,000.00", money.NotNumber},
		"an underscore":            {"1_000", money.NotNumber},
		"a space before":           {" 1", money.NotNumber},
		"a space behind":           {"1 ", money.NotNumber},
		"a space within":           {"1 0", money.NotNumber},
		"a tab":                    {"\t1", money.NotNumber},
		"a newline":                {"1\n", money.NotNumber},
		"NUL":                      {"1\x00", money.NotNumber},
		"a code":                   {"1 NGN", money.NotNumber},
		"a sign of currency":       {"₦1", money.NotNumber},
		"Arabic digits":            {"١٢", money.NotNumber},
		"full-width digits":        {"１２", money.NotNumber},
		"a superscript":            {"1²", money.NotNumber},
		"three decimals":           {"1.001", money.TooPrecise},
		"three decimals of zero":   {"1.000", money.TooPrecise},
		"one kobo too many":        {"92233720368547758.08", money.OutOfRange},
		"one naira too many":       {"92233720368547759", money.OutOfRange},
		"more than an integer":     {"9223372036854775808", money.OutOfRange},
		"a number of many digits":  {strings.Repeat("9", 100_000), money.OutOfRange},
		"many digits behind a one": {"1." + strings.Repeat("0", 100_000), money.TooPrecise},
	} {
		t.Run(name, func(t *testing.T) {
			amount, err := money.ParseMajor(money.AssetNGN, c.literal)
			var refused *money.SyntaxError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, c.reason, refused.Reason)
			require.Equal(t, c.literal, refused.Literal)
			require.Zero(t, amount)
			require.Less(t, len(err.Error()), 200, "the text stays short")
		})
	}
}

func TestDecimalsAreThoseOfTheAsset(t *testing.T) {
	reason := func(parse func(money.Asset, string) (money.Amount, error), asset money.Asset, literal string) money.Reason {
		_, err := parse(asset, literal)
		var refused *money.SyntaxError
		require.ErrorAs(t, err, &refused)
		return refused.Reason
	}
	require.Equal(t, money.TooPrecise, reason(money.ParseMajor, money.AssetUSDC, "0.0000001"))
	require.Equal(t, money.OutOfRange, reason(money.ParseMajor, money.AssetUSDC, "9223372036854.775808"))
	require.Equal(t, money.TooPrecise, reason(money.ParseMinor, money.AssetUSDC, "1.0"))
	require.Equal(t, money.NotNumber, reason(money.ParseMinor, money.AssetNGN, "1."))
	require.Equal(t, money.OutOfRange, reason(money.ParseMinor, money.AssetNGN, "9223372036854775808"))
}

func TestALiteralOfNoAssetIsRefused(t *testing.T) {
	for _, asset := range []money.Asset{0, 3, 255} {
		_, err := money.ParseMajor(asset, "1")
		require.ErrorIs(t, err, money.ErrUnknownAsset)
		_, err = money.ParseMinor(asset, "1")
		require.ErrorIs(t, err, money.ErrUnknownAsset)
	}
}

func TestAnAmountPrintsAsShortAsItGoes(t *testing.T) {
	for want, amount := range map[string]money.Amount{
		"0 NGN": money.NGN(0), "0.01 NGN": money.NGN(1), "0.1 NGN": money.NGN(10), "25.5 NGN": money.NGN(2550),
		"-3 NGN": money.NGN(-300), "-0.05 NGN": money.NGN(-5),
		"0.000001 USDC": money.USDC(1), "25.5 USDC": money.USDC(25_500_000),
		"92233720368547758.07 NGN": money.NGN(math.MaxInt64), "-92233720368547758.08 NGN": money.NGN(math.MinInt64),
		"9223372036854.775807 USDC": money.USDC(math.MaxInt64),
		"0 no asset":                {}, "7 no asset": money.Of(0, 7), "7 no asset ": money.Of(9, 7),
	} {
		require.Equal(t, strings.TrimSpace(want), amount.String())
		require.Equal(t, strings.Fields(want)[0], amount.Major())
		require.Equal(t, "x"+amount.Major(), string(amount.AppendMajor([]byte("x"))))
	}
}

func TestWhatIsPrintedIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Of(assets.Draw(t, "asset"), rapid.Int64Min(0).Draw(t, "minor"))
		again, err := money.ParseMajor(amount.Asset(), amount.Major())
		require.NoError(t, err)
		require.Equal(t, amount, again)
	})
}

func TestParsingAndPrintingAllocateNothing(t *testing.T) {
	buffer := make([]byte, 0, 32)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		amount, err := money.ParseMajor(money.AssetUSDC, "1234567.891")
		if err != nil {
			t.Fatal(err)
		}
		buffer = amount.AppendMajor(buffer[:0])
	}))
	require.Equal(t, "1234567.891", string(buffer))
}

func FuzzParseMajor(f *testing.F) {
	for _, seed := range []string{"0", "0.01", "25.5", "1e2", "-1", "01", "1.", ".5", "92233720368547758.07", "١"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		for _, asset := range []money.Asset{money.AssetNGN, money.AssetUSDC} {
			amount, err := money.ParseMajor(asset, literal)
			if err != nil {
				var refused *money.SyntaxError
				require.ErrorAs(t, err, &refused)
				require.Zero(t, amount)
				continue
			}
			require.GreaterOrEqual(t, amount.Sign(), 0)
			printed := amount.Major()
			again, err := money.ParseMajor(asset, printed)
			require.NoError(t, err)
			require.Equal(t, amount, again)
			require.True(t, strings.HasPrefix(literal, printed), "%q printed as %q", literal, printed)
			require.Empty(t, strings.Trim(literal[len(printed):], ".0"), "only zeros are dropped")
		}
	})
}
