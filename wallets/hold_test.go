package wallets_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/internal/memo"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// telling is a chain in whose place a test answers what was sent.
type telling struct {
	reporting
	sent  func() error // is called before each answer
	all   []chain.Payment
	calls int
}

func (c *telling) Sent(_ context.Context, after chain.Cursor, _ int) ([]chain.Payment, error) {
	c.calls++
	if c.sent != nil {
		if err := c.sent(); err != nil {
			return nil, err
		}
	}
	for i, p := range c.all {
		if after == "" || after == p.Cursor {
			if after != "" {
				i++
			}
			return c.all[i:], nil
		}
	}
	return nil, nil
}

// setupTelling returns a bench whose chain has sent nothing, as far as it tells.
func setupTelling(t *testing.T) (*bench, *telling) {
	t.Helper()
	c := &telling{}
	b := setup(t, func(config *config) {
		c.reporting = config.chains[ferry.Test].(reporting)
		config.chains[ferry.Test] = c
	})
	return b, c
}

// forgotten is a payment of ours that the store does not know.
func (b *bench) forgotten(from wallets.Wallet) chain.Payment {
	b.t.Helper()
	mark, err := memo.Marks{Sealer: b.config.Sealer}.Write(ferry.Test, memo.Mark{Transfer: forgottenTransfer, Attempt: 3})
	require.NoError(b.t, err)
	return chain.Payment{
		Signature: "forgotten", Memo: memo.Unique("rent", mark), At: b.clock.Now(), Cursor: "1",
		Sources: []chain.Source{{Address: from.PrimaryAddress, Amount: usdc("4")}, {Address: b.stranger(), Amount: usdc("1")}}, Destination: b.stranger(),
	}
}

const forgottenTransfer = "trx_0123456789abcdef0123456789abcdef"

func (b *bench) hold() custody.OutflowHold {
	b.t.Helper()
	h, err := b.OutflowHold(b.t.Context(), ferry.Test)
	require.NoError(b.t, err)
	return h
}

func (b *bench) outflows() []custody.Outflow {
	b.t.Helper()
	open, err := b.Outflows(b.t.Context(), ferry.Test, "", 10)
	require.NoError(b.t, err)
	return open
}

func (b *bench) adopt(s chain.Signature) custody.Outflow {
	b.t.Helper()
	o, err := b.Adopt(b.t.Context(), ferry.Test, s)
	require.NoError(b.t, err)
	return o
}

func TestAStoreThatDoesNotKnowWhatWasSentIsHeld(t *testing.T) {
	b, c := setupTelling(t)
	p := b.forgotten(b.wallet("w"))
	c.all = []chain.Payment{p}
	b.runHolds()
	require.True(t, b.hold().Held)
	require.Equal(t, custody.HoldUnknown, b.hold().Reason)
	open := b.outflows()
	require.Len(t, open, 1)
	require.Equal(t,
		[]any{true, usdc("5"), p.Sources[0].Address, p.Destination, p.Memo, p.At, wallets.TransferID(forgottenTransfer), 3},
		[]any{open[0].Sent, open[0].Amount, open[0].From, open[0].To, open[0].Memo, open[0].At, open[0].Transfer, open[0].Attempt})
	found := b.findings()
	require.Len(t, found, 1)
	require.Equal(t, "unexplained", found[0].Check)
	require.Contains(t, found[0].Text, "5 USDC to "+string(p.Destination))
}

func TestAForgottenPaymentThatMovedNothingHoldsToo(t *testing.T) {
	b, c := setupTelling(t)
	p := b.forgotten(b.wallet("w"))
	p.Sources, p.Destination = nil, ""
	c.all = []chain.Payment{p}
	b.runHolds()
	require.True(t, b.hold().Held)
	require.Equal(t, usdc("0"), b.outflows()[0].Amount)
}

