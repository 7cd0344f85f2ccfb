package chain_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

const (
	payee = chain.Address("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM")
	usdc  = chain.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
)

// parsed reads a transfer request as a wallet does: the path names the receiver, and the query
// has each member at most once.
func parsed(t require.TestingT, text string) (chain.Address, map[string]string) {
	u, err := url.Parse(text)
	require.NoError(t, err)
	require.Equal(t, "solana", u.Scheme)
	require.Empty(t, u.Fragment)
	members := map[string]string{}
	query, err := url.ParseQuery(u.RawQuery)
	require.NoError(t, err)
	for name, values := range query {
		require.Len(t, values, 1, name)
		members[name] = values[0]
	}
	return chain.Address(u.Opaque), members
}

func TestAPaymentRequestNamesTheOwnerTheMintAndTheAmount(t *testing.T) {
	r := chain.PaymentRequest{To: payee, Mint: usdc, Amount: money.USDC(10_000_001), Label: "Ada & Söhne", Message: "Order #17 + 5%"}
	require.Equal(t, "solana:"+string(payee)+"?amount=10.000001&spl-token="+string(usdc)+
		"&label=Ada%20%26%20S%C3%B6hne&message=Order%20%2317%20%2B%205%25", r.URL())
}

func TestThePartsOfAPaymentRequestThatAreNotAskedForAreLeftOut(t *testing.T) {
	require.Equal(t, "solana:"+string(payee)+"?spl-token="+string(usdc), chain.PaymentRequest{To: payee, Mint: usdc}.URL())
	require.Equal(t, "solana:"+string(payee)+"?amount=0.000001&spl-token="+string(usdc), chain.PaymentRequest{To: payee, Mint: usdc, Amount: money.USDC(1)}.URL())
}

func TestAPaymentRequestWithoutAMintIsTheBareAddress(t *testing.T) {
	require.Equal(t, string(payee), chain.PaymentRequest{To: payee, Amount: money.USDC(1), Label: "Ada"}.URL())
}

// odd are texts that break a URL when they are not encoded.
var odd = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{
		"🦊 & 🐔", "a&amount=1", "#", "100%", "%26", "+", "a+b c", `"'<>`, "متجر آدا", "\u202eadA", "a=b?c", "//x", "\x00", "; ,", "a\nb",
	}),
	rapid.StringN(0, 8, -1),
)

func TestAWalletReadsInAPaymentRequestWhatWasAsked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := chain.PaymentRequest{
			To: payee, Mint: usdc, Amount: money.USDC(rapid.Int64Min(0).Draw(t, "amount")),
			Label: odd.Draw(t, "label"), Message: odd.Draw(t, "message"),
		}
		to, members := parsed(t, r.URL())
		require.Equal(t, r.To, to)
		want := map[string]string{"spl-token": string(usdc)}
		if r.Label != "" {
			want["label"] = r.Label
		}
		if r.Message != "" {
			want["message"] = r.Message
		}
		if r.Amount.Sign() > 0 {
			want["amount"] = members["amount"]
			require.Regexp(t, `^(0|[1-9]\d*)(\.\d{1,6})?$`, members["amount"])
			read, err := money.ParseMajor(money.AssetUSDC, members["amount"])
			require.NoError(t, err)
			require.Equal(t, r.Amount, read)
		}
		require.Equal(t, want, members)
		require.NotContains(t, strings.TrimPrefix(r.URL(), "solana:"), "+", "a plus is a plus to some wallets, and a space to others")
	})
}
