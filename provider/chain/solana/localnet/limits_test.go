//go:build localnet

package localnet_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/stretchr/testify/require"
)

// raw calls a method with parameters as they are.
func (w world) raw(method string, params ...any) error {
	var ignored any
	return w.rpc.RPCCallForInto(w.t.Context(), &ignored, method, params)
}

func TestANodeHasLimits(t *testing.T) {
	w := frozen(t)
	_, err := w.rpc.GetMultipleAccounts(t.Context(), make([]solana.PublicKey, 100)...)
	require.NoError(t, err)
	_, err = w.rpc.GetMultipleAccounts(t.Context(), make([]solana.PublicKey, 101)...)
	refused(t, err, -32602)

	_, err = w.rpc.GetSignatureStatuses(t.Context(), false, make([]solana.Signature, 256)...)
	require.NoError(t, err)
	_, err = w.rpc.GetSignatureStatuses(t.Context(), false, make([]solana.Signature, 257)...)
	refused(t, err, -32602)

	require.NoError(t, w.raw("getSignaturesForAddress", usdc, map[string]any{"limit": 1_000}))
	refused(t, w.raw("getSignaturesForAddress", usdc, map[string]any{"limit": 1_001}), -32602)
	refused(t, w.raw("getSignaturesForAddress", usdc, map[string]any{"limit": 0}), -32602)
	require.NoError(t, w.raw("getBlocks", 1_001, 501_001))
	refused(t, w.raw("getBlocks", 1_001, 501_002), -32602)
}

func TestATransactionHasAtMost1232Bytes(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	size := func(n int) *solana.Transaction {
		text := bytes.Repeat([]byte{'x'}, n)
		return w.signed([]solana.PrivateKey{payer}, memo.NewMemoInstruction(text).Build())
	}
	raw, err := size(1_000).MarshalBinary()
	require.NoError(t, err)
	room := 1_232 - len(raw)
	w.sent(size(1_000 + room))
	_, err = w.send(size(1_000 + room + 1))
	require.Contains(t, refused(t, err, -32602).Message, "too large: 1233 bytes")
}

func TestWhatANodeDoesNotUnderstandIsRefused(t *testing.T) {
	w := frozen(t)
	for _, c := range []struct {
		code   int
		method string
		params []any
	}{
		{-32601, "getWeather", nil},
		{-32602, "getBalance", nil},
		{-32602, "getBalance", []any{"0OIl"}},
		{-32602, "getBalance", []any{"11111"}},
		{-32602, "getBalance", []any{7}},
		{-32602, "getBalance", []any{localUSDC, "finalized"}},
		{-32602, "getBalance", []any{localUSDC, map[string]any{"commitment": "rooted"}}},
		{-32602, "getAccountInfo", []any{localUSDC, map[string]any{"encoding": "base32"}}},
		{-32602, "getTransaction", []any{localUSDC}},
		{-32602, "getTokenAccountBalance", []any{solana.NewWallet().PublicKey()}},
		{-32602, "getTokenAccountsByOwner", []any{localUSDC, map[string]any{"programId": solana.MemoProgramID}}},
		{-32602, "getTokenAccountsByOwner", []any{localUSDC, map[string]any{"mint": solana.NewWallet().PublicKey()}}},
		{-32602, "sendTransaction", []any{"AAAA", map[string]any{"encoding": "base64"}}},
		{-32602, "sendTransaction", []any{"????", map[string]any{"encoding": "base64"}}},
		{-32602, "simulateTransaction", []any{base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 300)), map[string]any{"encoding": "base64"}}},
		{-32602, "getFeeForMessage", []any{"AQAB"}},
		{-32602, "requestAirdrop", []any{localUSDC, -1}},
		{-32602, "getMinimumBalanceForRentExemption", []any{1.5}},
		{-32016, "getSlot", []any{map[string]any{"minContextSlot": 1 << 40}}},
		{-32016, "getLatestBlockhash", []any{map[string]any{"minContextSlot": 1 << 40}}},
	} {
		err := w.raw(c.method, c.params...)
		require.Error(t, err, "%s%v", c.method, c.params)
		refused(t, err, c.code)
	}
	require.NoError(t, w.raw("getSlot"), "the node goes on")
}

