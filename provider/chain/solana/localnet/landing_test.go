//go:build localnet

package localnet_test

import (
	"encoding/json"
	"testing"

	"github.com/gagliardetto/solana-go"
	lookup "github.com/gagliardetto/solana-go/programs/address-lookup-table"
	budget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"
)

// landed returns a final transaction.
func (w world) landed(signature solana.Signature) *rpc.GetTransactionResult {
	w.t.Helper()
	w.Settle()
	found, err := w.rpc.GetTransaction(w.t.Context(), signature, &rpc.GetTransactionOpts{
		Encoding: solana.EncodingBase64, MaxSupportedTransactionVersion: &rpc.MaxSupportedTransactionVersion0,
	})
	require.NoError(w.t, err)
	return found
}

// asJSON is an error of a transaction as the node wrote it.
func asJSON(t *testing.T, err any) string {
	t.Helper()
	text, failed := json.Marshal(err)
	require.NoError(t, failed)
	return string(text)
}

func TestWhatCannotPayItsFeeIsAcceptedAndVanishes(t *testing.T) {
	w := frozen(t)
	poor := key(t)
	tx := w.signed([]solana.PrivateKey{poor}, give(poor.PublicKey(), key(t).PublicKey(), 1))
	_, err := w.send(tx)
	require.Equal(t, "AccountNotFound", because(refused(t, err, -32002)))
	require.Equal(t, tx.Signatures[0], w.force(tx))
	w.Settle()
	require.Nil(t, w.status(tx.Signatures[0]))
}

func TestWhatIsNotSignedVanishes(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	tx := w.signed([]solana.PrivateKey{payer}, give(payer.PublicKey(), key(t).PublicKey(), sol/2))
	tx.Signatures[0][5] ^= 1
	_, err := w.send(tx)
	refused(t, err, -32003)
	w.force(tx)
	w.Settle()
	require.Nil(t, w.status(tx.Signatures[0]))
	require.Equal(t, sol, w.balance(payer.PublicKey(), rpc.CommitmentFinalized))
}

func TestWhatFailsInAProgramLandsWithItsErrorAndItsFee(t *testing.T) {
	w := frozen(t)
	holder, from := w.holder(3)
	_, to := w.holder(0)
	tx := w.signed([]solana.PrivateKey{holder}, pay(holder.PublicKey(), from, to, 4))
	_, err := w.send(tx)
	refusal := refused(t, err, -32002)
	require.JSONEq(t, `{"InstructionError":[0,{"Custom":1}]}`, asJSON(t, because(refusal)))
	require.Equal(t, "Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1", refusal.Message)
	require.NotEmpty(t, refusal.Data.(map[string]any)["logs"])

	failed := w.landed(w.force(tx))
	require.JSONEq(t, `{"InstructionError":[0,{"Custom":1}]}`, asJSON(t, failed.Meta.Err))
	require.Equal(t, uint64(5_000), failed.Meta.Fee)
	require.Equal(t, sol-5_000, w.balance(holder.PublicKey(), rpc.CommitmentFinalized))
	require.Equal(t, "3", w.tokens(from, rpc.CommitmentFinalized))
	require.Equal(t, failed.Meta.PreTokenBalances, failed.Meta.PostTokenBalances)
	require.NotEmpty(t, failed.Meta.LogMessages)
	list, err := w.rpc.GetSignaturesForAddress(t.Context(), to)
	require.NoError(t, err)
	require.Equal(t, tx.Signatures[0], list[0].Signature)
	require.NotNil(t, list[0].Err)
	require.NotNil(t, w.status(tx.Signatures[0]).Err)
}

func TestWhatNamesNoProgramLandsWithItsFee(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	tx := w.signed([]solana.PrivateKey{payer}, solana.NewInstruction(key(t).PublicKey(), nil, []byte{1}))
	_, err := w.send(tx)
	refused(t, err, -32002)
	require.NotNil(t, w.landed(w.force(tx)).Meta.Err)
	require.Equal(t, sol-5_000, w.balance(payer.PublicKey(), rpc.CommitmentFinalized))
}

func TestTheSameBytesLandOncePerFork(t *testing.T) {
	w := frozen(t)
	payer, to := w.rich(sol), w.rich(sol).PublicKey()
	tx := w.signed([]solana.PrivateKey{payer}, give(payer.PublicKey(), to, 1))
	w.sent(tx)
	w.sent(tx) // it waits already
	w.Produce(1)
	require.Equal(t, sol+1, w.balance(to, rpc.CommitmentProcessed))
	_, err := w.send(tx)
	require.Equal(t, "AlreadyProcessed", because(refused(t, err, -32002)))
	w.force(tx)
	w.Produce(1)
	require.Equal(t, sol+1, w.balance(to, rpc.CommitmentProcessed))
	require.Equal(t, sol-5_001, w.balance(payer.PublicKey(), rpc.CommitmentProcessed))

	w.Fork(2, false)
	require.Equal(t, sol, w.balance(to, rpc.CommitmentProcessed))
	w.sent(tx)
	w.Settle()
	require.Equal(t, sol+1, w.balance(to, rpc.CommitmentFinalized), "it lands on the other fork, once")
}

