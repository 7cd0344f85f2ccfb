//go:build localnet

package localnet_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"
)

// valid reports whether a blockhash is valid at a commitment.
func (w world) valid(hash solana.Hash, c rpc.CommitmentType) bool {
	w.t.Helper()
	found, err := w.rpc.IsBlockhashValid(w.t.Context(), hash, c)
	require.NoError(w.t, err)
	return found.Value
}

func TestABlockhashLives150Blocks(t *testing.T) {
	w := frozen(t)
	hash := w.blockhash(rpc.CommitmentProcessed)
	require.Equal(t, w.Advance(0).Height+150, hash.LastValidBlockHeight)
	w.Produce(150)
	require.True(t, w.valid(hash.Blockhash, rpc.CommitmentProcessed))
	w.Produce(1)
	require.False(t, w.valid(hash.Blockhash, rpc.CommitmentProcessed))
	require.True(t, w.valid(hash.Blockhash, rpc.CommitmentFinalized), "32 blocks ago it was valid")
	w.Produce(32)
	require.False(t, w.valid(hash.Blockhash, rpc.CommitmentFinalized))
}

func TestAFreshBlockhashIsUnknownToWhatIsFinal(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	w.Produce(1)
	tx := w.signed([]solana.PrivateKey{payer}, give(payer.PublicKey(), payer.PublicKey(), 1))
	_, err := w.rpc.SendTransaction(t.Context(), tx) // its preflight is at finalized
	require.Equal(t, "BlockhashNotFound", because(refused(t, err, -32002)))
	require.Contains(t, err.Error(), "Blockhash not found")
	w.sent(tx)
	w.Settle()
	require.Equal(t, rpc.ConfirmationStatusFinalized, w.status(tx.Signatures[0]).ConfirmationStatus)
}

func TestABlockhashIsJudgedAtLanding(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	hash := w.blockhash(rpc.CommitmentProcessed).Blockhash
	inTime := sign(t, hash, []solana.PrivateKey{payer}, []solana.Instruction{give(payer.PublicKey(), payer.PublicKey(), 1)})
	late := sign(t, hash, []solana.PrivateKey{payer}, []solana.Instruction{give(payer.PublicKey(), payer.PublicKey(), 2)})
	w.Delay(1, 150)
	w.sent(inTime)
	w.Delay(1, 151)
	w.sent(late)
	w.Settle()
	require.NotNil(t, w.status(inTime.Signatures[0]))
	require.Nil(t, w.status(late.Signatures[0]), "what is out of date by then vanishes")
}

func TestABlockhashOfAnAbandonedForkIsDeadAtOnce(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	w.Produce(1)
	hash := w.blockhash(rpc.CommitmentProcessed)
	tx := sign(t, hash.Blockhash, []solana.PrivateKey{payer}, []solana.Instruction{give(payer.PublicKey(), payer.PublicKey(), 1)})
	w.Fork(1, false)
	at := w.Produce(3)
	require.Less(t, at.Height, hash.LastValidBlockHeight)
	require.False(t, w.valid(hash.Blockhash, rpc.CommitmentProcessed))
	_, err := w.send(tx)
	require.Equal(t, "BlockhashNotFound", because(refused(t, err, -32002)))
	w.force(tx)
	w.Settle()
	require.Nil(t, w.status(tx.Signatures[0]))
}

func TestTheFeeOfAMessageIsKnownWhileItsBlockhashLives(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	tx := w.signed([]solana.PrivateKey{payer}, give(payer.PublicKey(), payer.PublicKey(), 1))
	fee := func() *uint64 {
		found, err := w.rpc.GetFeeForMessage(t.Context(), tx.Message.ToBase64(), rpc.CommitmentProcessed)
		require.NoError(t, err)
		return found.Value
	}
	require.Equal(t, uint64(5_000), *fee())
	w.Produce(151)
	require.Nil(t, fee())
}
