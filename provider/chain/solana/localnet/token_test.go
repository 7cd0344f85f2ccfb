//go:build localnet

package localnet_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	ata "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

func TestUSDCIsAMintWith6DecimalsAtItsAddressOnDevnet(t *testing.T) {
	w := frozen(t)
	found, err := w.rpc.GetAccountInfo(t.Context(), usdc)
	require.NoError(t, err)
	require.Equal(t, solana.TokenProgramID, found.Value.Owner)
	var mint token.Mint
	require.NoError(t, mint.Decode(found.GetBinary()))
	require.EqualValues(t, 6, mint.Decimals)
	require.Zero(t, mint.Supply)
	require.NotNil(t, mint.FreezeAuthority)
	require.Equal(t, "18446744073709551615", found.Value.RentEpoch.String())
}

func TestUSDCIsMintedToAnOwnerOrToAnAccount(t *testing.T) {
	w := frozen(t)
	owner := key(t).PublicKey()
	first := w.MintUSDC(owner.String(), 25_000_000)
	require.Equal(t, accountOf(t, owner).String(), first.Account)
	w.Settle()
	second := w.MintUSDC(first.Account, 1)
	require.Equal(t, first.Account, second.Account)
	w.Settle()
	require.Equal(t, "25000001", w.tokens(accountOf(t, owner), rpc.CommitmentFinalized))
	require.Len(t, w.landed(solana.MustSignatureFromBase58(second.Signature)).Meta.PostTokenBalances, 1)
}

func TestTheFaucetGivesLamports(t *testing.T) {
	w := frozen(t)
	to := key(t).PublicKey()
	first := w.Airdrop(to.String(), sol)
	second, err := w.rpc.RequestAirdrop(t.Context(), to, sol, rpc.CommitmentFinalized)
	require.NoError(t, err)
	require.NotEqual(t, first, second.String())
	w.Settle()
	require.Equal(t, 2*sol, w.balance(to, rpc.CommitmentFinalized))
}

func TestAnOwnersAccountsAreListedByMintAndByProgram(t *testing.T) {
	w := frozen(t)
	owner := key(t).PublicKey()
	alike, newer := w.NewMint(localnet.TokenProgram, 6), w.NewMint(localnet.Token2022Program, 6)
	real := w.MintUSDC(owner.String(), 1).Account
	fake := w.Mint(alike, owner.String(), 2).Account
	other := w.Mint(newer, owner.String(), 3).Account
	w.Settle()
	list := func(conf rpc.GetTokenAccountsConfig) (found []string) {
		listed, err := w.rpc.GetTokenAccountsByOwner(t.Context(), owner, &conf, &rpc.GetTokenAccountsOpts{Encoding: solana.EncodingBase64})
		require.NoError(t, err)
		for _, l := range listed.Value {
			require.Equal(t, owner.Bytes(), l.Account.Data.GetBinary()[32:64])
			found = append(found, l.Pubkey.String())
		}
		return found
	}
	require.Equal(t, []string{real}, list(rpc.GetTokenAccountsConfig{Mint: &usdc}))
	require.ElementsMatch(t, []string{real, fake}, list(rpc.GetTokenAccountsConfig{ProgramId: &solana.TokenProgramID}))
	require.Equal(t, []string{other}, list(rpc.GetTokenAccountsConfig{ProgramId: &solana.Token2022ProgramID}))

	var parsed struct {
		Value []struct {
			Account struct {
				Data struct {
					Parsed struct{ Info struct{ Mint, State string } }
				}
			}
		}
	}
	require.NoError(t, w.rpc.RPCCallForInto(t.Context(), &parsed, "getTokenAccountsByOwner",
		[]any{owner, map[string]any{"programId": solana.Token2022ProgramID}, map[string]any{"encoding": "jsonParsed"}}))
	require.Equal(t, newer, parsed.Value[0].Account.Data.Parsed.Info.Mint)
	require.Equal(t, "initialized", parsed.Value[0].Account.Data.Parsed.Info.State)
}

// TestOtherTokensAreNoUSDC pays with accounts that look like the right one.
func TestOtherTokensAreNoUSDC(t *testing.T) {
	w := frozen(t)
	owner := w.rich(sol)
	_, to := w.holder(0)
	pay := func(from string) string {
		_, err := w.send(w.signed([]solana.PrivateKey{owner}, pay(owner.PublicKey(), solana.MustPublicKeyFromBase58(from), to, 1)))
		return asJSON(t, because(refused(t, err, -32002)))
	}
	alike, newer := w.NewMint(localnet.TokenProgram, 6), w.NewMint(localnet.Token2022Program, 6)
	fake, other := w.Mint(alike, owner.PublicKey().String(), 5).Account, w.Mint(newer, owner.PublicKey().String(), 5).Account
	w.Settle()
	require.JSONEq(t, `{"InstructionError":[0,{"Custom":3}]}`, pay(fake))
	require.NotEmpty(t, pay(other))
}

