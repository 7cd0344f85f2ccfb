//go:build localnet

package localnet_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"
)

// knows reports what a node answers of a deposit at a commitment: lamports, tokens, the
// account, its place among the accounts of its owner, its signatures, the transaction.
func (w world) knows(owner, account solana.PublicKey, paid solana.Signature, c rpc.CommitmentType) []bool {
	w.t.Helper()
	ctx := w.t.Context()
	found, err := w.rpc.GetMultipleAccountsWithOpts(ctx, []solana.PublicKey{account}, &rpc.GetMultipleAccountsOpts{Commitment: c})
	require.NoError(w.t, err)
	owned, err := w.rpc.GetTokenAccountsByOwner(ctx, owner, &rpc.GetTokenAccountsConfig{Mint: &usdc}, &rpc.GetTokenAccountsOpts{Commitment: c})
	require.NoError(w.t, err)
	known := []bool{w.balance(account, c) > 0, w.tokens(account, c) != "", found.Value[0] != nil, len(owned.Value) > 0}
	if c == rpc.CommitmentProcessed {
		return known
	}
	list, err := w.rpc.GetSignaturesForAddressWithOpts(ctx, account, &rpc.GetSignaturesForAddressOpts{Commitment: c})
	require.NoError(w.t, err)
	_, err = w.rpc.GetTransaction(ctx, paid, &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64, Commitment: c})
	if err != nil {
		require.ErrorIs(w.t, err, rpc.ErrNotFound)
	}
	return append(known, len(list) > 0, err == nil)
}

func TestEveryAnswerIsAsOfTheAskedCommitment(t *testing.T) {
	w := frozen(t)
	owner := key(t).PublicKey()
	minted := w.MintUSDC(owner.String(), 5)
	account, paid := solana.MustPublicKeyFromBase58(minted.Account), solana.MustSignatureFromBase58(minted.Signature)
	none, all := []bool{false, false, false, false, false, false}, []bool{true, true, true, true, true, true}
	require.Equal(t, none[:4], w.knows(owner, account, paid, rpc.CommitmentProcessed))
	require.Nil(t, w.status(paid), "it waits for a block")

	for followers := range 40 {
		w.Produce(1)
		confirmed, finalized := none, none
		reached := rpc.ConfirmationStatusProcessed
		if followers >= 2 {
			confirmed, reached = all, rpc.ConfirmationStatusConfirmed
		}
		if followers >= 32 {
			finalized, reached = all, rpc.ConfirmationStatusFinalized
		}
		require.Equal(t, all[:4], w.knows(owner, account, paid, rpc.CommitmentProcessed), followers)
		require.Equal(t, confirmed, w.knows(owner, account, paid, rpc.CommitmentConfirmed), followers)
		require.Equal(t, finalized, w.knows(owner, account, paid, rpc.CommitmentFinalized), followers)
		require.Equal(t, finalized, w.knows(owner, account, paid, ""), "the default is finalized")

		status := w.status(paid)
		require.Equal(t, reached, status.ConfirmationStatus, followers)
		if followers < 32 {
			require.EqualValues(t, followers, *status.Confirmations)
		} else {
			require.Nil(t, status.Confirmations)
		}
	}
}

func TestHistoriesAreNotAnsweredForWhatIsMerelyProcessed(t *testing.T) {
	w := frozen(t)
	_, err := w.rpc.GetSignaturesForAddressWithOpts(t.Context(), usdc, &rpc.GetSignaturesForAddressOpts{Commitment: rpc.CommitmentProcessed})
	refused(t, err, -32602)
	_, err = w.rpc.GetTransaction(t.Context(), solana.Signature{1}, &rpc.GetTransactionOpts{Commitment: rpc.CommitmentProcessed})
	refused(t, err, -32602)
	_, err = w.rpc.GetBlockWithOpts(t.Context(), 1_001, &rpc.GetBlockOpts{Commitment: rpc.CommitmentProcessed})
	refused(t, err, -32602)
}

func TestAForkTakesBackWhatWasConfirmed(t *testing.T) {
	w := frozen(t)
	holder, from := w.holder(10)
	owner := key(t).PublicKey()
	to := accountOf(t, owner)
	tx := w.signed([]solana.PrivateKey{holder}, open(holder.PublicKey(), owner), pay(holder.PublicKey(), from, to, 4))
	paid := w.sent(tx)
	w.Produce(4)
	require.Equal(t, "4", w.tokens(to, rpc.CommitmentConfirmed))

	w.Fork(4, false)
	require.Nil(t, w.status(paid))
	require.Equal(t, "10", w.tokens(from, rpc.CommitmentProcessed))
	require.Empty(t, w.tokens(to, rpc.CommitmentProcessed))
	require.Equal(t, sol, w.balance(holder.PublicKey(), rpc.CommitmentProcessed), "rent and fee come back")
	at := w.Produce(40)
	require.Nil(t, w.status(paid))

	list, err := w.rpc.GetSignaturesForAddress(t.Context(), to)
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = w.rpc.GetBlock(t.Context(), at.Slot-42)
	refused(t, err, -32007)
}

func TestTheTransactionsOfALostForkMayLandAgain(t *testing.T) {
	w := frozen(t)
	holder, from := w.holder(10)
	owner := key(t).PublicKey()
	to := accountOf(t, owner)
	paid := w.sent(w.signed([]solana.PrivateKey{holder}, open(holder.PublicKey(), owner), pay(holder.PublicKey(), from, to, 4)))
	w.Produce(4)
	before := w.status(paid).Slot
	require.Equal(t, 1, w.Fork(4, true).Waiting)
	w.Produce(1)
	require.Greater(t, w.status(paid).Slot, before)
	require.Equal(t, "4", w.tokens(to, rpc.CommitmentProcessed), "it paid once")
	require.Equal(t, "6", w.tokens(from, rpc.CommitmentProcessed))
}