// broken sends something over a chain that breaks its word: what it said can never land, lands.
// It returns the attempt that was given up.
func (b *bench) broken(w wallets.Wallet) outgoing.Attempt {
	b.t.Helper()
	var held [][]byte
	b.chain.send = func(_ context.Context, bytes []byte) error { held = append(held, bytes); return nil }
	sent := b.send(w, b.stranger(), "3")
	b.chain.look = func(_ context.Context, s []chain.Signature) (chain.StatusReport, error) {
		return chain.StatusReport{Statuses: make([]chain.Status, len(s)), FinalizedHeight: 1 << 40}, nil
	}
	b.clock.pass(3 * time.Second)
	b.runDue()
	given := b.attempts(sent)[0]
	require.Equal(b.t, outgoing.AttemptExpired, given.State)
	b.chain.look, b.chain.send = nil, nil
	require.NoError(b.t, b.chain.Send(b.t.Context(), held[0]))
	b.finalize()
	return given
}

func TestAMovementOfOursNamesItsTransfer(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	given, at := b.broken(w), b.custodies()[0]
	marked := b.forgotten(w)
	for name, c := range map[string]struct {
		movement chain.Movement
		transfer wallets.TransferID
		attempt  int
	}{
		"of an attempt that the store knows": {chain.Movement{Signature: given.Signature, Own: true}, given.Transfer, 1},
		"of one that its memo names":         {chain.Movement{Signature: "marked", Memo: marked.Memo, Own: true}, forgottenTransfer, 3},
		"of somebody who copied the memo":    {chain.Movement{Signature: "copied", Memo: marked.Memo}, "", 0},
	} {
		c.movement.Delta = usdc("1").Neg()
		require.NoError(t, b.walletUnits().In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx wallets.Tx) error {
			return b.UnexplainedIn(ctx, tx, at, c.movement, c.movement.Delta)
		}))
		found := false
		for _, o := range b.outflows() {
			if o.Signature == c.movement.Signature {
				found = true
				require.Equal(t, []any{c.transfer, c.attempt}, []any{o.Transfer, o.Attempt}, name)
			}
		}
		require.True(t, found, name)
	}
}

func TestAnAttemptThatWasGivenUpAndYetWasSentHolds(t *testing.T) {
	b := setup(t)
	given := b.broken(b.funded("w", "10"))
	b.restart()
	b.runHolds()
	require.True(t, b.hold().Held)
	open := b.outflows()
	require.Len(t, open, 1)
	require.Equal(t, []any{given.Signature, given.Transfer, 1}, []any{open[0].Signature, open[0].Transfer, open[0].Attempt})
}

func TestWhatWasSentIsVerifiedOnceAndNotBeforeTheChainAnswers(t *testing.T) {
	b, c := setupTelling(t)
	c.all = []chain.Payment{b.forgotten(b.wallet("w"))}
	down := errors.New("rpc: down")
	c.sent = func() error { return down }
	require.ErrorIs(t, b.Verify(t.Context(), ferry.Test), down)
	require.False(t, b.hold().Held)
	c.sent = nil
	require.NoError(t, b.Verify(t.Context(), ferry.Test))
	require.True(t, b.hold().Held)
	asked := c.calls
	require.NoError(t, b.Verify(t.Context(), ferry.Test))
	require.Equal(t, asked, c.calls)
	require.ErrorIs(t, b.Verify(t.Context(), ferry.Live), wallets.ErrNoChain)
}

func TestTwoServersThatVerifyAtOnceNoteAPaymentOnce(t *testing.T) {
	b, c := setupTelling(t)
	c.all = []chain.Payment{b.forgotten(b.wallet("w"))}
	other := b.another()
	c.sent = func() error {
		c.sent = nil
		return other.Verify(t.Context(), ferry.Test)
	}
	require.NoError(t, b.Verify(t.Context(), ferry.Test))
	require.Len(t, b.outflows(), 1)
	require.Equal(t, int64(1), b.hold().Round)
}

