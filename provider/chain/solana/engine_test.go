//go:build localnet

package solana_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

var (
	transfers = flag.Int("transfers", 120, "how many transfers the storm sends")
	watching  = flag.Int("watching", 10_000, "how many addresses the sweep watches")
)

// house is an engine whose test environment runs on a localnet.
type house struct {
	*engine.Engine
	t     testing.TB
	scope ferry.Scope
	chain *solana.Chain
	node  *localnet.Node
}

// newHouse makes an engine in memory on a chain. The configuration may have a clock.
func newHouse(t testing.TB, c *solana.Chain, node *localnet.Node, config engine.Config) *house {
	config.Store, config.Test, config.Logger = memstore.New(), engine.Providers{Chain: c}, secrets.debug()
	e, err := engine.New(config)
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return &house{e, t, tenant.Business.Scope, c, node}
}

func (h *house) wallet(reference string) wallets.Wallet {
	w, err := h.Wallets.Create(h.t.Context(), h.scope, wallets.CreateParams{Reference: reference})
	require.NoError(h.t, err)
	return w
}

// addresses makes so many addresses of one wallet.
func (h *house) addresses(n int) []chain.Address {
	w := h.wallet("w")
	all := []chain.Address{w.PrimaryAddress}
	for len(all) < n {
		a, err := h.Wallets.CreateAddress(h.t.Context(), h.scope, wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}})
		require.NoError(h.t, err)
		all = append(all, a.Address)
	}
	return all
}

// sweep reads what came in, until nothing new is found.
func (h *house) sweep() {
	for {
		read, err := h.Deposits.Sweep(h.t.Context(), 10_000)
		require.NoError(h.t, err)
		if read == 0 {
			return
		}
	}
}

// watchedKeys is how many keys of addresses become canaries, at most.
const watchedKeys = 20

// agrees requires that books and chain agree, and that the books are sound.
func (h *house) agrees() {
	enough, watched := errors.New("enough"), 0
	_, err := h.EachKey(h.t.Context(), func(_ wallets.Address, s chain.Seed) error {
		if watched++; watched > watchedKeys {
			return enough
		}
		secrets.watch(s)
		return nil
	})
	if !errors.Is(err, enough) {
		require.NoError(h.t, err)
	}
	findings, err := h.Audit(h.t.Context(), ferry.Test)
	require.NoError(h.t, err)
	require.Empty(h.t, findings)
	found, err := h.Custody.Reconcile(h.t.Context(), ferry.Test)
	require.NoError(h.t, err)
	require.Empty(h.t, found.Drifts)
	require.Equal(h.t, found.OnChain, found.Custody)
	require.Empty(h.t, found.InFlight)
}

func TestEveryDepositOfManyAddressesIsCreditedOnceWithFewCalls(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	clock := &dial{now: time.Now().UTC()}
	h := newHouse(t, open(t, node, configOn(t, node)), node, engine.Config{Clock: clock})
	addresses := h.addresses(*watching)
	for range 3 { // a history is read anew for some minutes
		h.sweep()
		clock.pass(5 * time.Minute)
	}
	const deposits = 500
	node.ResetCalls()
	h.sweep()
	require.LessOrEqual(t, total(node.Calls()), *watching/100, "nothing came in")

	for i := range deposits {
		node.MintUSDC(string(addresses[i*len(addresses)/deposits]), 1_000_000)
	}
	node.Settle()
	node.ResetCalls()
	began := time.Now()
	read, err := h.Deposits.Sweep(t.Context(), 10_000)
	require.NoError(t, err)
	t.Logf("a sweep of %d addresses with %d deposits takes %v", len(addresses), deposits, time.Since(began))
	require.Equal(t, deposits, read)
	require.LessOrEqual(t, total(node.Calls()), *watching/100+2*deposits)
	h.sweep()
	require.True(t, h.holds(deposits*1_000_000))
	h.agrees()
}

// holds reports whether the books say that the business has so many millionths of USDC.
func (h *house) holds(micro int64) bool {
	totals, err := h.Engine.Balances(h.t.Context(), h.scope)
	require.NoError(h.t, err)
	return slices.ContainsFunc(totals, func(t ledger.Total) bool { return t.Posted == money.USDC(micro) })
}

