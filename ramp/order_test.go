package ramp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

func terms(asset, chain string) ramp.Terms {
	return ramp.Terms{Reference: "order-1", Currency: "NGN", Amount: money.NGN(15_000_00), Asset: asset, Chain: chain}
}

func TestTheAssetIsNamedInEitherFormAndAnyCase(t *testing.T) {
	for _, named := range [][2]string{{"USDC", "SOLANA"}, {"usdc", "Solana"}, {"solana:usdc", ""}, {"Solana:USDC", "SOLANA"}} {
		given := terms(named[0], named[1])
		var problems ferry.Problems
		given.Check(&problems)
		require.NoError(t, problems.Err(), named)
		require.NoError(t, given.CheckPair(), named)
	}
}

func TestOnlyNairaAndUSDCOnSolanaAreExchanged(t *testing.T) {
	require.ErrorIs(t, terms("USDT", "SOLANA").CheckPair(), wallets.ErrInvalidAsset)
	require.ErrorIs(t, terms("USDC", "ETHEREUM").CheckPair(), wallets.ErrInvalidNetwork)
	require.ErrorIs(t, terms("ethereum:usdc", "").CheckPair(), wallets.ErrInvalidNetwork)
	require.ErrorIs(t, terms("solana:usdt", "").CheckPair(), wallets.ErrInvalidAsset)
	require.ErrorIs(t, terms("solana:usdc", "ETHEREUM").CheckPair(), wallets.ErrInvalidNetwork)
	dollars := terms("USDC", "SOLANA")
	dollars.Currency = "USD"
	require.ErrorIs(t, dollars.CheckPair(), ramp.ErrInvalidCurrency)
}

func TestEveryFieldThatIsMissingIsNamed(t *testing.T) {
	var problems ferry.Problems
	ramp.Terms{}.Check(&problems)
	named := map[string]bool{}
	for _, field := range fieldsOf(t, problems.Err()) {
		named[field.Name] = true
	}
	require.Equal(t, map[string]bool{"reference": true, "fiat_currency": true, "asset": true, "amount": true}, named)
	problems = ferry.Problems{}
	terms("USDC", "").Check(&problems)
	require.Equal(t, "chain", fieldsOf(t, problems.Err())[0].Name)
	problems = ferry.Problems{}
	ramp.Terms{Reference: "order-1", Currency: "NGN", Asset: "USDC"}.Check(&problems)
	require.Equal(t, []string{"chain", "amount"}, []string{fieldsOf(t, problems.Err())[0].Name, fieldsOf(t, problems.Err())[1].Name})
	problems = ferry.Problems{}
	spaced := terms("USDC", "SOLANA")
	spaced.Reference = "order 1"
	spaced.Check(&problems)
	require.Equal(t, "reference", fieldsOf(t, problems.Err())[0].Name)
}

func fieldsOf(t *testing.T, err error) []ferry.Field {
	var refused *ferry.Error
	require.ErrorAs(t, err, &refused)
	return refused.Fields
}