func TestAMatchedHoldWaitsForWhatWasNotAdoptedWithoutAFailure(t *testing.T) {
	b, c := setupTelling(t)
	c.all = []chain.Payment{b.forgotten(b.wallet("w"))}
	b.match()
	for range 3 {
		b.clock.pass(2 * time.Minute)
		b.runHolds()
	}
	require.True(t, b.hold().Held)
	b.adopt("forgotten")
	b.runHolds()
	require.False(t, b.hold().Held)
}

func TestAHoldWithoutAChainWaitsWithoutAFailure(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.HoldOutflows(t.Context(), ferry.Live, custody.HoldAsked))
	for range 3 {
		b.clock.pass(matchStep)
		b.runHolds()
	}
	h, err := b.OutflowHold(t.Context(), ferry.Live)
	require.NoError(t, err)
	require.True(t, h.Held)
}

func TestAServerThatStartsMatchesAHoldAnew(t *testing.T) {
	b, c := setupTelling(t)
	c.all = []chain.Payment{b.forgotten(b.wallet("w"))}
	b.match()
	before := b.hold()
	b.restart()
	b.runHolds()
	require.True(t, b.hold().Matched.IsZero())
	require.Equal(t, before.Round+1, b.hold().Round)
	require.Equal(t, before.Since, b.hold().Since)
}

// setupHeld returns a bench with a hold, another server that has started, and the time of leases.
func setupHeld(t *testing.T) (b *bench, other *services, leases *clock) {
	t.Helper()
	leases = &clock{now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	b = setupOn(t, memstore.NewOn(leases))
	other = b.another()
	_, err := other.RunHolds(t.Context(), 10)
	require.NoError(t, err)
	require.NoError(t, b.HoldOutflows(t.Context(), ferry.Test, custody.HoldAsked))
	return b, other, leases
}

func TestAHoldIsTheWorkOfOneServerForAMinute(t *testing.T) {
	b, other, leases := setupHeld(t)
	taken := func() int {
		n, err := other.RunHolds(t.Context(), 10)
		require.NoError(t, err)
		return n
	}
	b.chain.look = func(ctx context.Context, s []chain.Signature) (chain.StatusReport, error) {
		b.chain.look = nil
		leases.pass(59 * time.Second)
		require.Zero(t, taken())
		leases.pass(2 * time.Second)
		require.Equal(t, 1, taken())
		return b.chain.Chain.Statuses(ctx, s)
	}
	b.runHolds()
	require.Nil(t, b.chain.look)
}

func TestAHoldIsMatchedWhenNothingSignedBeforeItCanLandAnyMore(t *testing.T) {
	b := setup(t)
	var height uint64
	b.chain.look = func(_ context.Context, s []chain.Signature) (chain.StatusReport, error) {
		return chain.StatusReport{Statuses: make([]chain.Status, len(s)), FinalizedHeight: height}, nil
	}
	height = 5000
	require.NoError(t, b.HoldOutflows(t.Context(), ferry.Test, custody.HoldAsked))
	for _, c := range []struct {
		height uint64
		held   bool
	}{{5000, true}, {4000, true}, {5600, true}, {5601, false}} {
		height = c.height
		for range 3 {
			b.runHolds()
			b.clock.pass(matchStep)
		}
		require.Equal(t, c.held, b.hold().Held, "at %d", c.height)
	}
}

// steal lets the same transaction take money of some wallets without a transfer.
func (b *bench) steal(signature chain.Signature, amount string, from ...wallets.Wallet) {
	b.t.Helper()
	b.chain.history = func(_ context.Context, _ chain.Address, after chain.Cursor, _ int) ([]chain.Movement, error) {
		if after == chain.Cursor(signature) {
			return nil, nil
		}
		return []chain.Movement{{
			Signature: signature, Mint: sandbox.USDCMint, Supported: true, Delta: usdc(amount).Neg(), At: b.clock.Now(), Cursor: chain.Cursor(signature),
		}}, nil
	}
	for _, w := range from {
		_, err := b.ScanAddress(b.t.Context(), ferry.Test, w.PrimaryAddress)
		require.NoError(b.t, err)
	}
	b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) { return nil, nil }
}

