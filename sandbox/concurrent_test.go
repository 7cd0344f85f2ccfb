package sandbox_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

func TestManyUseOneWorldThroughSeveralServersAtOnce(t *testing.T) {
	store := sandbox.NewMemory()
	servers := []*sandbox.World{newWorld(t, store), newWorld(t, store), newWorld(t, store)}
	from, keys := address(t, 1)
	to, _ := address(t, 2)
	const payments = 20
	_, err := servers[0].Deposit(t.Context(), sandbox.DepositParams{To: from, Amount: money.USDC(payments - 5)})
	require.NoError(t, err)
	pass(t, servers[0], 10)

	var working sync.WaitGroup
	for n := range payments {
		working.Go(func() {
			w := servers[n%len(servers)]
			signed, err := w.Chain().Sign(t.Context(), chain.Transfer{
				Sources: []chain.Source{{Address: from, Amount: money.USDC(1)}}, Destination: to, Memo: fmt.Sprint(n),
			}, keys)
			if err != nil {
				t.Error(err)
				return
			}
			for _, w := range servers {
				if err := w.Chain().Send(t.Context(), signed.Bytes); err != nil {
					t.Error(err)
				}
				w.Clock().Now()
			}
		})
		working.Go(func() {
			if _, err := servers[0].Advance(t.Context(), sandbox.SlotTime); err != nil {
				t.Error(err)
			}
		})
	}
	working.Wait()
	pass(t, servers[0], 10)
	for _, w := range servers {
		left, err := w.Balance(t.Context(), from)
		require.NoError(t, err)
		require.Zero(t, left.Minor())
		moves, err := w.Chain().History(t.Context(), to, "", 100)
		require.NoError(t, err)
		require.Len(t, moves, payments-5, "what could be paid was paid, each once")
	}
}

func BenchmarkPayment(b *testing.B) {
	w := sandbox.New(sandbox.Config{Clock: newStill()})
	from, keys := address(b, 1)
	to, _ := address(b, 2)
	_, err := w.Deposit(b.Context(), sandbox.DepositParams{To: from, Amount: money.USDC(1 << 50)})
	require.NoError(b, err)
	_, err = w.Advance(b.Context(), 10*sandbox.SlotTime)
	require.NoError(b, err)
	for n := 0; b.Loop(); n++ {
		signed, err := w.Chain().Sign(b.Context(), chain.Transfer{
			Sources: []chain.Source{{Address: from, Amount: money.USDC(1)}}, Destination: to, Memo: fmt.Sprint(n),
		}, keys)
		require.NoError(b, err)
		require.NoError(b, w.Chain().Send(b.Context(), signed.Bytes))
		_, err = w.Advance(b.Context(), sandbox.SlotTime)
		require.NoError(b, err)
		_, err = w.Chain().Statuses(b.Context(), []chain.Signature{signed.Signature})
		require.NoError(b, err)
	}
}
