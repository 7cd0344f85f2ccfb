package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestATransferThatLandedAfterTheBackupIsNotPaidAgain(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, 4*dollar)
	backup := s.backup()
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 4*dollar, s.holds(to))
	signature := s.transfer(sent.ID).Signature

	s.restore(backup, true)
	require.Equal(t, wallets.Pending, s.transfer(sent.ID).Status)
	require.True(t, s.held())
	require.ErrorIs(t, s.Custody.ReleaseOutflows(t.Context(), ferry.Test), outgoing.ErrHeld, "nothing was matched yet")
	s.pass(30 * time.Second)
	_, err := s.Custody.Adopt(t.Context(), ferry.Test, signature)
	require.ErrorIs(t, err, outgoing.ErrHeld, "other addresses may have paid a part")
	s.matched()

	require.True(t, s.held(), "an unknown payment keeps the hold")
	require.ErrorIs(t, s.Custody.ReleaseOutflows(t.Context(), ferry.Test), outgoing.ErrHeld)
	found := s.outflows()
	require.Len(t, found, 1)
	require.Equal(t, signature, found[0].Signature)
	require.Equal(t, sent.ID, found[0].Transfer)
	require.Equal(t, w.PrimaryAddress, found[0].From)
	require.Equal(t, to, found[0].To)
	require.Equal(t, money.USDC(4*dollar), found[0].Amount)
	require.Contains(t, found[0].Memo, "rent ")
	findings, err := s.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.NotEmpty(t, findings)
	require.Equal(t, wallets.Pending, s.transfer(sent.ID).Status)

	adopted, err := s.Custody.Adopt(t.Context(), ferry.Test, signature)
	require.NoError(t, err)
	again, err := s.Custody.Adopt(t.Context(), ferry.Test, signature)
	require.NoError(t, err)
	require.Equal(t, adopted, again, "it is adopted once")
	now := s.transfer(sent.ID)
	require.Equal(t, wallets.Success, now.Status)
	require.Equal(t, signature, now.Signature)
	require.NoError(t, s.Custody.ReleaseOutflows(t.Context(), ferry.Test))
	require.False(t, s.held())
	s.pass(time.Hour)
	require.EqualValues(t, 4*dollar, s.holds(to), "it was paid once")
	require.EqualValues(t, 10*dollar-4*dollar-5000, s.balance(w))
	s.clean()

	// The wallet sends again, and the engine knows what it sends.
	next := s.order(w, to, dollar)
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(next.ID).Status)
	require.False(t, s.held())
	s.clean()
}

func TestAnOlderStoreIsHeldWithoutBeingAsked(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, 4*dollar)
	backup := s.backup()
	s.pass(time.Minute)
	require.EqualValues(t, 4*dollar, s.holds(to))

	s.restore(backup, false)
	require.False(t, s.held(), "nobody has looked yet")
	s.retryOn(s.Engine, sent.ID)
	require.True(t, s.held(), "before anything is signed")
	require.Equal(t, wallets.Pending, s.transfer(sent.ID).Status)
	s.matched()
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.adopt()
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.clean()
}

func TestAHoldLetsEverythingElseGoOn(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	s.restore(s.backup(), true)
	sent, err := s.Outgoing.Transfer(t.Context(), s.scope, outgoing.TransferParams{
		From: string(w.PrimaryAddress), To: string(to), Amount: money.USDC(dollar)})
	require.NoError(t, err)
	require.Equal(t, wallets.Pending, sent.Status)
	require.Empty(t, sent.Signature, "nothing is signed")
	other := s.wallet(2 * dollar)
	require.EqualValues(t, 2*dollar, s.balance(other), "deposits are credited")
	inside, err := s.Outgoing.Transfer(t.Context(), s.scope, outgoing.TransferParams{
		From: string(w.PrimaryAddress), To: string(other.PrimaryAddress), Amount: money.USDC(dollar)})
	require.NoError(t, err)
	require.Equal(t, wallets.Success, inside.Status)
	require.Zero(t, s.holds(to))
	stats, err := s.Stats(t.Context())
	require.NoError(t, err)
	require.True(t, stats.Holds[0].Held)
	require.NoError(t, s.Ping(t.Context()))

	s.matched()
	require.False(t, s.held(), "it ends by itself when nothing is unknown")
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status, "what waited is sent")
	require.EqualValues(t, dollar, s.holds(to))
	s.clean()
}

func TestAHoldOutlivesRestartsAndBindsEveryServer(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, dollar)
	s.restore(s.path, true)
	s.restore(s.path, false)
	require.True(t, s.held())
	s.config.Store = s.store
	other, err := engine.New(s.config)
	require.NoError(t, err)
	s.retryOn(other, sent.ID)
	s.pass(time.Minute)
	require.True(t, s.held())
	require.Zero(t, s.holds(to))
	s.matched()
	s.pass(time.Minute)
	require.EqualValues(t, dollar, s.holds(to))
	s.clean()
}

func TestAnAttemptThatReplacedTheOneInTheBackupIsNotPaidAgain(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.ForkDropped, 1))
	sent := s.order(w, to, 4*dollar)
	s.retryOn(s.Engine, sent.ID)
	require.Equal(t, 1, s.transfer(sent.ID).Attempts)
	backup := s.backup()
	s.pass(5 * time.Minute)
	require.Equal(t, 2, s.transfer(sent.ID).Attempts)
	require.EqualValues(t, 4*dollar, s.holds(to))

	s.restore(backup, true)
	require.Equal(t, 1, s.transfer(sent.ID).Attempts)
	s.matched()
	s.adopt()
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.Equal(t, 2, s.transfer(sent.ID).Attempts)
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.clean()
}