func TestAnOutflowThatGrowsAfterItWasAdoptedIsAdoptedForTheRest(t *testing.T) {
	b := setup(t)
	one, two := b.funded("one", "10"), b.funded("two", "10")
	b.steal("stolen", "4", one)
	b.match()
	first := b.adopt("stolen")
	require.Equal(t, usdc("4").Neg(), first.Booked)
	require.Empty(t, b.findings())
	b.clock.pass(time.Minute)
	require.Equal(t, first, b.adopt("stolen"), "an adopted one is adopted once")

	b.steal("stolen", "1", two)
	require.Len(t, b.outflows(), 1, "it is open again")
	b.match()
	second := b.adopt("stolen")
	require.Equal(t, usdc("5").Neg(), second.Booked)
	require.Empty(t, b.findings())
	require.Equal(t, usdc("5").Neg(), look(b, func(ctx context.Context, tx store.Tx) (money.Amount, error) {
		return ledger.Sum(ctx, tx.Ledger(), ledger.SystemAccount(ferry.Test, ledger.Suspense, wallets.Asset))
	}))
}

func TestAWalletThatItsBusinessSuspendedStaysSuspendedByItAloneAfterAnAdoption(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	require.NoError(t, b.setStatus(w, wallets.Suspended))
	b.steal("stolen", "4", w)
	require.Equal(t, wallets.ByBoth, b.get(w).SuspendedBy)
	b.match()
	b.adopt("stolen")
	require.Equal(t, wallets.ByBusiness, b.get(w).SuspendedBy)
	require.NoError(t, b.setStatus(w, wallets.Active))
}

func TestAReleasedWalletIsToldAsItIsKept(t *testing.T) {
	for _, to := range []wallets.Status{wallets.Active, wallets.Suspended} {
		b := setup(t)
		w := b.funded("w", "10")
		require.NoError(t, b.setStatus(w, to))
		b.steal("stolen", "4", w)
		released, err := b.ReleaseWallet(t.Context(), home, wallets.WalletRef{ID: string(w.ID)})
		require.NoError(t, err)
		require.Equal(t, to, released.Status)
		require.Equal(t, released, b.get(w).Wallet)
	}
}

