//go:build localnet

package localnet_test

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// BenchmarkUSDCTransfers submits transfers with a preflight from eight goroutines, and
// counts them when they have landed.
func BenchmarkUSDCTransfers(b *testing.B) {
	n := localnet.Start(b, localnet.Options{SlotLength: 400 * time.Millisecond})
	client := rpc.New(n.URL)
	defer client.Close()
	payer, err := solana.NewRandomPrivateKey()
	require.NoError(b, err)
	n.Airdrop(payer.PublicKey().String(), 1_000*sol)
	from := solana.MustPublicKeyFromBase58(n.MintUSDC(payer.PublicKey().String(), 1<<50).Account)
	to := solana.MustPublicKeyFromBase58(n.MintUSDC(solana.NewWallet().PublicKey().String(), 0).Account)
	n.Settle()
	hash, err := client.GetLatestBlockhash(b.Context(), rpc.CommitmentProcessed)
	require.NoError(b, err)
	signed := make(chan *solana.Transaction, b.N)
	for i := range b.N {
		tx, err := solana.NewTransaction([]solana.Instruction{pay(payer.PublicKey(), from, to, uint64(i+1))}, hash.Value.Blockhash,
			solana.TransactionPayer(payer.PublicKey()))
		require.NoError(b, err)
		_, err = tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return &payer })
		require.NoError(b, err)
		signed <- tx
	}
	close(signed)

	b.ResetTimer()
	var senders sync.WaitGroup
	for range 8 {
		senders.Go(func() {
			for tx := range signed {
				if _, err := client.SendTransactionWithOpts(b.Context(), tx, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentProcessed}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	senders.Wait()
	for n.Advance(0).Waiting > 0 {
		time.Sleep(time.Millisecond)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "transfers/s")
	b.StopTimer()
	n.Settle()
	got, err := client.GetTokenAccountBalance(b.Context(), to, rpc.CommitmentFinalized)
	require.NoError(b, err)
	want := uint64(b.N) * uint64(b.N+1) / 2
	require.Equal(b, strconv.FormatUint(want, 10), got.Value.Amount, "all of them landed")
}
