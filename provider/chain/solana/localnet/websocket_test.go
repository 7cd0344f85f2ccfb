//go:build localnet

package localnet_test

import (
	"context"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/ws"
	"github.com/stretchr/testify/require"
)

// listen connects to the WebSocket of a node.
func (w world) listen() *ws.Client {
	w.t.Helper()
	client, err := ws.Connect(w.t.Context(), w.WebSocket)
	require.NoError(w.t, err)
	w.t.Cleanup(client.Close)
	return client
}

// until waits until the node has taken so many subscriptions of a kind.
func (w world) until(method string, times int) {
	w.t.Helper()
	require.Eventually(w.t, func() bool { return w.Calls()[method] >= times }, 5*time.Second, time.Millisecond)
}

// soon bounds how long a notification may take.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestAnAccountIsToldWhenItChanges(t *testing.T) {
	w := frozen(t)
	_, account := w.holder(0)
	processed, err := w.listen().AccountSubscribe(account, rpc.CommitmentProcessed)
	require.NoError(t, err)
	finalized, err := w.listen().AccountSubscribe(account, rpc.CommitmentFinalized)
	require.NoError(t, err)
	w.until("accountSubscribe", 2)
	w.MintUSDC(account.String(), 7)
	at := w.Produce(1)
	told, err := processed.Recv(soon(t))
	require.NoError(t, err)
	require.Equal(t, at.Block, told.Context.Slot)
	require.EqualValues(t, 7, told.Value.Data.GetBinary()[64])

	w.MintUSDC(account.String(), 1)
	w.Produce(32)
	told, err = finalized.Recv(soon(t))
	require.NoError(t, err)
	require.EqualValues(t, 7, told.Value.Data.GetBinary()[64], "as of the final block, not of the newest")
}

func TestASignatureIsToldOnceItReachesItsCommitment(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	tx := w.payment(payer, 1)
	subscribe := func(c rpc.CommitmentType) *ws.SignatureSubscription {
		s, err := w.listen().SignatureSubscribe(tx.Signatures[0], c)
		require.NoError(t, err)
		return s
	}
	confirmed := subscribe(rpc.CommitmentConfirmed)
	w.until("signatureSubscribe", 1)
	w.sent(tx)
	landed := w.Produce(3).Block - 2
	told, err := confirmed.Recv(soon(t))
	require.NoError(t, err)
	require.Equal(t, landed, told.Context.Slot)
	require.Nil(t, told.Value.Err)

	_, err = subscribe(rpc.CommitmentProcessed).Recv(soon(t))
	require.NoError(t, err, "one that landed before is told at once")
}

func TestLogsAreToldOfAllOrOfOneAccount(t *testing.T) {
	w := frozen(t)
	one, other := w.rich(sol), w.rich(sol)
	client := w.listen()
	all, err := client.LogsSubscribe(ws.LogsSubscribeFilterAll, rpc.CommitmentProcessed)
	require.NoError(t, err)
	mine, err := client.LogsSubscribeMentions(one.PublicKey(), rpc.CommitmentProcessed)
	require.NoError(t, err)
	w.until("logsSubscribe", 2)
	first, second := w.sent(w.payment(other, 1)), w.sent(w.payment(one, 1))
	w.Produce(1)
	for _, want := range []solana.Signature{first, second} {
		told, err := all.Recv(soon(t))
		require.NoError(t, err)
		require.Equal(t, want, told.Value.Signature)
		require.NotEmpty(t, told.Value.Logs)
	}
	told, err := mine.Recv(soon(t))
	require.NoError(t, err)
	require.Equal(t, second, told.Value.Signature)
}

func TestSlotsAreToldUntilNobodyListens(t *testing.T) {
	w := frozen(t)
	slots, err := w.listen().SlotSubscribe()
	require.NoError(t, err)
	w.until("slotSubscribe", 1)
	at := w.Produce(1)
	told, err := slots.Recv(soon(t))
	require.NoError(t, err)
	require.Equal(t, ws.SlotResult{Slot: at.Block, Parent: at.Block - 1, Root: at.Block - 32}, *told)
	slots.Unsubscribe()
	w.until("slotUnsubscribe", 1)
}

func TestAMutedWebSocketTakesSubscriptionsAndTellsNothing(t *testing.T) {
	w := frozen(t)
	w.Mute(true)
	slots, err := w.listen().SlotSubscribe()
	require.NoError(t, err)
	w.until("slotSubscribe", 1)
	w.Produce(1)
	w.Mute(false)
	at := w.Produce(1)
	told, err := slots.Recv(soon(t))
	require.NoError(t, err)
	require.Equal(t, at.Block, told.Slot, "what it missed is not told later")
}

func TestARefusedSubscriptionIsAnError(t *testing.T) {
	w := frozen(t)
	logs, err := w.listen().LogsSubscribe("some", rpc.CommitmentProcessed)
	require.NoError(t, err)
	select { // Recv may as well say that the subscription has ended
	case err = <-logs.Err():
		require.ErrorContains(t, err, "-32602")
	case <-soon(t).Done():
		require.Fail(t, "no answer")
	}
}

func TestAForkIsToldAnew(t *testing.T) {
	w := frozen(t)
	payer := w.rich(sol)
	client := w.listen()
	logs, err := client.LogsSubscribeMentions(payer.PublicKey(), rpc.CommitmentProcessed)
	require.NoError(t, err)
	w.until("logsSubscribe", 1)
	w.sent(w.payment(payer, 1))
	first := w.Produce(1)
	w.Fork(1, true)
	second := w.Produce(1)
	for _, at := range []uint64{first.Block, second.Block} {
		told, err := logs.Recv(soon(t))
		require.NoError(t, err)
		require.Equal(t, at, told.Context.Slot)
	}
}
