//go:build localnet

package localnet_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// payment is a transfer of lamports that can land.
func (w world) payment(payer solana.PrivateKey, lamports uint64) *solana.Transaction {
	w.t.Helper()
	return w.signed([]solana.PrivateKey{payer}, give(payer.PublicKey(), payer.PublicKey(), lamports))
}

func TestDroppedSubmissionsNeverLand(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	w.Drop(2)
	first, second, third := w.sent(w.payment(payer, 1)), w.sent(w.payment(payer, 2)), w.sent(w.payment(payer, 3))
	w.Settle()
	require.Nil(t, w.status(first))
	require.Nil(t, w.status(second))
	require.NotNil(t, w.status(third))
}

func TestADroppedSubmissionLandsWhenItIsSentAgain(t *testing.T) {
	w := frozen(t)
	tx := w.payment(w.rich(sol), 1)
	w.Drop(1)
	w.sent(tx)
	w.Produce(2)
	require.Nil(t, w.status(tx.Signatures[0]))
	w.sent(tx)
	w.Produce(1)
	require.NotNil(t, w.status(tx.Signatures[0]))
}

func TestALateSubmissionLandsSomeSlotsLater(t *testing.T) {
	w := frozen(t)
	tx := w.payment(w.rich(sol), 1)
	w.Delay(1, 10)
	w.sent(tx)
	at := w.Advance(10)
	require.Nil(t, w.status(tx.Signatures[0]))
	require.Equal(t, 1, at.Waiting)
	w.sent(tx) // it waits already, and keeps its fate
	w.Advance(1)
	require.Equal(t, at.Slot+1, w.status(tx.Signatures[0]).Slot)
}

func TestALostForkTakesAConfirmedPaymentBack(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	tx, bystander := w.payment(payer, 1), w.payment(payer, 2)
	w.Lose(1, 5, false)
	w.sent(tx)
	w.sent(bystander)
	w.Produce(5)
	require.Equal(t, rpc.ConfirmationStatusConfirmed, w.status(tx.Signatures[0]).ConfirmationStatus)
	w.Produce(1)
	require.Nil(t, w.status(tx.Signatures[0]))
	w.Settle()
	require.Nil(t, w.status(tx.Signatures[0]))
	require.NotNil(t, w.status(bystander.Signatures[0]), "others land again")
	require.Equal(t, sol-5_000, w.balance(payer.PublicKey(), rpc.CommitmentFinalized))
}

func TestALostPaymentMayLandAgain(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	tx := w.payment(payer, 1)
	w.Lose(1, 31, true)
	w.sent(tx)
	w.Produce(31)
	first := w.status(tx.Signatures[0]).Slot
	w.Produce(1)
	require.Nil(t, w.status(tx.Signatures[0]), "lost in the last moment before it is final")
	w.Settle()
	require.Greater(t, w.status(tx.Signatures[0]).Slot, first)
	require.Equal(t, sol-5_000, w.balance(payer.PublicKey(), rpc.CommitmentFinalized), "it paid once")
}

func TestALostPaymentOnALostBlockhashDoesNotLandAgain(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	w.Produce(1)
	tx := w.payment(payer, 1)
	w.sent(tx)
	w.Produce(1)
	w.Fork(2, true) // the block of the payment, and that of its blockhash
	w.Settle()
	require.Nil(t, w.status(tx.Signatures[0]))
}

func TestAFinalBlockIsNeverLost(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	tx := w.payment(payer, 1)
	w.sent(tx)
	w.Produce(1)
	w.Produce(32)
	require.Equal(t, rpc.ConfirmationStatusFinalized, w.status(tx.Signatures[0]).ConfirmationStatus)
	final := w.Advance(0).Block - 32
	w.Fork(32, false)
	for range 3 {
		slot, err := w.rpc.GetSlot(t.Context(), rpc.CommitmentFinalized)
		require.NoError(t, err)
		require.Equal(t, final, slot, "what is final stays final when the fork above it is lost")
		require.Equal(t, rpc.ConfirmationStatusFinalized, w.status(tx.Signatures[0]).ConfirmationStatus)
		w.Produce(1)
	}
}

func TestTheAnswerIsLostAfterTheEffect(t *testing.T) {
	w := frozen(t)
	tx := w.payment(w.rich(sol), 1)
	w.Fail(localnet.Fault{Kind: localnet.AnswerLost, Calls: 1, Methods: []string{"sendTransaction"}})
	_, err := w.send(tx)
	require.Error(t, err)
	w.Settle()
	require.NotNil(t, w.status(tx.Signatures[0]), "it paid nevertheless")
}