func total(calls map[string]int) (n int) {
	for _, of := range calls {
		n += of
	}
	return n
}

// storm gives faults to nodes until it is stopped.
func storm(ctx context.Context, nodes ...*localnet.Node) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []localnet.Kind{localnet.TooManyRequests, localnet.Unavailable, localnet.Cut, localnet.Garbage, localnet.AnswerLost, localnet.Behind}
	for ctx.Err() == nil {
		n := nodes[random.IntN(len(nodes))]
		switch random.IntN(8) {
		case 0:
			n.Drop(1 + random.IntN(3))
		case 1:
			n.Delay(1+random.IntN(3), 20+random.IntN(150))
		case 2:
			n.Lose(1+random.IntN(2), 1+random.IntN(20), random.IntN(2) == 0)
		case 3:
			n.Lag(random.IntN(100))
		case 4:
			n.Skip(random.IntN(20))
		case 5:
			n.Fork(1+random.IntN(5), random.IntN(2) == 0)
		default:
			n.Fail(localnet.Fault{Kind: kinds[random.IntN(len(kinds))], Calls: 1 + random.IntN(5)})
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// send makes a transfer, however long the receiver cannot be looked at.
func (h *house) send(p outgoing.TransferParams) outgoing.Transfer {
	for {
		made, err := h.Outgoing.Transfer(h.t.Context(), h.scope, p)
		if !errors.Is(err, wallets.ErrUnavailable) {
			assert.NoError(h.t, err)
			return made
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestInAStormEveryTransferIsPaidOnceOrNotAtAll(t *testing.T) {
	node := localnet.Start(t, localnet.Options{SlotLength: 5 * time.Millisecond})
	second := node.Peer()
	config := configOn(t, node, second)
	h := newHouse(t, open(t, node, config), node, engine.Config{})
	running, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	working.Go(func() { h.Run(running) })
	t.Cleanup(func() { stop(); working.Wait() })

	const from = 8
	sources := make([]wallets.Wallet, from)
	for i := range sources {
		sources[i] = h.wallet(fmt.Sprintf("w-%d", i))
		node.MintUSDC(string(sources[i].PrimaryAddress), 1_000_000_000)
	}
	require.Eventually(t, func() bool { return h.holds(from * 1_000_000_000) }, time.Minute, 100*time.Millisecond)

	storming, calm := context.WithCancel(t.Context())
	var weather sync.WaitGroup
	weather.Go(func() { storm(storming, node, second) })
	to := make([]chain.Address, 20)
	for i := range to {
		to[i] = seed(t).Address()
	}
	sent := make([]outgoing.Transfer, *transfers)
	var senders sync.WaitGroup
	for sender := range from {
		senders.Go(func() {
			for i := sender; i < len(sent); i += from {
				sent[i] = h.send(outgoing.TransferParams{
					From: string(sources[sender].PrimaryAddress), To: string(to[i%len(to)]), Amount: money.USDC(int64(10_000 + i)), Reference: fmt.Sprintf("t-%d", i),
				})
			}
		})
	}
	senders.Wait()
	time.Sleep(5 * time.Second)
	calm()
	weather.Wait()
	node.Mend()
	second.Mend()
	node.Lag(0)
	second.Lag(0)

	want := map[chain.Address]int64{}
	for i, made := range sent {
		require.Eventually(t, func() bool {
			now, err := h.Outgoing.FindTransfer(t.Context(), h.scope, string(made.ID))
			return err == nil && now.Status == wallets.Success
		}, 3*time.Minute, 50*time.Millisecond, "transfer %d is not paid, though the fault has ended", i)
		want[made.To] += made.Amount.Minor()
	}
	stop()
	working.Wait()
	node.Settle()
	held, err := h.chain.Holdings(t.Context(), to)
	require.NoError(t, err)
	for i, a := range to {
		require.Equal(t, want[a], held.Amounts[i].Minor(), "paid once, each")
	}
	h.sweep()
	h.agrees()
}
