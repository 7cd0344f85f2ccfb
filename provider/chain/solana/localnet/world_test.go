//go:build localnet

package localnet_test

import (
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"
	ata "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

const sol = solana.LAMPORTS_PER_SOL

var usdc = solana.MustPublicKeyFromBase58(localnet.USDC)

// world is a node with a client of it.
type world struct {
	*localnet.Node
	t   *testing.T
	rpc *rpc.Client
}

// frozen is a world whose chain moves when the test says so.
func frozen(t *testing.T) world {
	return on(t, localnet.Start(t, localnet.Options{Frozen: true, NoSkips: true}))
}

func on(t *testing.T, n *localnet.Node) world {
	client := rpc.New(n.URL)
	t.Cleanup(func() { _ = client.Close() })
	return world{Node: n, t: t, rpc: client}
}

// key is a new pair of keys.
func key(t *testing.T) solana.PrivateKey {
	t.Helper()
	k, err := solana.NewRandomPrivateKey()
	require.NoError(t, err)
	return k
}

// rich returns a new address with lamports that are final.
func (w world) rich(lamports uint64) solana.PrivateKey {
	w.t.Helper()
	k := key(w.t)
	w.Airdrop(k.PublicKey().String(), lamports)
	w.Settle()
	return k
}

// holder returns a new address with 1 SOL and USDC that are final, and its token account.
func (w world) holder(amount uint64) (solana.PrivateKey, solana.PublicKey) {
	w.t.Helper()
	owner := w.rich(sol)
	minted := w.MintUSDC(owner.PublicKey().String(), amount)
	w.Settle()
	return owner, solana.MustPublicKeyFromBase58(minted.Account)
}

// blockhash returns the latest one of a commitment.
func (w world) blockhash(c rpc.CommitmentType) rpc.LatestBlockhashResult {
	w.t.Helper()
	latest, err := w.rpc.GetLatestBlockhash(w.t.Context(), c)
	require.NoError(w.t, err)
	return *latest.Value
}

// signed returns a transaction on the latest processed blockhash. The first key pays.
func (w world) signed(keys []solana.PrivateKey, instructions ...solana.Instruction) *solana.Transaction {
	w.t.Helper()
	return sign(w.t, w.blockhash(rpc.CommitmentProcessed).Blockhash, keys, instructions)
}

func sign(t *testing.T, hash solana.Hash, keys []solana.PrivateKey, instructions []solana.Instruction, options ...solana.TransactionOption) *solana.Transaction {
	t.Helper()
	tx, err := solana.NewTransaction(instructions, hash, append(options, solana.TransactionPayer(keys[0].PublicKey()))...)
	require.NoError(t, err)
	_, err = tx.Sign(func(public solana.PublicKey) *solana.PrivateKey {
		for i := range keys {
			if keys[i].PublicKey() == public {
				return &keys[i]
			}
		}
		return nil
	})
	require.NoError(t, err)
	return tx
}

// give is a transfer of lamports.
func give(from, to solana.PublicKey, lamports uint64) solana.Instruction {
	return system.NewTransferInstruction(lamports, from, to).Build()
}

// pay is a transfer of USDC from one token account to another.
func pay(owner, from, to solana.PublicKey, amount uint64) solana.Instruction {
	return token.NewTransferCheckedInstruction(amount, 6, from, usdc, to, owner, nil).Build()
}

// open creates the associated token account of an owner for USDC.
func open(payer, owner solana.PublicKey) solana.Instruction {
	return ata.NewCreateIdempotentInstruction(payer, owner, usdc).Build()
}

// accountOf is the associated token account of an owner for USDC.
func accountOf(t *testing.T, owner solana.PublicKey) solana.PublicKey {
	t.Helper()
	account, _, err := solana.FindAssociatedTokenAddress(owner, usdc)
	require.NoError(t, err)
	return account
}

// send submits after a preflight at processed.
func (w world) send(tx *solana.Transaction) (solana.Signature, error) {
	return w.rpc.SendTransactionWithOpts(w.t.Context(), tx, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentProcessed})
}

// force submits without a preflight.
func (w world) force(tx *solana.Transaction) solana.Signature {
	w.t.Helper()
	signature, err := w.rpc.SendTransactionWithOpts(w.t.Context(), tx, rpc.TransactionOpts{SkipPreflight: true})
	require.NoError(w.t, err)
	return signature
}

// sent submits what passes its preflight.
func (w world) sent(tx *solana.Transaction) solana.Signature {
	w.t.Helper()
	signature, err := w.send(tx)
	require.NoError(w.t, err)
	return signature
}

// status is what the node knows of a signature without its history, nil when nothing.
func (w world) status(signature solana.Signature) *rpc.SignatureStatusesResult {
	w.t.Helper()
	statuses, err := w.rpc.GetSignatureStatuses(w.t.Context(), false, signature)
	require.NoError(w.t, err)
	require.Len(w.t, statuses.Value, 1)
	return statuses.Value[0]
}

func (w world) balance(address solana.PublicKey, c rpc.CommitmentType) uint64 {
	w.t.Helper()
	found, err := w.rpc.GetBalance(w.t.Context(), address, c)
	require.NoError(w.t, err)
	return found.Value
}

// tokens is what a token account holds, as text; empty when there is no such account.
func (w world) tokens(account solana.PublicKey, c rpc.CommitmentType) string {
	w.t.Helper()
	found, err := w.rpc.GetTokenAccountBalance(w.t.Context(), account, c)
	if err != nil {
		require.ErrorContains(w.t, err, "could not find account")
		return ""
	}
	return found.Value.Amount
}

// refused requires that an error has a code, and returns it.
func refused(t *testing.T, err error, code int) *jsonrpc.RPCError {
	t.Helper()
	var found *jsonrpc.RPCError
	require.True(t, errors.As(err, &found), "%v", err)
	require.Equal(t, code, found.Code, found.Message)
	return found
}

// because is the error of the transaction in a refused preflight.
func because(err *jsonrpc.RPCError) any { return err.Data.(map[string]any)["err"] }