func TestAnAttemptInTheBackupThatLandedIsNoUnknownPayment(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, 4*dollar)
	s.retryOn(s.Engine, sent.ID)
	backup := s.backup()
	s.pass(time.Minute)

	s.restore(backup, true)
	s.matched()
	require.False(t, s.held())
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.clean()
}

func TestAnAttemptInTheBackupIsNotSentWhileHeld(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.SubmissionLost, 1))
	sent := s.order(w, to, 4*dollar)
	s.retryOn(s.Engine, sent.ID)
	s.restore(s.backup(), true)
	s.pass(30 * time.Second)
	require.Zero(t, s.holds(to))
	s.matched()
	s.pass(time.Minute)
	require.False(t, s.held())
	require.EqualValues(t, 4*dollar, s.holds(to), "the next attempt pays")
	require.Equal(t, 2, s.transfer(sent.ID).Attempts)
	s.clean()
}

func TestATransferThatTheBackupDoesNotHaveStandsInSuspense(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	backup := s.backup()
	s.deposit(w, 3*dollar)
	s.order(w, to, 4*dollar)
	s.pass(time.Minute)
	require.EqualValues(t, 4*dollar, s.holds(to))

	s.restore(backup, true)
	s.matched()
	require.EqualValues(t, 13*dollar, s.balance(w), "the deposit was found again, and the business is not charged")
	require.Len(t, s.outflows(), 1)
	s.adopt()
	require.EqualValues(t, -4*dollar, s.suspense())
	require.EqualValues(t, 13*dollar, s.balance(w))
	found, err := s.Wallets.Get(t.Context(), s.scope, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(t, err)
	require.Equal(t, wallets.Active, found.Status)
	s.clean()
}

func TestATransferThatAForgottenAddressPaidIsNotPaidAgain(t *testing.T) {
	s := newSite(t)
	rich, poor, to := s.wallet(10*dollar), s.wallet(0), stranger(t, 1)
	_, err := s.Outgoing.Transfer(t.Context(), s.scope, outgoing.TransferParams{
		From: string(rich.PrimaryAddress), To: string(poor.PrimaryAddress), Amount: money.USDC(5 * dollar)})
	require.NoError(t, err)
	sent := s.order(poor, to, 4*dollar)
	backup := s.backup()
	// A new address has most, so it pays.
	fresh, err := s.Wallets.Create(t.Context(), s.scope, wallets.CreateParams{})
	require.NoError(t, err)
	_, err = s.World.Deposit(t.Context(), sandbox.DepositParams{To: fresh.PrimaryAddress, Amount: money.USDC(20 * dollar)})
	require.NoError(t, err)
	_, err = s.World.Advance(t.Context(), 10*time.Second)
	require.NoError(t, err)
	_, err = s.Deposits.ScanAddress(t.Context(), ferry.Test, fresh.PrimaryAddress)
	require.NoError(t, err)
	s.pass(time.Minute)
	require.EqualValues(t, 4*dollar, s.holds(to))
	require.EqualValues(t, 16*dollar, s.holds(fresh.PrimaryAddress))

	s.restore(backup, true)
	s.matched()
	require.Len(t, s.outflows(), 1)
	require.Equal(t, fresh.PrimaryAddress, s.outflows()[0].From)
	s.adopt()
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 4*dollar, s.holds(to))
	require.EqualValues(t, 4*dollar, s.suspense(), "owed to whoever had the forgotten address")
	require.EqualValues(t, 5*dollar, s.balance(rich))
	s.clean()
}

func TestGatheringThatTheBackupDoesNotHaveIsNoDeposit(t *testing.T) {
	s := newSite(t)
	var all []wallets.Wallet
	for range 20 {
		all = append(all, s.wallet(dollar))
	}
	// One wallet owns everything; the money lies on 20 addresses.
	for _, w := range all[1:] {
		_, err := s.Outgoing.Transfer(t.Context(), s.scope, outgoing.TransferParams{
			From: string(w.PrimaryAddress), To: string(all[0].PrimaryAddress), Amount: money.USDC(dollar)})
		require.NoError(t, err)
	}
	to := stranger(t, 1)
	sent := s.order(all[0], to, 19*dollar)
	backup := s.backup()
	s.pass(5 * time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 19*dollar, s.holds(to))

	s.restore(backup, true)
	s.matched()
	require.GreaterOrEqual(t, len(s.outflows()), 2)
	require.EqualValues(t, 20*dollar-19*dollar-5000, s.balance(all[0]), "what was gathered is no deposit")
	s.adopt()
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 19*dollar, s.holds(to))
	require.Zero(t, s.suspense())
	s.clean()
}

func TestAPaymentThatFailedAfterTheBackupShowsThatTheStoreIsOlder(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, 4*dollar)
	backup := s.backup()
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.ProgramError, 1))
	s.pass(time.Minute)
	require.Equal(t, wallets.Failed, s.transfer(sent.ID).Status)

	s.restore(backup, false)
	s.pass(0)
	require.True(t, s.held())
	require.Zero(t, s.holds(to))
	s.matched()
	require.False(t, s.held(), "it moved nothing, so nothing is to be adopted")
}
