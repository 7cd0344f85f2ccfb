package wallets_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestATransferSurvivesEveryFaultOfTheChain(t *testing.T) {
	for _, c := range []struct {
		kind     sandbox.Kind
		count    int
		attempts int
	}{
		{sandbox.SubmissionLost, 3, 1},   // the same bytes are sent again
		{sandbox.AnswerLost, 1, 1},       // landed, but the answer was lost
		{sandbox.LandedLate, 1, 1},       // at the last valid height
		{sandbox.ForkDropped, 1, 2},      // confirmed, then gone for good
		{sandbox.ForkLandedAgain, 1, 1},  // confirmed, gone, and back
		{sandbox.FalseError, 3, 1},       // "blockhash not found", although accepted
		{sandbox.AlreadyProcessed, 3, 1}, // no failure
		{sandbox.DeadBlockhash, 1, 2},    // never lands, waits out the height
		{sandbox.Lagging, 20, 1},         // a node behind by up to 200 slots
		{sandbox.HeightJump, 1, 1},       // the height jumps when it is sent
		{sandbox.Duplicate, 10, 1},
		{sandbox.Unavailable, 4, 1},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			b := setup(t)
			w, to := b.funded("w", "10"), b.stranger()
			prepared := b.prepare(w, to, "3")
			b.inject(c.kind, c.count)
			sent, err := b.record(prepared)
			require.NoError(t, err)
			require.NoError(t, b.Advance(t.Context(), home, sent.ID))
			require.Equal(t, wallets.Pending, b.transfer(sent).Status)
			b.settleReserved(w, "6.995")
			require.Equal(t, wallets.Success, b.transfer(sent).Status)
			require.Equal(t, usdc("3"), b.holds(to), "paid exactly once")
			if c.kind != sandbox.HeightJump && c.kind != sandbox.Lagging {
				require.Len(t, b.attempts(sent), c.attempts)
			}
			require.Len(t, b.events(home, wallets.EventSent), 1)
			b.finalize()
			b.sweep()
			b.clean()
		})
	}
}

func TestAnErrorThatIsFinalOnTheChainFailsTheTransfer(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	b.inject(sandbox.ProgramError, 1)
	sent := b.send(w, to, "3")
	require.Equal(t, usdc("6.995"), b.balance(w))
	b.clock.pass(2 * sandbox.SlotTime)
	b.clock.pass(2 * time.Second)
	b.settle()

	failed := b.transfer(sent)
	require.Equal(t, wallets.Failed, failed.Status)
	require.NotEmpty(t, failed.Failure)
	require.True(t, failed.ConfirmedAt.IsZero())
	require.Equal(t, usdc("10"), b.balance(w), "amount and fee are free again")
	require.Equal(t, money.USDC(0), b.holds(to))
	require.Len(t, b.attempts(sent), 1, "nothing is signed again")
	require.Equal(t, outgoing.AttemptFailed, b.attempts(sent)[0].State)
	line := b.lines(home, wallets.TransactionQuery{Direction: wallets.Out})[0]
	require.Equal(t, wallets.Failed, line.Status)
	require.Nil(t, line.Balances)
	events := b.events(home, wallets.EventFailed)
	require.Len(t, events, 1)
	require.Empty(t, events[0].Entry)
	require.Equal(t, failed.Failure, b.data(events[0])["failure_reason"])
	require.Equal(t, "failed", b.data(events[0])["status"])
	require.Empty(t, b.events(home, wallets.EventSent))
	b.clean()
}

func TestATransferEndsWhenItsDestinationCanNoLongerReceive(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	b.chain.send = func(context.Context, []byte) error { return nil } // lost for ever
	sent := b.send(w, to, "3")
	require.Len(t, b.attempts(sent), 1)
	b.chain.sign = func() error { return chain.ErrUnusable }
	b.runDue()
	require.Equal(t, wallets.Pending, b.transfer(sent).Status, "its first attempt may still land")

	b.settle()
	failed := b.transfer(sent)
	require.Equal(t, wallets.Failed, failed.Status)
	require.Equal(t, usdc("10"), b.balance(w), "amount and fee are free again")
	require.Equal(t, "the destination can no longer receive", failed.Failure)
	require.Empty(t, failed.Signature)
	require.Len(t, b.attempts(sent), 1)
	require.Equal(t, outgoing.AttemptExpired, b.attempts(sent)[0].State)
	require.Len(t, b.events(home, wallets.EventFailed), 1)
	require.Equal(t, money.USDC(0), b.holds(to))
	b.clean()
}

