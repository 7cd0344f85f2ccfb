package sandbox_test

import (
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

func TestALookShowsAccountsAndPaymentsWhoseOutcomeIsOpen(t *testing.T) {
	s := newTeller(t)
	_, err := s.pay("paid", "0123456784")
	require.NoError(t, err)
	_, err = s.pay("open", "0123456786") // stays in progress
	require.NoError(t, err)
	seen, err := s.Look(t.Context())
	require.NoError(t, err)
	require.Len(t, seen.Accounts, 1)
	require.Equal(t, s.from, seen.Accounts[0].AccountNumber)
	require.Len(t, seen.Payments, 1)
	require.Equal(t, "ref-open", seen.Payments[0].Reference)
	require.Equal(t, money.NGN(100_00), seen.Payments[0].Amount)
	require.Equal(t, "0123456786", seen.Payments[0].To.AccountNumber)
}

func ownerOf(t *testing.T, n byte) chain.Address {
	seed, err := chain.OpenSeed(append([]byte{n}, make([]byte, ed25519.SeedSize-1)...))
	require.NoError(t, err)
	return seed.Address()
}

func TestALookShowsEachCommitmentOfATransaction(t *testing.T) {
	w := newWorld(t, nil)
	ada, bola := ownerOf(t, 1), ownerOf(t, 2)
	see := func() sandbox.Overview {
		seen, err := w.Look(t.Context())
		require.NoError(t, err)
		return seen
	}
	require.Empty(t, see().Transactions)
	_, err := w.Deposit(t.Context(), sandbox.DepositParams{To: ada, Amount: money.USDC(4_000_000)})
	require.NoError(t, err)
	seen := see()
	require.Len(t, seen.Transactions, 1)
	require.False(t, seen.Transactions[0].Status.Found, "it waits for a block")
	require.Empty(t, seen.Transactions[0].From, "it comes from outside")
	require.Equal(t, ada, seen.Transactions[0].To)
	require.Equal(t, money.USDC(4_000_000), seen.Transactions[0].Amount)
	require.Empty(t, seen.Holders)

	var commitments []chain.Commitment
	for range 2 * sandbox.FinalizedAfter {
		pass(t, w, 1)
		seen = see()
		if c := seen.Transactions[0].Status.Commitment; len(commitments) == 0 || commitments[len(commitments)-1] != c {
			commitments = append(commitments, c)
		}
	}
	require.Equal(t, []chain.Commitment{chain.Processed, chain.Confirmed, chain.Finalized}, commitments[len(commitments)-3:])
	require.GreaterOrEqual(t, seen.Transactions[0].Above, uint64(sandbox.FinalizedAfter))
	require.Equal(t, seen.Height-sandbox.FinalizedAfter, seen.Finalized)
	require.Equal(t, []sandbox.Holder{{Address: ada, Amount: money.USDC(4_000_000)}}, seen.Holders)

	_, err = w.Deposit(t.Context(), sandbox.DepositParams{To: bola, Amount: money.USDC(5), Mint: otherMint})
	require.NoError(t, err)
	_, err = w.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
	seen = see()
	require.Len(t, seen.Transactions, 2)
	require.Equal(t, otherMint, seen.Transactions[0].Mint, "the newest comes first")
	require.True(t, seen.Transactions[0].Amount.IsZero())
	require.Len(t, seen.Holders, 1, "another token is no USDC")
}

func TestALookIsBounded(t *testing.T) {
	w := newWorld(t, nil)
	for n := range byte(150) {
		_, err := w.Deposit(t.Context(), sandbox.DepositParams{To: ownerOf(t, n), Amount: money.USDC(1)})
		require.NoError(t, err)
		if n == 75 {
			pass(t, w, 100)
		}
	}
	seen, err := w.Look(t.Context())
	require.NoError(t, err)
	require.Len(t, seen.Transactions, 100)
	require.LessOrEqual(t, len(seen.Holders), 100)
}
