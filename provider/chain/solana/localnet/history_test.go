//go:build localnet

package localnet_test

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"
)

func TestStatusesOlderThan300SlotsNeedASearchOfTheHistory(t *testing.T) {
	w := frozen(t)
	paid := solana.MustSignatureFromBase58(w.Airdrop(key(t).PublicKey().String(), sol))
	w.Produce(1)
	w.Advance(300)
	require.NotNil(t, w.status(paid))
	w.Advance(1)
	require.Nil(t, w.status(paid))
	found, err := w.rpc.GetSignatureStatuses(t.Context(), true, paid, solana.Signature{1})
	require.NoError(t, err)
	require.Equal(t, rpc.ConfirmationStatusFinalized, found.Value[0].ConfirmationStatus)
	require.Nil(t, found.Value[1])
}

func TestSignaturesAreListedNewestFirstBetweenCursors(t *testing.T) {
	w := frozen(t)
	payer, to := w.rich(sol), key(t).PublicKey()
	var sent []solana.Signature
	for i := range 5 {
		for j := range 2 {
			sent = append(sent, w.force(w.signed([]solana.PrivateKey{payer}, give(payer.PublicKey(), to, uint64(1_000_000+10*i+j)))))
		}
		w.Produce(1)
	}
	w.Settle()
	slices.Reverse(sent)
	list := func(limit int, before, until solana.Signature) (found []solana.Signature) {
		opts := &rpc.GetSignaturesForAddressOpts{Before: before, Until: until}
		if limit > 0 {
			opts.Limit = &limit
		}
		listed, err := w.rpc.GetSignaturesForAddressWithOpts(t.Context(), to, opts)
		require.NoError(t, err)
		for _, l := range listed {
			found = append(found, l.Signature)
		}
		return found
	}
	none, unknown := solana.Signature{}, solana.Signature{9}
	require.Equal(t, sent, list(0, none, none))
	require.Equal(t, sent[:3], list(3, none, none))
	require.Equal(t, sent[3:6], list(3, sent[2], none))
	require.Equal(t, sent[:4], list(0, none, sent[4]))
	require.Equal(t, sent[2:4], list(0, sent[1], sent[4]))
	require.Empty(t, list(0, unknown, none), "an unknown before leaves nothing")
	require.Equal(t, sent, list(0, none, unknown), "an unknown until leaves everything")
}

func TestAnOwnerIsNotMentionedByAnOrdinaryDeposit(t *testing.T) {
	w := frozen(t)
	sender, from := w.holder(10)
	owner, to := w.holder(0)
	before, err := w.rpc.GetSignaturesForAddress(t.Context(), owner.PublicKey())
	require.NoError(t, err)
	paid := w.sent(w.signed([]solana.PrivateKey{sender}, pay(sender.PublicKey(), from, to, 1)))
	w.Settle()
	after, err := w.rpc.GetSignaturesForAddress(t.Context(), owner.PublicKey())
	require.NoError(t, err)
	require.Equal(t, before, after)
	listed, err := w.rpc.GetSignaturesForAddress(t.Context(), to)
	require.NoError(t, err)
	require.Equal(t, paid, listed[0].Signature)
}

func TestATransactionTellsTheTokensBeforeAndAfterwards(t *testing.T) {
	w := frozen(t)
	sender, from := w.holder(10_000_000)
	owner := key(t).PublicKey()
	to := accountOf(t, owner)
	paid := w.landed(w.sent(w.signed([]solana.PrivateKey{sender},
		open(sender.PublicKey(), owner), pay(sender.PublicKey(), from, to, 1_500_000), memo.NewMemoInstruction([]byte("rent")).Build())))
	amounts := func(balances []rpc.TokenBalance) map[solana.PublicKey]string {
		tx, err := paid.Transaction.GetTransaction()
		require.NoError(t, err)
		found := map[solana.PublicKey]string{}
		for _, b := range balances {
			require.Equal(t, usdc, b.Mint)
			require.Equal(t, solana.TokenProgramID, *b.ProgramId)
			found[tx.Message.AccountKeys[b.AccountIndex]] = b.UiTokenAmount.UiAmountString
		}
		return found
	}
	require.Equal(t, map[solana.PublicKey]string{from: "10"}, amounts(paid.Meta.PreTokenBalances))
	require.Equal(t, map[solana.PublicKey]string{from: "8.5", to: "1.5"}, amounts(paid.Meta.PostTokenBalances))
	require.NotEmpty(t, paid.Meta.InnerInstructions, "the account was created by another program")
	require.Equal(t, uint64(sol-5_000-2_039_280), paid.Meta.PostBalances[0])
	require.Positive(t, *paid.Meta.ComputeUnitsConsumed)

	listed, err := w.rpc.GetSignaturesForAddress(t.Context(), to)
	require.NoError(t, err)
	require.Equal(t, "[4] rent", *listed[0].Memo)
	block, err := w.rpc.GetBlock(t.Context(), paid.Slot)
	require.NoError(t, err)
	require.Len(t, block.Transactions, 1)
	require.Equal(t, paid.Meta.PostTokenBalances, block.Transactions[0].Meta.PostTokenBalances)
}