func TestNoTimerFreesMoney(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.chain.look = func(context.Context, []chain.Signature) (chain.StatusReport, error) {
		return chain.StatusReport{}, chain.ErrUnavailable
	}
	b.chain.send = func(context.Context, []byte) error { return chain.ErrUnavailable }
	sent := b.send(w, b.stranger(), "3")
	for range 100 {
		b.clock.pass(time.Hour)
		b.runDue()
	}
	require.Equal(t, wallets.Pending, b.transfer(sent).Status)
	require.Equal(t, usdc("6.995"), b.balance(w))
	require.Len(t, b.attempts(sent), 1, "an unknown end is never signed again")
	b.clean()
}

func TestAnAttemptIsNotGivenUpBeforeTheMarginIsPast(t *testing.T) {
	t.Run("one that is set", func(t *testing.T) { outliveMargin(t, 40, 40) })
	t.Run("the default", func(t *testing.T) { outliveMargin(t, 0, 32) })
}

// outliveMargin holds that an attempt is given up so many blocks after its last one, with a margin set.
func outliveMargin(t *testing.T, set, margin uint64) {
	b := setup(t, func(c *config) { c.Margin = set })
	w := b.funded("w", "10")
	b.chain.send = func(context.Context, []byte) error { return nil } // lost for ever
	sent := b.send(w, b.stranger(), "3")
	last := b.attempts(sent)[0].LastValidHeight
	height := func() uint64 {
		seen, err := b.chain.Chain.Statuses(t.Context(), []chain.Signature{sent.Signature})
		require.NoError(t, err)
		return seen.FinalizedHeight
	}
	for height() <= last+margin {
		b.runDue()
		require.Len(t, b.attempts(sent), 1, "finalized height %d, last valid %d", height(), last)
		b.clock.pass(sandbox.SlotTime)
	}
	b.clock.pass(2 * time.Second)
	b.runDue()
	attempts := b.attempts(sent)
	require.Len(t, attempts, 2)
	require.Equal(t, outgoing.AttemptExpired, attempts[0].State)
	require.Equal(t, outgoing.AttemptLive, attempts[1].State)
	require.NotEqual(t, attempts[0].Memo, attempts[1].Memo)
	require.NotEqual(t, attempts[0].Signature, attempts[1].Signature)
	require.Equal(t, attempts[1].Signature, b.transfer(sent).Signature)
	require.Equal(t, usdc("6.995"), b.balance(w), "the reservation stays")
	b.clean()
}

func TestSearchAndHistoryMustAgreeBeforeAnAttemptIsGivenUp(t *testing.T) {
	// The search for signatures says falsely that it knows nothing.
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	blind := func(ctx context.Context, s []chain.Signature) (chain.StatusReport, error) {
		seen, err := b.chain.Chain.Statuses(ctx, s)
		seen.Statuses = make([]chain.Status, len(s))
		return seen, err
	}
	sent := b.send(w, to, "3")
	b.chain.look = blind
	b.outlast()
	b.runDue()
	require.Len(t, b.attempts(sent), 1, "the history past the cursor shows it")
	b.sweep()
	b.outlast()
	b.runDue()
	require.Len(t, b.attempts(sent), 1, "the history that was scanned showed it")
	require.True(t, b.attempts(sent)[0].Seen)

	b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) {
		return nil, chain.ErrUnavailable
	}
	other := b.send(w, to, "1")
	b.chain.send = func(context.Context, []byte) error { return nil }
	b.outlast()
	b.runDue()
	require.Len(t, b.attempts(other), 1, "a history that does not answer proves nothing")

	b.chain.look, b.chain.history, b.chain.send = nil, nil, nil
	b.settle()
	require.Equal(t, usdc("4"), b.holds(to))
	b.clean()
}

