package bankfeed_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
)

var errOwner = errors.New("the owner cannot take it")

// minutes lets time go by, with a pass every minute.
func (b *bench) minutes(t *testing.T, n int) {
	t.Helper()
	for range n {
		b.run(t)
		b.now = b.now.Add(time.Minute)
	}
	b.run(t)
}

func (b *bench) suspense(t *testing.T) money.Amount {
	return b.posted(t, ledger.SystemAccount(ferry.Test, ledger.Suspense, money.AssetNGN))
}

func TestACreditThatItsOwnerCannotTakeGoesIntoSuspenseAfterTenMinutes(t *testing.T) {
	b := setup(t)
	b.fails["bad"] = errOwner
	b.tell("s1", "0123456789", money.NGN(1))
	b.tell("s2", "bad", money.NGN(20))
	b.tell("s3", "0123456789", money.NGN(300))
	b.minutes(t, 9)
	require.Equal(t, money.NGN(0), b.suspense(t))
	require.Equal(t, money.NGN(301), b.balance(t), "nobody waits for it")
	b.minutes(t, 1)
	require.Equal(t, money.NGN(20), b.suspense(t))
	require.Equal(t, money.NGN(301), b.balance(t))
	for _, part := range []string{"level=ERROR", "session=s2", "account=bad", `amount="0.2 NGN"`, errOwner.Error()} {
		require.Contains(t, b.log.String(), part)
	}
	b.log.Reset()
	b.tell("s4", "0123456789", money.NGN(4000))
	b.minutes(t, 1)
	require.Equal(t, money.NGN(4301), b.balance(t))
	require.Empty(t, b.log.String())
	found := b.reconcile(t)
	require.Equal(t, []string{"suspense s2"}, checks(found.Findings))
	require.Contains(t, found.Findings[0].Text, "0.2 NGN to account bad")
	require.Empty(t, found.InFlight)
}

func TestACreditThatItsOwnerTakesInTheEndIsTheOwners(t *testing.T) {
	b := setup(t)
	b.fails["good"] = errOwner
	b.tell("s1", "good", money.NGN(20))
	b.minutes(t, 9)
	require.Equal(t, 1, len(checks(b.reconcile(t).InFlight)))
	b.fails["good"] = nil
	b.minutes(t, 1)
	require.Equal(t, money.NGN(0), b.suspense(t))
	require.Equal(t, money.NGN(20), b.posted(t, ledger.SystemAccount(ferry.Test, ledger.PlatformFees, money.AssetNGN)))
	require.Empty(t, b.reconcile(t).Findings)
}

func TestCreditsThatFailTogetherWaitTogether(t *testing.T) {
	b := setup(t)
	b.fails["bad"] = errOwner
	for _, session := range []string{"s1", "s2", "s3"} {
		b.tell(session, "bad", money.NGN(1))
	}
	b.minutes(t, 10)
	require.Equal(t, money.NGN(3), b.suspense(t))
}

func TestWhatTheStoreRefusesIsTriedForEver(t *testing.T) {
	for name, err := range map[string]error{
		"a row that has moved on": ferry.ErrStale,
		"a time that is over":     context.DeadlineExceeded,
		"a pass that was ended":   context.Canceled,
		"what does not answer":    ferry.NewError(ferry.Unavailable, "busy", "Busy"),
		"a store out of reach":    fmt.Errorf("%w: connection refused", store.ErrUnavailable),
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.fails["good"] = err
			b.tell("s1", "good", money.NGN(20))
			for range 100 {
				_, failed := b.RunDue(t.Context(), 10)
				require.ErrorIs(t, failed, err)
				b.now = b.now.Add(time.Minute)
			}
			b.fails["good"] = nil
			b.run(t)
			require.Equal(t, money.NGN(0), b.suspense(t))
		})
	}
	t.Run("anything, of a store that takes nothing", func(t *testing.T) {
		b := setup(t)
		b.fails["good"] = errOwner
		b.tell("s1", "good", money.NGN(20))
		b.minutes(t, 1)
		b.broken.err = errors.New("the disk is full")
		for range 100 {
			_, failed := b.RunDue(t.Context(), 10)
			require.ErrorIs(t, failed, b.broken.err)
			b.now = b.now.Add(time.Minute)
		}
		b.broken.err = nil
		b.fails["good"] = nil
		b.run(t)
		require.Equal(t, money.NGN(0), b.suspense(t))
	})
}

func TestANoticeThatIsNoCreditIsPassedAfterTenMinutesAndStaysAFinding(t *testing.T) {
	for name, c := range map[string]bank.Credit{
		"of nothing":           {SessionID: "s1", AccountNumber: "0123456789", Amount: money.NGN(0), Cursor: "z"},
		"of less than nothing": {SessionID: "s1", AccountNumber: "0123456789", Amount: money.NGN(-1), Cursor: "z"},
		"of another asset":     {SessionID: "s1", AccountNumber: "0123456789", Amount: money.USDC(1), Cursor: "z"},
		"without a name":       {AccountNumber: "0123456789", Amount: money.NGN(1), Cursor: "z"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.tell("s0", "0123456789", money.NGN(5_00))
			b.credits = append(b.credits, c)
			b.tell("s2", "0123456789", money.NGN(1_00))
			b.minutes(t, 9)
			require.Equal(t, []string{"in_flight " + c.SessionID}, checks(b.reconcile(t).InFlight))
			b.minutes(t, 1)
			require.Equal(t, money.NGN(6_00), b.balance(t))
			require.Equal(t, money.NGN(0), b.suspense(t))
			require.Contains(t, b.log.String(), "level=ERROR")
			found := b.reconcile(t)
			require.Equal(t, []string{"credit " + c.SessionID}, checks(found.Findings))
			require.Contains(t, found.Findings[0].Text, bankfeed.ErrNoCredit.Error())
			require.Empty(t, found.InFlight)
			require.Equal(t, money.NGN(6_00), found.Told)
		})
	}
}

func TestAFeedThatWaitsHoldsUpNoOtherEnvironment(t *testing.T) {
	b := setup(t)
	b.fails["bad"] = errOwner
	b.tell("s1", "bad", money.NGN(20))
	live := &feed{}
	live.tell("s1", "nobody", money.NGN(7))
	b.banks[ferry.Live] = live
	b.minutes(t, 1)
	require.Equal(t, money.NGN(7), b.posted(t, ledger.SystemAccount(ferry.Live, ledger.Suspense, money.AssetNGN)))
}

func TestAFeedIsNotReadToItsEndWhileACreditWaits(t *testing.T) {
	b := setup(t)
	b.fails["bad"] = errOwner
	b.tell("s0", "bad", money.NGN(20))
	for n := range 101 { // more than are read at once
		b.tell(fmt.Sprint("s", n+1), "0123456789", money.NGN(1))
	}
	due := b.now
	require.ErrorIs(t, b.Read(t.Context(), ferry.Test, due), bankfeed.ErrWaits)
	require.Equal(t, money.NGN(101), b.balance(t), "nobody waits for it")
	b.now = b.now.Add(bankfeed.Patience)
	require.NoError(t, b.Read(t.Context(), ferry.Test, due))
	require.Equal(t, money.NGN(20), b.suspense(t))
	booked, err := b.Booked(t.Context(), ferry.Test, "s101")
	require.NoError(t, err)
	require.True(t, booked)
}
