package wallets_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

var errCrash = errors.New("the process died")

// shaky is a backend under a process that dies now and then: before a unit, or
// after its commit and before anybody heard of it.
type shaky struct {
	store.Backend
	dice  *rand.Rand
	often float64 // how often, of a unit
}

func (s *shaky) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if s.dice.Float64() < s.often {
		return errCrash
	}
	if err := s.Backend.Write(ctx, body); err != nil {
		return err
	}
	if s.dice.Float64() < s.often {
		return errCrash
	}
	return nil
}

// faults are those of the chain that may strike at any time.
var faults = []sandbox.Kind{
	sandbox.Unavailable, sandbox.AnswerLost, sandbox.SubmissionLost, sandbox.LandedLate, sandbox.ForkDropped,
	sandbox.ForkLandedAgain, sandbox.ProgramError, sandbox.FalseError, sandbox.AlreadyProcessed, sandbox.DeadBlockhash,
	sandbox.Lagging, sandbox.HeightJump, sandbox.Duplicate,
}

// storm is a bench on which everything goes wrong.
type storm struct {
	*bench
	backend   *shaky
	wallets   []wallets.Wallet
	strangers []chain.Address
}

func newStorm(t *testing.T, rt *rapid.T) *storm {
	dice := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "dice"), 0))
	backend := &shaky{Backend: memstore.New(), dice: dice}
	b := setupOn(t, backend, func(c *config) {
		c.Lease = time.Nanosecond
		if rapid.Bool().Draw(rt, "silent") {
			silent(c)
		}
	})
	s := &storm{bench: b, backend: backend}
	for _, reference := range []string{"a", "b", "c"} {
		w := b.walletOf(home, reference)
		b.deposit(w.PrimaryAddress, "20")
		s.wallets = append(s.wallets, w)
	}
	s.wallets = append(s.wallets, b.walletOf(away, "d"))
	s.strangers = []chain.Address{b.stranger(), b.stranger()}
	if rapid.Bool().Draw(rt, "few sources") {
		b.chain.maxMemo = func(sources int) int { return b.chain.Chain.MaxMemo(sources) - 600*(sources-1) }
	}
	return s
}

// step does one thing that may happen, and ignores how it ends.
func (s *storm) step(rt *rapid.T) {
	ctx := s.t.Context()
	from := rapid.SampledFrom(s.wallets).Draw(rt, "from")
	amount := money.USDC(rapid.Int64Range(10_000, 9_000_000).Draw(rt, "amount"))
	switch rapid.SampledFrom([]string{
		"pass", "pass", "run", "run", "sweep", "deposit", "send", "send", "move", "fault", "fault", "crash", "shake", "still",
	}).Draw(rt, "what") {
	case "pass":
		s.clock.pass(time.Duration(rapid.IntRange(400, 90_000).Draw(rt, "ms")) * time.Millisecond)
	case "run":
		_, _ = s.RunDue(ctx, 10)
	case "sweep":
		_, _ = s.Sweep(ctx, 10)
	case "deposit":
		_, _ = s.world.Deposit(ctx, sandbox.DepositParams{To: from.PrimaryAddress, Amount: amount})
	case "send":
		to := rapid.SampledFrom(s.strangers).Draw(rt, "to")
		_, _ = s.Transfer(ctx, from.Scope, outgoing.TransferParams{From: string(from.PrimaryAddress), To: string(to), Amount: amount})
	case "move":
		to := rapid.SampledFrom(s.wallets).Draw(rt, "to")
		_, _ = s.Transfer(ctx, from.Scope, outgoing.TransferParams{From: string(from.PrimaryAddress), To: string(to.PrimaryAddress), Amount: amount})
	case "fault":
		s.inject(rapid.SampledFrom(faults).Draw(rt, "fault"), rapid.IntRange(1, 3).Draw(rt, "count"))
	case "crash":
		s.restart()
	case "shake":
		s.backend.often = 0.15
	case "still":
		s.backend.often = 0
	}
}

// calm ends the storm and lets everything come to its end.
func (s *storm) calm() {
	s.backend.often = 0
	require.NoError(s.t, s.world.Calm(s.t.Context()))
	s.restart()
	s.settle()
	s.outlast()
	s.sweep()
	s.sweep()
}

func TestNoMoneyIsLostOrMovedTwiceWhateverGoesWrong(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newStorm(t, rt)
		for range rapid.IntRange(10, 80).Draw(rt, "steps") {
			s.step(rt)
			s.noOverdraft()
		}
		s.calm()
		s.clean()
		s.paidOnce()
	})
}

// noOverdraft checks that the books are right at any time.
func (s *storm) noOverdraft() {
	s.t.Helper()
	require.Empty(s.t, s.findings())
}

// paidOnce checks every transfer against the true chain: a success landed once,
// a failure never, and strangers have what was sent to them and no more.
func (s *storm) paidOnce() {
	s.t.Helper()
	sent := map[chain.Address]int64{}
	for _, line := range append(s.lines(home, wallets.TransactionQuery{}), s.lines(away, wallets.TransactionQuery{})...) {
		if line.Direction != wallets.Out {
			continue
		}
		t := s.transfer(outgoing.Transfer{Scope: line.Scope, ID: line.Transfer})
		require.NotEqual(s.t, wallets.Pending, t.Status)
		landed := s.landed(t)
		if t.Kind == outgoing.External && t.Status == wallets.Success {
			require.Equal(s.t, 1, landed)
			sent[t.To] += t.Amount.Minor()
		} else {
			require.Zero(s.t, landed)
		}
	}
	for _, stranger := range s.strangers {
		require.Equal(s.t, money.USDC(sent[stranger]), s.holds(stranger))
	}
}

// landed counts the attempts of a transfer that the true chain has.
func (s *storm) landed(t outgoing.Transfer) int {
	s.t.Helper()
	count := 0
	for _, a := range s.attempts(t) {
		seen, err := s.chain.Chain.Statuses(s.t.Context(), []chain.Signature{a.Signature})
		require.NoError(s.t, err)
		if status := seen.Statuses[0]; status.Found && status.Err == "" {
			require.Equal(s.t, outgoing.AttemptLanded, a.State)
			count++
		}
	}
	return count
}