func TestAFeeIsPaidForSignaturesAndForPriority(t *testing.T) {
	w := frozen(t)
	payer, other := w.rich(sol), w.rich(sol)
	tx := w.signed([]solana.PrivateKey{payer, other},
		budget.NewSetComputeUnitLimitInstruction(30_000).Build(),
		budget.NewSetComputeUnitPriceInstruction(100_001).Build(),
		give(other.PublicKey(), payer.PublicKey(), sol/2))
	told, err := w.rpc.GetFeeForMessage(t.Context(), tx.Message.ToBase64(), rpc.CommitmentProcessed)
	require.NoError(t, err)
	require.Equal(t, uint64(10_000+3_001), *told.Value, "a broken lamport counts as one")
	paid := w.landed(w.sent(tx))
	require.Equal(t, *told.Value, paid.Meta.Fee)
	require.Equal(t, sol+sol/2-*told.Value, w.balance(payer.PublicKey(), rpc.CommitmentFinalized))

	fees, err := w.rpc.GetRecentPrioritizationFees(t.Context(), solana.PublicKeySlice{other.PublicKey()})
	require.NoError(t, err)
	require.Contains(t, fees, rpc.PriorizationFeeResult{Slot: paid.Slot, PrioritizationFee: 100_001})
	fees, err = w.rpc.GetRecentPrioritizationFees(t.Context(), nil)
	require.NoError(t, err)
	require.NotEmpty(t, fees)
}

func TestAPriceWithoutALimitCountsTheUsualUnits(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	price := budget.NewSetComputeUnitPriceInstruction(1_000_000).Build()
	paid := w.landed(w.sent(w.signed([]solana.PrivateKey{payer}, price, give(payer.PublicKey(), payer.PublicKey(), 1),
		memo.NewMemoInstruction([]byte("hello")).Build())))
	require.Equal(t, sol-paid.Meta.Fee, w.balance(payer.PublicKey(), rpc.CommitmentFinalized), "what is told is what was paid")
}

func TestADurableNonceLandsOnceAndAnyTime(t *testing.T) {
	w := frozen(t)
	payer, nonce := w.rich(10*sol), key(t)
	authority := payer.PublicKey()
	w.sent(w.signed([]solana.PrivateKey{payer, nonce},
		system.NewCreateAccountInstruction(sol, 80, solana.SystemProgramID, authority, nonce.PublicKey()).Build(),
		system.NewInitializeNonceAccountInstruction(authority, nonce.PublicKey(), solana.SysVarRecentBlockHashesPubkey, solana.SysVarRentPubkey).Build()))
	w.Settle()
	value := func() solana.Hash {
		account, err := w.rpc.GetAccountInfo(t.Context(), nonce.PublicKey())
		require.NoError(t, err)
		return solana.HashFromBytes(account.GetBinary()[40:72])
	}
	advance := func() solana.Instruction {
		return system.NewAdvanceNonceAccountInstruction(nonce.PublicKey(), solana.SysVarRecentBlockHashesPubkey, authority).Build()
	}
	first := value()
	to := w.rich(sol).PublicKey()
	tx := sign(t, first, []solana.PrivateKey{payer}, []solana.Instruction{advance(), give(authority, to, 7)})
	failing := sign(t, first, []solana.PrivateKey{payer}, []solana.Instruction{advance(), give(authority, to, 100*sol)})
	w.Produce(400)
	w.sent(tx)
	w.Settle()
	require.Equal(t, sol+7, w.balance(to, rpc.CommitmentFinalized))
	require.NotEqual(t, first, value())
	w.force(failing)
	w.Settle()
	require.Nil(t, w.status(failing.Signatures[0]), "its nonce is used up")

	second := value()
	failing = sign(t, second, []solana.PrivateKey{payer}, []solana.Instruction{advance(), give(authority, to, 100*sol)})
	require.NotNil(t, w.landed(w.force(failing)).Meta.Err)
	require.NotEqual(t, second, value(), "a failure uses it up, too")
}

// table makes a lookup table with some addresses.
func (w world) table(payer solana.PrivateKey, addresses ...solana.PublicKey) map[solana.PublicKey]solana.PublicKeySlice {
	w.t.Helper()
	recent := w.Produce(1).Block
	w.Produce(1)
	create, table, err := lookup.NewCreateLookupTableInstruction(payer.PublicKey(), payer.PublicKey(), recent)
	require.NoError(w.t, err)
	w.sent(w.signed([]solana.PrivateKey{payer}, create.Build(),
		lookup.NewExtendLookupTableInstruction(table, payer.PublicKey(), payer.PublicKey(), addresses).Build()))
	w.Settle()
	return map[solana.PublicKey]solana.PublicKeySlice{table: addresses}
}

func TestALookupTableNamesAccounts(t *testing.T) {
	w := frozen(t)
	payer := w.rich(10 * sol)
	to := w.rich(sol).PublicKey()
	table := w.table(payer, to)
	tx := sign(t, w.blockhash(rpc.CommitmentFinalized).Blockhash, []solana.PrivateKey{payer},
		[]solana.Instruction{give(payer.PublicKey(), to, 9)}, solana.TransactionAddressTables(table))
	paid := w.landed(w.sent(tx))
	require.Equal(t, solana.PublicKeySlice{to}, paid.Meta.LoadedAddresses.Writable)
	require.EqualValues(t, 0, paid.Version)
	require.Equal(t, sol+9, w.balance(to, rpc.CommitmentFinalized))
	list, err := w.rpc.GetSignaturesForAddress(t.Context(), to)
	require.NoError(t, err)
	require.Equal(t, tx.Signatures[0], list[0].Signature)

	_, err = w.rpc.GetTransaction(t.Context(), tx.Signatures[0], &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64})
	refused(t, err, -32015)
	_, err = w.rpc.GetBlock(t.Context(), paid.Slot)
	refused(t, err, -32015)
}