const localUSDC = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"

func TestAnyBytesAreRefusedAndNeverEndTheNode(t *testing.T) {
	w := frozen(t)
	holder, from := w.holder(10)
	table := w.table(holder, from, usdc)
	before := w.balance(holder.PublicKey(), rpc.CommitmentFinalized)
	instructions := []solana.Instruction{open(holder.PublicKey(), holder.PublicKey()), pay(holder.PublicKey(), from, from, 1)}
	w.breakBytes(w.signed([]solana.PrivateKey{holder}, instructions...))
	w.breakBytes(sign(t, w.blockhash(rpc.CommitmentFinalized).Blockhash, []solana.PrivateKey{holder}, instructions, solana.TransactionAddressTables(table)))
	w.Settle()
	require.Equal(t, before, w.balance(holder.PublicKey(), rpc.CommitmentFinalized), "none was signed")
}

// breakBytes submits and simulates a transaction with each byte of its message broken.
func (w world) breakBytes(tx *solana.Transaction) {
	t := w.t
	whole, err := tx.MarshalBinary()
	require.NoError(t, err)
	config := map[string]any{"encoding": "base64", "skipPreflight": true}
	for at := 65; at < len(whole); at++ {
		for _, flip := range []byte{1, 0x80, 0xff} {
			broken := bytes.Clone(whole)
			broken[at] ^= flip
			_ = w.raw("sendTransaction", base64.StdEncoding.EncodeToString(broken), config)
			_ = w.raw("simulateTransaction", base64.StdEncoding.EncodeToString(broken), map[string]any{"encoding": "base64"})
		}
		refused(t, w.raw("sendTransaction", base64.StdEncoding.EncodeToString(whole[:at]), config), -32602)
	}
}

func TestABatchIsAnsweredCallByCall(t *testing.T) {
	w := frozen(t)
	answers, err := w.rpc.RPCCallBatch(t.Context(), jsonrpc.RPCRequests{
		jsonrpc.NewRequest("getSlot"), jsonrpc.NewRequest("getWeather"), jsonrpc.NewRequest("getBalance", localUSDC),
	})
	require.NoError(t, err)
	require.Len(t, answers, 3)
	require.Nil(t, answers[0].Error)
	require.Equal(t, -32601, answers[1].Error.Code)
	require.Nil(t, answers[2].Error)
}

func TestWhatIsNoCallIsRefused(t *testing.T) {
	w := frozen(t)
	post := func(body string) (int, string) {
		response, err := http.Post(w.URL, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer response.Body.Close()
		var text bytes.Buffer
		_, err = text.ReadFrom(response.Body)
		require.NoError(t, err)
		return response.StatusCode, text.String()
	}
	for body, code := range map[string]string{"{": "-32700", "[]": "-32600", `{"jsonrpc":"2.0","id":1}`: "-32600", "7": "-32600", `{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}`: "-32602"} {
		status, text := post(body)
		require.Equal(t, http.StatusOK, status, body)
		require.Contains(t, text, code, body)
	}
	status, _ := post(strings.Repeat("x", 60_000))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	response, err := http.Get(w.URL + "/health")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
}

func TestANodeSaysWhatItIs(t *testing.T) {
	w := frozen(t)
	genesis, err := w.rpc.GetGenesisHash(t.Context())
	require.NoError(t, err)
	require.NotContains(t, []string{"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"}, genesis.String(),
		"it is neither mainnet nor devnet")
	health, err := w.rpc.GetHealth(t.Context())
	require.NoError(t, err)
	require.Equal(t, "ok", health)
	version, err := w.rpc.GetVersion(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, version.SolanaCore)
	rent, err := w.rpc.GetMinimumBalanceForRentExemption(t.Context(), 165, rpc.CommitmentFinalized)
	require.NoError(t, err)
	require.Equal(t, uint64(2_039_280), rent)
}