func TestATransactionIsToldInEveryEncoding(t *testing.T) {
	w := frozen(t)
	sender, from := w.holder(10)
	owner := key(t).PublicKey()
	to := accountOf(t, owner)
	sent := w.signed([]solana.PrivateKey{sender}, open(sender.PublicKey(), owner), pay(sender.PublicKey(), from, to, 3),
		memo.NewMemoInstruction([]byte("hello")).Build(), give(sender.PublicKey(), to, 5))
	signature := w.sent(sent)
	w.Settle()
	for _, encoding := range []solana.EncodingType{solana.EncodingBase64, solana.EncodingBase58, solana.EncodingJSON} {
		found, err := w.rpc.GetTransaction(t.Context(), signature, &rpc.GetTransactionOpts{Encoding: encoding})
		require.NoError(t, err, encoding)
		tx, err := found.Transaction.GetTransaction()
		require.NoError(t, err, encoding)
		require.Equal(t, sent.Signatures, tx.Signatures, encoding)
		require.Equal(t, sent.Message.AccountKeys, tx.Message.AccountKeys, encoding)
		require.Equal(t, sent.Message.Instructions[1].Data, tx.Message.Instructions[1].Data, encoding)
		require.Equal(t, sent.Message.RecentBlockhash, tx.Message.RecentBlockhash, encoding)
	}
	var parsed struct {
		Transaction struct {
			Message struct {
				Instructions []struct {
					Program string
					Parsed  any
				}
			}
		}
	}
	require.NoError(t, w.rpc.RPCCallForInto(t.Context(), &parsed, "getTransaction", []any{signature, "jsonParsed"}))
	told := parsed.Transaction.Message.Instructions
	require.Equal(t, "createIdempotent", told[0].Parsed.(map[string]any)["type"])
	transfer := told[1].Parsed.(map[string]any)
	require.Equal(t, "transferChecked", transfer["type"])
	require.Equal(t, to.String(), transfer["info"].(map[string]any)["destination"])
	require.Equal(t, "3", transfer["info"].(map[string]any)["tokenAmount"].(map[string]any)["amount"])
	require.Equal(t, "hello", told[2].Parsed)
	require.Equal(t, "transfer", told[3].Parsed.(map[string]any)["type"])
	_, err := w.rpc.GetParsedTransaction(t.Context(), signature, nil)
	require.NoError(t, err)
}

func TestABlockIsToldInEveryDetail(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	signature := w.sent(w.signed([]solana.PrivateKey{payer}, give(payer.PublicKey(), payer.PublicKey(), 1)))
	slot := w.landed(signature).Slot
	block := func(detail rpc.TransactionDetailsType) *rpc.GetBlockResult {
		found, err := w.rpc.GetBlockWithOpts(t.Context(), slot, &rpc.GetBlockOpts{TransactionDetails: detail})
		require.NoError(t, err)
		return found
	}
	require.Equal(t, []solana.Signature{signature}, block(rpc.TransactionDetailsSignatures).Signatures)
	require.Empty(t, block(rpc.TransactionDetailsNone).Transactions)
	keys, err := block(rpc.TransactionDetailsAccounts).Transactions[0].GetAccountKeys()
	require.NoError(t, err)
	require.Equal(t, payer.PublicKey(), keys.AccountKeys[0].Pubkey)
	require.True(t, keys.AccountKeys[0].Signer)
	full, err := block(rpc.TransactionDetailsFull).Transactions[0].GetTransaction()
	require.NoError(t, err)
	require.Equal(t, signature, full.Signatures[0])
}