func TestCallsFailAsTheyDoAtPublicNodes(t *testing.T) {
	w := frozen(t)
	slot := func() error {
		_, err := w.rpc.GetSlot(t.Context(), "")
		return err
	}
	var refusal *jsonrpc.RPCError
	var status *jsonrpc.HTTPError

	w.Fail(localnet.Fault{Kind: localnet.TooManyRequests, Calls: 1})
	err := slot()
	require.True(t, errors.As(err, &status) && status.Code == 429 || errors.As(err, &refusal) && refusal.Code == 429, "%v", err)

	w.Fail(localnet.Fault{Kind: localnet.Unavailable, Calls: 2})
	require.NoError(t, slot(), "solana-go takes 503 with {} for a success")
	require.NoError(t, slot())

	w.Fail(localnet.Fault{Kind: localnet.Cut, Calls: 1, Methods: []string{"getSlot"}})
	require.ErrorContains(t, slot(), "reset")
	w.Fail(localnet.Fault{Kind: localnet.Garbage, Calls: 1})
	require.ErrorContains(t, slot(), "invalid character")
	w.Fail(localnet.Fault{Kind: localnet.Behind, Calls: 1})
	require.Contains(t, refused(t, slot(), -32005).Data, "numSlotsBehind")

	w.Fail(localnet.Fault{Kind: localnet.Timeout, Calls: 1})
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = w.rpc.GetSlot(short, "")
	require.ErrorIs(t, err, context.DeadlineExceeded)

	w.Fail(localnet.Fault{Kind: localnet.Unavailable, Calls: 5, Methods: []string{"sendTransaction"}})
	require.NoError(t, slot())
	at, err := w.rpc.GetSlot(t.Context(), "")
	require.NoError(t, err)
	require.Positive(t, at, "other methods answer")
	w.Mend()
}

func TestAFailedCallHasTheStatusAndTheHeader(t *testing.T) {
	w := frozen(t)
	for kind, code := range map[localnet.Kind]int{localnet.TooManyRequests: 429, localnet.Unavailable: 503} {
		w.Fail(localnet.Fault{Kind: kind, Calls: 1, RetryAfter: 3 * time.Second})
		response, err := http.Post(w.URL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getSlot"}`))
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, code, response.StatusCode)
		require.Equal(t, "3", response.Header.Get("Retry-After"))
	}
}

func TestALaggingNodeAnswersAsOfEarlier(t *testing.T) {
	w := frozen(t)
	lagging := on(t, w.Peer())
	payer := w.rich(sol)
	lagging.Lag(10)
	old := w.blockhash(rpc.CommitmentFinalized).Blockhash
	_, err := lagging.send(sign(t, old, []solana.PrivateKey{payer}, []solana.Instruction{give(payer.PublicKey(), payer.PublicKey(), 1)}))
	require.NoError(t, err, "it knows the blockhash")

	w.Produce(1)
	tx := w.payment(payer, 2)
	_, err = lagging.send(tx)
	require.Equal(t, "BlockhashNotFound", because(refused(t, err, -32002)), "a fresh blockhash is unknown to it")
	lagging.force(tx)
	w.Produce(9)
	require.NotNil(t, w.status(tx.Signatures[0]), "what it is given reaches the chain")
	require.Nil(t, lagging.status(tx.Signatures[0]))
	height := func(n world, c rpc.CommitmentType) uint64 {
		h, err := n.rpc.GetBlockHeight(t.Context(), c)
		require.NoError(t, err)
		return h
	}
	require.Equal(t, height(w, rpc.CommitmentProcessed)-10, height(lagging, rpc.CommitmentProcessed))
	require.Equal(t, height(w, rpc.CommitmentFinalized)-10, height(lagging, rpc.CommitmentFinalized))
	w.Produce(2)
	require.Equal(t, rpc.ConfirmationStatusProcessed, lagging.status(tx.Signatures[0]).ConfirmationStatus)
	require.Equal(t, rpc.ConfirmationStatusConfirmed, w.status(tx.Signatures[0]).ConfirmationStatus)

	_, err = lagging.rpc.GetHealth(t.Context())
	require.NoError(t, err)
	w.Produce(150)
	lagging.Lag(140)
	_, err = lagging.rpc.GetHealth(t.Context())
	refused(t, err, -32005)
	_, err = lagging.send(w.payment(payer, 3))
	require.Error(t, err)
	lagging.Lag(0)
	require.Equal(t, height(w, rpc.CommitmentProcessed), height(lagging, rpc.CommitmentProcessed))
}

func TestALyingNodeDeniesWhatLanded(t *testing.T) {
	w := frozen(t)
	liar := on(t, w.Peer())
	payer := w.rich(sol)
	paid := w.sent(w.payment(payer, 1))
	liar.Deny(paid.String())
	w.Settle()
	found, err := liar.rpc.GetSignatureStatuses(t.Context(), true, paid)
	require.NoError(t, err)
	require.Nil(t, found.Value[0])
	_, err = liar.rpc.GetTransaction(t.Context(), paid, nil)
	require.ErrorIs(t, err, rpc.ErrNotFound)
	list, err := liar.rpc.GetSignaturesForAddress(t.Context(), payer.PublicKey())
	require.NoError(t, err)
	require.Len(t, list, 1, "the airdrop alone")
	require.NotNil(t, w.status(paid), "the other node is honest")
}

func TestCallsAreCountedByMethodAndNode(t *testing.T) {
	w := frozen(t)
	peer := on(t, w.Peer())
	for range 3 {
		w.balance(usdc, "")
	}
	peer.status(solana.Signature{1})
	_, err := w.rpc.RPCCallBatch(t.Context(), jsonrpc.RPCRequests{jsonrpc.NewRequest("getSlot"), jsonrpc.NewRequest("getSlot")})
	require.NoError(t, err)
	w.Fail(localnet.Fault{Kind: localnet.AnswerLost, Calls: 1})
	_, err = w.rpc.GetSlot(t.Context(), "")
	require.Error(t, err)
	require.Equal(t, map[string]int{"getBalance": 3, "getSlot": 3}, w.Calls())
	require.Equal(t, map[string]int{"getSignatureStatuses": 1}, peer.Calls())
	w.ResetCalls()
	require.Empty(t, w.Calls())
}