func TestTokensOfTheNewerProgramArePaidWith(t *testing.T) {
	w := frozen(t)
	owner, receiver := w.rich(sol), key(t).PublicKey()
	mint := solana.MustPublicKeyFromBase58(w.NewMint(localnet.Token2022Program, 2))
	from := solana.MustPublicKeyFromBase58(w.Mint(mint.String(), owner.PublicKey().String(), 500).Account)
	w.Settle()
	to, _, err := solana.FindAssociatedTokenAddressWithProgram(receiver, mint, solana.Token2022ProgramID)
	require.NoError(t, err)
	transfer := token.NewTransferCheckedInstruction(120, 2, from, mint, to, owner.PublicKey(), nil).Build()
	data, err := transfer.Data()
	require.NoError(t, err)
	paid := w.landed(w.sent(w.signed([]solana.PrivateKey{owner},
		ata.NewCreateIdempotentInstructionWithTokenProgram(owner.PublicKey(), receiver, mint, solana.Token2022ProgramID).Build(),
		solana.NewInstruction(solana.Token2022ProgramID, transfer.Accounts(), data))))
	require.Nil(t, paid.Meta.Err)
	require.Equal(t, "120", w.tokens(to, rpc.CommitmentFinalized))
	for _, b := range paid.Meta.PostTokenBalances {
		require.Equal(t, solana.Token2022ProgramID, *b.ProgramId)
	}
}

func TestTheIssuerFreezesAnAccount(t *testing.T) {
	w := frozen(t)
	holder, from := w.holder(10)
	_, to := w.holder(0)
	w.Freeze(from.String())
	w.Settle()
	tx := w.signed([]solana.PrivateKey{holder}, pay(holder.PublicKey(), from, to, 1))
	_, err := w.send(tx)
	require.JSONEq(t, `{"InstructionError":[0,{"Custom":17}]}`, asJSON(t, because(refused(t, err, -32002))))
	require.NotNil(t, w.landed(w.force(tx)).Meta.Err, "without a preflight it lands and costs its fee")
	w.Thaw(from.String())
	w.Settle()
	w.sent(w.signed([]solana.PrivateKey{holder}, pay(holder.PublicKey(), from, to, 2)))
	w.Settle()
	require.Equal(t, "2", w.tokens(to, rpc.CommitmentFinalized))
}

func TestASimulationHasNoEffect(t *testing.T) {
	w := frozen(t)
	holder, from := w.holder(10)
	_, to := w.holder(0)
	tx := w.signed([]solana.PrivateKey{holder}, pay(holder.PublicKey(), from, to, 4))
	simulated, err := w.rpc.SimulateTransactionWithOpts(t.Context(), tx, &rpc.SimulateTransactionOpts{
		SigVerify: true, Commitment: rpc.CommitmentProcessed, InnerInstructions: true,
		Accounts: &rpc.SimulateTransactionAccountsOpts{Addresses: []solana.PublicKey{to, key(t).PublicKey()}},
	})
	require.NoError(t, err)
	require.Nil(t, simulated.Value.Err)
	require.Positive(t, *simulated.Value.UnitsConsumed)
	require.NotEmpty(t, simulated.Value.Logs)
	require.EqualValues(t, 4, simulated.Value.Accounts[0].Data.GetBinary()[64], "what the account would hold")
	require.Nil(t, simulated.Value.Accounts[1])
	w.Settle()
	require.Equal(t, "0", w.tokens(to, rpc.CommitmentProcessed))
	require.Nil(t, w.status(tx.Signatures[0]))

	old := sign(t, solana.Hash{1}, []solana.PrivateKey{holder}, []solana.Instruction{pay(holder.PublicKey(), from, to, 11)})
	simulated, err = w.rpc.SimulateTransaction(t.Context(), old)
	require.NoError(t, err)
	require.Equal(t, "BlockhashNotFound", simulated.Value.Err)
	simulated, err = w.rpc.SimulateTransactionWithOpts(t.Context(), old, &rpc.SimulateTransactionOpts{ReplaceRecentBlockhash: true})
	require.NoError(t, err)
	require.JSONEq(t, `{"InstructionError":[0,{"Custom":1}]}`, asJSON(t, simulated.Value.Err))
	require.Equal(t, w.blockhash(rpc.CommitmentFinalized).Blockhash, simulated.Value.ReplacementBlockhash.Blockhash)
}

func TestAPreflightSeesTheAccountsOfItsCommitment(t *testing.T) {
	w := frozen(t)
	payer := key(t)
	w.Airdrop(payer.PublicKey().String(), sol)
	w.Produce(1)
	tx := sign(t, w.blockhash(rpc.CommitmentFinalized).Blockhash, []solana.PrivateKey{payer},
		[]solana.Instruction{give(payer.PublicKey(), payer.PublicKey(), 1)})
	_, err := w.rpc.SendTransaction(t.Context(), tx)
	require.Equal(t, "AccountNotFound", because(refused(t, err, -32002)), "what pays is not final")
	require.Equal(t, sol, w.balance(payer.PublicKey(), rpc.CommitmentProcessed), "and the tip is as it was")
	w.sent(tx)
}