func TestOnlyFinalizedBlocksEndATransfer(t *testing.T) {
	for _, status := range []chain.Status{
		{Found: true, Commitment: chain.Confirmed},
		{Found: true, Commitment: chain.Processed},
		{Found: true, Commitment: chain.Confirmed, Err: "custom program error: 0x11"},
		{Found: true},
	} {
		b := setup(t)
		w := b.funded("w", "10")
		sent := b.send(w, b.stranger(), "3")
		b.chain.look = func(context.Context, []chain.Signature) (chain.StatusReport, error) {
			return chain.StatusReport{Statuses: []chain.Status{status}, FinalizedHeight: 1 << 40}, nil
		}
		for range 5 {
			b.clock.pass(time.Minute)
			b.runDue()
		}
		require.Equal(t, wallets.Pending, b.transfer(sent).Status)
		require.Len(t, b.attempts(sent), 1)
		require.Equal(t, usdc("6.995"), b.balance(w))
	}
}

func TestAMalformedAnswerOfTheChainIsNoAnswer(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	sent := b.send(w, b.stranger(), "3")
	b.chain.look = func(context.Context, []chain.Signature) (chain.StatusReport, error) {
		return chain.StatusReport{FinalizedHeight: 1 << 40}, nil
	}
	b.outlast()
	b.runDue()
	require.Len(t, b.attempts(sent), 1)
	require.Equal(t, wallets.Pending, b.transfer(sent).Status)
}

func TestWhatSendAnswersIsNoEvidence(t *testing.T) {
	for name, answer := range map[string]error{
		"insufficient funds": errors.New("custom program error: 0x1"),
		"invalid":            errors.New("-32602 invalid params"),
		"nothing":            nil,
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			w, to := b.funded("w", "10"), b.stranger()
			b.chain.send = func(ctx context.Context, bytes []byte) error {
				return errors.Join(b.chain.Chain.Send(ctx, bytes), answer)
			}
			sent := b.send(w, to, "3")
			b.settle()
			require.Equal(t, wallets.Success, b.transfer(sent).Status)
			require.Equal(t, usdc("3"), b.holds(to))
		})
	}
}

func TestAnAttemptThatWasGivenUpAndYetLandsRaisesTheAlarm(t *testing.T) {
	// A chain that breaks its word: what it said can never land, lands.
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	var held [][]byte
	b.chain.send = func(_ context.Context, bytes []byte) error { held = append(held, bytes); return nil }
	sent := b.send(w, to, "3")
	b.chain.look = func(_ context.Context, s []chain.Signature) (chain.StatusReport, error) {
		return chain.StatusReport{Statuses: make([]chain.Status, len(s)), FinalizedHeight: 1 << 40}, nil
	}
	b.clock.pass(3 * time.Second)
	b.runDue()
	require.Len(t, b.attempts(sent), 2)
	b.chain.look, b.chain.send = nil, nil
	require.NoError(t, b.chain.Send(t.Context(), held[0]))
	b.settle()
	require.Equal(t, usdc("6"), b.holds(to), "it was paid twice")
	require.Equal(t, wallets.Suspended, b.get(w).Status)
	require.NotEmpty(t, b.findings())
}

// settleReserved settles and checks on the way that a wallet never has more to
// send than it should while its money is on the way.
func (b *bench) settleReserved(w wallets.Wallet, balance string) {
	b.t.Helper()
	for range 600 {
		require.Equal(b.t, usdc(balance), b.balance(w))
		if len(b.pending()) == 0 {
			return
		}
		b.clock.pass(time.Second)
		b.runDue()
		_, _ = b.Sweep(b.t.Context(), 100)
	}
	require.Empty(b.t, b.pending(), "transfers that never end")
}

func TestWorkThatCannotBeReadKeepsNoOtherFromItsTurn(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	sent, err := b.record(b.prepare(w, b.stranger(), "1"))
	require.NoError(t, err)
	gone := "test/biz_gone/trx_" + strings.Repeat("0", 32)
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for _, key := range []string{"nonsense", gone} {
			if err := tx.Leases().Schedule(ctx, outgoing.QueueTransfers.In(ferry.Test), key, tx.Now().Add(-time.Hour)); err != nil {
				return err
			}
		}
		return nil
	}))
	b.clock.pass(10 * time.Second)
	done, err := b.RunDue(t.Context(), 10)
	require.ErrorContains(t, err, "nonsense")
	require.ErrorIs(t, err, wallets.ErrTransactionNotFound)
	require.Equal(t, 1, done)
	require.NotEmpty(t, b.transfer(sent).Signature)
}
