//go:build localnet

package solana_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/chaintest"
	"github.com/ferrypay/ferry/sandbox"
)

// simulated is the simulated chain as chaintest asks for one.
type simulated struct{ *sandbox.World }

func (s simulated) Deposit(ctx context.Context, to chain.Address, amount money.Amount) (chain.Signature, error) {
	return s.World.Deposit(ctx, sandbox.DepositParams{To: to, Amount: amount})
}

func (s simulated) DepositOther(context.Context, chain.Address, int64) (chain.Signature, chain.Address, error) {
	panic("no story has another token")
}

func (s simulated) TokenAccount(_ context.Context, owner, mint chain.Address) (chain.Address, error) {
	return sandbox.TokenAccount(owner, mint), nil
}

func (s simulated) Landmarks(ctx context.Context) (chaintest.Landmarks, error) {
	payer, err := s.FeePayer(ctx)
	return chaintest.Landmarks{Mint: sandbox.USDCMint, FeePayer: payer}, err
}

func (s simulated) Pass(ctx context.Context, blocks int) error {
	_, err := s.Advance(ctx, time.Duration(blocks)*sandbox.SlotTime)
	return err
}

// told is what a story comes to, in words that do not depend on keys or slots.
type told struct {
	Paid     []bool // by payment: whether it moved money
	Failed   []bool // by payment: whether it landed with an error
	Deltas   [][]int64
	Memos    [][]string // of the payments among the movements
	Others   [][]int    // by movement: the person on the other side, or -1
	Holdings []int64
	Sent     []string // the memos of what was sent, in order
}

// story plays a random story of deposits and payments between some people, and tells what came of
// it. Each step is final before the next.
func story(t *testing.T, s chaintest.Subject, number uint64) (end told) {
	random, c := rand.New(rand.NewPCG(number, 1)), s.Chain()
	var people []chain.Address
	keys := map[chain.Address]chain.Seed{}
	for range 4 {
		k := seed(t)
		people, keys[k.Address()] = append(people, k.Address()), k
	}
	landmarks, err := s.Landmarks(t.Context())
	require.NoError(t, err)
	for step := range 14 {
		to := people[random.IntN(len(people))]
		if random.IntN(3) == 0 {
			_, err := s.Deposit(t.Context(), to, money.USDC(1+random.Int64N(20)))
			require.NoError(t, err)
			require.NoError(t, s.Pass(t.Context(), 45))
			continue
		}
		transfer, ring := chain.Transfer{Destination: to, Memo: string(rune('a' + step))}, []chain.Seed{}
		from := slices.Clone(people)
		random.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		for _, a := range from[:1+random.IntN(3)] {
			transfer.Sources = append(transfer.Sources, chain.Source{Address: a, Amount: money.USDC(1 + random.Int64N(8))})
			ring = append(ring, keys[a])
		}
		if held, err := c.Holdings(t.Context(), []chain.Address{to}); random.IntN(4) == 0 && err == nil && held.Amounts[0].Sign() > 0 {
			transfer.Destination, err = s.TokenAccount(t.Context(), to, landmarks.Mint)
			require.NoError(t, err)
		}
		signed, err := c.Sign(t.Context(), transfer, chain.NewKeyring(ring...))
		require.NoError(t, err)
		for range 1 + random.IntN(3) {
			_ = c.Send(t.Context(), signed.Bytes)
		}
		require.NoError(t, s.Pass(t.Context(), 45))
		report, err := c.Statuses(t.Context(), []chain.Signature{signed.Signature})
		require.NoError(t, err)
		status := report.Statuses[0]
		end.Paid, end.Failed = append(end.Paid, status.Commitment == chain.Finalized && status.Err == ""), append(end.Failed, status.Err != "")
	}
	for _, a := range people {
		var deltas []int64
		var memos []string
		var others []int
		for m, err := range chain.Movements(t.Context(), c, a, "") {
			require.NoError(t, err)
			deltas = append(deltas, m.Delta.Minor())
			if m.Own {
				memos = append(memos, m.Memo)
			}
			if m.Delta.Sign() < 0 {
				others = append(others, slices.Index(people, m.Counterparty))
			}
		}
		end.Deltas, end.Memos, end.Others = append(end.Deltas, deltas), append(end.Memos, memos), append(end.Others, others)
	}
	held, err := c.Holdings(t.Context(), people)
	require.NoError(t, err)
	for _, amount := range held.Amounts {
		end.Holdings = append(end.Holdings, amount.Minor())
	}
	sent, err := c.Sent(t.Context(), "", 100)
	require.NoError(t, err)
	for _, p := range sent {
		if p.Memo != "" {
			end.Sent = append(end.Sent, p.Memo)
		}
	}
	return end
}

func TestTheSimulatedChainAndTheRealOneTellTheSameStories(t *testing.T) {
	for number := range uint64(25) {
		world := sandbox.New(sandbox.Config{Seed: number})
		want := story(t, simulated{world}, number)
		got := story(t, newSubject(t), number)
		require.Equal(t, want, got, "story %d", number)
	}
}