func TestAWalletThatWasReleasedStaysActiveAfterAnAdoption(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.steal("stolen", "4", w)
	b.match()
	released, err := b.ReleaseWallet(t.Context(), home, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(t, err)
	b.adopt("stolen")
	require.Equal(t, released, b.get(w).Wallet)
	require.Equal(t, wallets.ByNobody, b.get(w).SuspendedBy)
}

func TestAnAlarmLeavesAClosedWalletClosed(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	require.NoError(t, b.setStatus(w, wallets.Closed))
	closed := b.get(w).Wallet
	b.steal("stolen", "4", w)
	require.Equal(t, closed, b.get(w).Wallet)
	require.Empty(t, b.outflows()[0].Suspended)
	require.True(t, b.hold().Held)
}

func TestAHoldOfAnotherServerIsNotBegunAnew(t *testing.T) {
	b := setup(t)
	b.runHolds()
	other := b.another()
	require.NoError(t, other.HoldOutflows(t.Context(), ferry.Test, custody.HoldAsked))
	b.runHolds()
	require.Equal(t, int64(1), b.hold().Round)
}

func TestAHoldFindsWhatWasSentAfterTheServerVerified(t *testing.T) {
	b, c := setupTelling(t)
	w := b.wallet("w")
	b.runHolds()
	c.all = []chain.Payment{b.forgotten(w)}
	require.NoError(t, b.HoldOutflows(t.Context(), ferry.Test, custody.HoldAsked))
	b.match()
	require.Len(t, b.outflows(), 1)
}

func TestAHoldReadsTheHistoryOfEveryAddress(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	for range 24 {
		b.address(w)
	}
	all := b.custodies()
	require.Len(t, all, 25)
	read, failed := map[chain.Address]bool{}, false
	b.chain.history = func(_ context.Context, a chain.Address, _ chain.Cursor, _ int) ([]chain.Movement, error) {
		if a == all[22].Address && !failed {
			failed = true
			return nil, errors.New("rpc: not now")
		}
		read[a] = true
		return nil, nil
	}
	require.NoError(t, b.HoldOutflows(t.Context(), ferry.Test, custody.HoldAsked))
	for range 60 {
		_, _ = b.RunHolds(t.Context(), 10)
		b.clock.pass(matchStep)
	}
	require.False(t, b.hold().Held)
	require.True(t, failed)
	require.Len(t, read, 25)
}

func TestAServerThatLostItsTurnChangesNoHold(t *testing.T) {
	b, other, leases := setupHeld(t)
	at := func(height uint64) (chain.StatusReport, error) {
		return chain.StatusReport{FinalizedHeight: height}, nil
	}
	b.chain.look = func(context.Context, []chain.Signature) (chain.StatusReport, error) {
		b.chain.look = func(context.Context, []chain.Signature) (chain.StatusReport, error) { return at(7000) }
		leases.pass(61 * time.Second)
		_, err := other.RunHolds(t.Context(), 10)
		require.NoError(t, err)
		return at(5000)
	}
	b.runHolds()
	require.Equal(t, uint64(7000), b.hold().Height)
}

func TestAMovementThatNothingExplainsSuspendsTheWalletUnlessItOnlyReceived(t *testing.T) {
	for delta, by := range map[int64]wallets.Suspender{-1: wallets.ByAlarm, 0: wallets.ByAlarm, 1: wallets.ByNobody} {
		b := setup(t)
		w := b.wallet("w")
		at := b.custodies()[0]
		require.NoError(t, b.walletUnits().In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx wallets.Tx) error {
			return b.UnexplainedIn(ctx, tx, at, chain.Movement{Signature: "unknown", Supported: true, At: b.clock.Now()}, money.USDC(delta))
		}))
		require.Equal(t, by, b.get(w).SuspendedBy, "after %d", delta)
		require.True(t, b.hold().Held)
	}
}

func TestAReleaseWithoutAHoldDoesNothing(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.ReleaseOutflows(t.Context(), ferry.Test))
	require.Equal(t, custody.OutflowHold{Env: ferry.Test}, b.hold())
}

func TestWhatWaitedForAHoldIsDueWhenItEnds(t *testing.T) {
	b, c := setupTelling(t)
	w := b.funded("w", "10")
	c.all = []chain.Payment{b.forgotten(w)}
	sent := b.send(w, b.stranger(), "1")
	b.match()
	b.runDue()
	require.Zero(t, b.runDue(), "it looks again later")
	b.adopt("forgotten")
	b.runHolds()
	require.False(t, b.hold().Held)
	require.Equal(t, 1, b.runDue())
	require.Equal(t, 1, b.transfer(sent).Attempts)
}

func TestAHoldThatIsBegunAnewTakesNothingOverFromBefore(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.HoldOutflows(t.Context(), ferry.Test, custody.HoldAsked))
	b.chain.look = func(context.Context, []chain.Signature) (chain.StatusReport, error) {
		require.NoError(t, b.HoldOutflows(t.Context(), ferry.Test, custody.HoldAsked))
		return chain.StatusReport{FinalizedHeight: 5000}, nil
	}
	b.runHolds()
	require.Zero(t, b.hold().Height)
	require.Equal(t, int64(2), b.hold().Round)
}
