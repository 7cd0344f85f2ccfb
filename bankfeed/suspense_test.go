package bankfeed_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// release takes a credit out of suspense, into the account of returns.
func (b *bench) release(t *testing.T, session string, refuse error) (released bool, err error) {
	err = b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
		_, released, err = bankfeed.ReleaseIn(ctx, tx, ferry.Test, session, func(bankfeed.Suspended) (ledger.AccountID, error) {
			return ledger.SystemAccount(ferry.Test, ledger.Returns, money.AssetNGN), refuse
		})
		return err
	})
	return released, err
}

func TestMoneyInSuspenseIsListedAndAFindingUntilItIsReleased(t *testing.T) {
	b := setup(t)
	b.tell("s0", "0123456789", money.NGN(5))
	b.tell("s1", "nobody", money.NGN(7))
	b.run(t)
	b.now = b.now.Add(time.Minute)
	b.tell("s2", "nobody", money.NGN(8))
	b.run(t)
	list := func() []bankfeed.Suspended {
		found, err := b.Suspense(t.Context(), ferry.Test)
		require.NoError(t, err)
		return found
	}
	second := bankfeed.Suspended{Env: ferry.Test, Session: "s2", Amount: money.NGN(8), At: b.now}
	require.Equal(t, []bankfeed.Suspended{{Env: ferry.Test, Session: "s1", Amount: money.NGN(7), At: b.now.Add(-time.Minute)}, second}, list())
	require.Equal(t, []string{"suspense s1", "suspense s2"}, checks(b.reconcile(t).Findings))

	_, err := b.release(t, "s1", errors.New("not now"))
	require.Error(t, err)
	require.Len(t, list(), 2)
	for _, first := range []bool{true, false, false} {
		released, err := b.release(t, "s1", nil)
		require.NoError(t, err)
		require.Equal(t, first, released)
		require.Equal(t, []bankfeed.Suspended{second}, list())
		require.Equal(t, money.NGN(8), b.suspense(t))
	}
	require.Equal(t, []string{"suspense s2"}, checks(b.reconcile(t).Findings))
}

func TestOnlyWhatIsInSuspenseIsReleased(t *testing.T) {
	b := setup(t)
	b.tell("s0", "0123456789", money.NGN(5))
	b.run(t)
	for _, session := range []string{"s0", "s1", ""} {
		_, err := b.release(t, session, nil)
		require.ErrorIs(t, err, bankfeed.ErrNotSuspended)
	}
}

func TestReconcileFindsMoneyThatSomethingElseMovedIntoSuspense(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("correction:1", ferry.Test, "correction", "1",
			ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN), ledger.SystemAccount(ferry.Test, ledger.Suspense, money.AssetNGN), money.NGN(5), b.now))
	}))
	found := b.reconcile(t).Findings
	require.Equal(t, []string{"suspense correction:1"}, checks(found))
	require.Equal(t, "0.05 NGN in suspense are of no credit, recall or release", found[0].Text)
}
