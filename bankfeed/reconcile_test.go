package bankfeed_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
)

func (b *bench) reconcile(t *testing.T) bankfeed.Reconciliation {
	t.Helper()
	r, err := b.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	return r
}

func (b *bench) run(t *testing.T) {
	t.Helper()
	_, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err)
}

// post books something behind the service's back.
func (b *bench) post(t *testing.T, session string, to ledger.AccountID, amount money.Amount) {
	t.Helper()
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Move(
			bankfeed.PostingID(ferry.Test, session), ferry.Test, "bank_credit", session,
			ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN), to, amount, tx.Now(),
		))
	}))
}

// checks are the checks and subjects of findings.
func checks(findings []ledger.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Check+" "+f.Subject)
	}
	return all
}

func TestAFeedThatIsBookedReconciles(t *testing.T) {
	b := setup(t)
	require.Equal(t, bankfeed.Reconciliation{Told: money.NGN(0), Booked: money.NGN(0)}, b.reconcile(t))
	b.tell("s1", "0123456789", money.NGN(5))
	b.tell("s1", "0123456789", money.NGN(5))
	b.tell("s2", "0123456789", money.NGN(7))
	b.run(t)
	r := b.reconcile(t)
	require.Equal(t, bankfeed.Reconciliation{Credits: 2, Told: money.NGN(12), Booked: money.NGN(12)}, r)
}

func TestACreditThatTheWorkerHasNotComeToIsInFlight(t *testing.T) {
	b := setup(t)
	b.tell("s1", "0123456789", money.NGN(5))
	require.Equal(t, []string{"in_flight s1"}, checks(b.reconcile(t).InFlight))
	b.run(t)
	b.tell("s2", "0123456789", money.NGN(3))
	r := b.reconcile(t)
	require.Equal(t, []string{"in_flight s2"}, checks(r.InFlight))
	require.Contains(t, r.InFlight[0].Text, "0.03 NGN to account 0123456789")
	require.Empty(t, r.Findings)
	require.Equal(t, money.NGN(8), r.Told)
	require.Equal(t, money.NGN(5), r.Booked)
}

func TestReconcileFindsACredit(t *testing.T) {
	balance := ledger.BusinessAccount(owner, money.AssetNGN)
	t.Run("that was passed over", func(t *testing.T) {
		b := setup(t)
		b.tell("s1", "0123456789", money.NGN(5))
		require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return bankfeed.FeedKind.Put(ctx, tx, bankfeed.Feed{Env: ferry.Test, Cursor: b.credits[0].Cursor})
		}))
		b.tell("s2", "0123456789", money.NGN(1))
		b.run(t)
		require.Empty(t, b.reconcile(t).InFlight)
		found := b.reconcile(t).Findings
		require.Equal(t, []string{"credit s1", "account 0123456789"}, checks(found))
	})
	t.Run("that was booked with another amount", func(t *testing.T) {
		b := setup(t)
		b.tell("s1", "0123456789", money.NGN(5))
		b.post(t, "s1", balance, money.NGN(50))
		b.run(t)
		found := b.reconcile(t).Findings
		require.Equal(t, []string{"credit s1", "account 0123456789"}, checks(found))
		require.Contains(t, found[0].Text, "0.05 NGN to account 0123456789 is booked as 0.5 NGN")
	})
	t.Run("that was booked to somebody else", func(t *testing.T) {
		b := setup(t)
		b.tell("s1", "0123456789", money.NGN(5))
		b.post(t, "s1", ledger.SystemAccount(ferry.Test, ledger.PlatformFees, money.AssetNGN), money.NGN(5))
		b.run(t)
		require.Equal(t, []string{"credit s1"}, checks(b.reconcile(t).Findings))
	})
	t.Run("that the bank does not tell", func(t *testing.T) {
		b := setup(t)
		b.tell("s1", "0123456789", money.NGN(5))
		b.run(t)
		b.post(t, "s9", balance, money.NGN(3))
		found := b.reconcile(t).Findings
		require.Equal(t, []string{"booked s9"}, checks(found))
		require.Contains(t, found[0].Text, "0.03 NGN")
	})
}

func TestABankThatDoesNotAnswerIsNotReconciled(t *testing.T) {
	b := setup(t)
	b.err = bank.ErrUnavailable
	_, err := b.Reconcile(t.Context(), ferry.Test)
	require.ErrorIs(t, err, bank.ErrUnavailable)
	_, err = b.Reconcile(t.Context(), ferry.Live)
	require.ErrorIs(t, err, bank.ErrNone)
}
