package engine_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// fourEyes is a payroll whose operations from 500.00 NGN or 5 USDC on need an approval, with
// a key that pays and another one.
type fourEyes struct {
	*payroll
	payer, other string
}

func newFourEyes(t *testing.T) *fourEyes {
	f := &fourEyes{payroll: newPayroll(t)}
	f.allow(outflow.Change{
		NGN:  outflow.LimitChange{Approval: at(money.NGN(500_00))},
		USDC: outflow.LimitChange{Approval: at(money.USDC(5_000_000))},
	})
	f.payer, f.other = f.key(), f.key()
	return f
}

// key makes an API key.
func (f *fourEyes) key() string {
	f.Helper()
	made, err := f.Businesses.CreateKey(f.Context(), f.scope, business.CreateKeyParams{Type: business.SecretKey})
	require.NoError(f, err)
	return string(made.Key.ID)
}

// payoutBy makes a payout of 600.00 NGN to two accounts.
func (f *fourEyes) payoutBy(key string) payouts.Details {
	f.Helper()
	made, err := f.Payouts.Create(outflow.By(f.Context(), key), f.scope, payouts.Params{
		Type: payouts.Bulk, Reference: "salaries", Source: f.source(), Items: []payouts.Destination{
			{Reference: "ada", BankCode: "058", AccountNumber: "0123456780", Amount: money.NGN(300_00)},
			{Reference: "bola", BankCode: "058", AccountNumber: "0123456781", Amount: money.NGN(300_00)},
		},
	})
	require.NoError(f, err)
	return made
}

// transferBy sends 7 USDC.
func (f *fourEyes) transferBy(key string, from wallets.Wallet) outgoing.Transfer {
	f.Helper()
	made, err := f.Outgoing.Transfer(outflow.By(f.Context(), key), f.scope, outgoing.TransferParams{
		From: string(from.PrimaryAddress), To: outside, Amount: money.USDC(7_000_000),
	})
	require.NoError(f, err)
	return made
}

// approval is the only approval of the business.
func (f *fourEyes) approval() outflow.Approval {
	f.Helper()
	list, err := f.Outflow.Approvals(f.Context(), f.scope, "", ferry.Page{})
	require.NoError(f, err)
	require.Len(f, list.Data, 1)
	return list.Data[0]
}

// decide decides about that one.
func (f *fourEyes) decide(verdict outflow.Verdict, by string) error {
	f.Helper()
	_, err := f.Decide(f.Context(), f.scope, outflow.Decision{ID: f.approval().ID, Verdict: verdict, By: by, Note: "as agreed"})
	return err
}

func (f *fourEyes) in(work func(context.Context, store.Tx) error) error {
	return f.Units(f.scope.Env).Write(f.Context(), work)
}

func (f *fourEyes) transfer(id wallets.TransferID) outgoing.Transfer {
	f.Helper()
	var got outgoing.Transfer
	require.NoError(f, f.in(func(ctx context.Context, tx store.Tx) (err error) {
		got, err = outgoing.TransferKind.Get(ctx, tx, f.scope, id)
		return err
	}))
	return got
}

// usdc is what of the wallet is set aside.
func (f *fourEyes) usdcAside() int64 {
	f.Helper()
	totals, err := f.Balances(f.Context(), f.scope)
	require.NoError(f, err)
	for _, t := range totals {
		if t.Asset == money.AssetUSDC {
			return t.Reserved.Minor()
		}
	}
	return 0
}

func TestAPayoutThatNeedsAnApprovalReachesTheBankOnlyThen(t *testing.T) {
	f := newFourEyes(t)
	made := f.payoutBy(f.payer)
	require.Equal(t, outflow.PendingApproval, made.Stage)
	require.Equal(t, [3]int64{demo, 600_00, demo - 600_00}, f.naira())
	a := f.approval()
	require.Equal(t, []any{outflow.Pending, outflow.Payout, string(made.ID), "salaries", money.NGN(600_00), f.payer},
		[]any{a.Status, a.Kind, a.Subject, a.Reference, a.Amount, a.MadeBy})

	f.pass(48 * time.Hour)
	answered, err := f.Payouts.Refresh(t.Context(), f.scope, payouts.Ref{ID: string(made.ID)})
	require.NoError(t, err)
	require.True(t, answered, "there is nothing to ask about")
	require.ErrorIs(t, f.in(func(ctx context.Context, tx store.Tx) error {
		_, err := f.Payouts.ProcessIn(ctx, tx, f.scope, payouts.Ref{ID: string(made.ID)})
		return err
	}), ferry.ErrInvalidTransition)
	for _, i := range f.items(made.ID) {
		require.Equal(t, payouts.ItemPending, i.Status)
		require.Zero(t, i.Submissions)
	}
	f.clean()

	require.NoError(t, f.decide(outflow.Approve, f.other))
	require.Empty(t, f.get(made.ID).Stage)
	f.pass(time.Second)
	require.Equal(t, payouts.Successful, f.get(made.ID).Status)
	require.Equal(t, [3]int64{demo - 600_00, 0, demo - 600_00}, f.naira())
	a = f.approval()
	require.Equal(t, []any{outflow.Approved, f.other, "as agreed"}, []any{a.Status, a.DecidedBy, a.Note})
	require.False(t, a.DecidedAt.IsZero())
	f.clean()
}

// What is due by mistake waits all the same.
func TestAnItemThatIsDueBeforeItsApprovalIsNotSent(t *testing.T) {
	f := newFourEyes(t)
	made := f.payoutBy(f.payer)
	for _, i := range made.Items {
		require.NoError(t, f.in(func(ctx context.Context, tx store.Tx) error {
			return tx.Leases().Schedule(ctx, payouts.QueueItems.In(f.scope.Env), lease.RecordKey(f.scope, string(i.ID)), tx.Now())
		}))
	}
	f.pass(time.Hour)
	require.Equal(t, payouts.Pending, f.get(made.ID).Status)
	require.NoError(t, f.decide(outflow.Approve, f.other))
	f.pass(time.Minute)
	require.Equal(t, payouts.Successful, f.get(made.ID).Status)
	f.clean()
}

// A store that was restored to before the approval lets the payout wait, and the bank reports
// what it was asked for after that.
func TestWhatTheBankPaidOfAPayoutThatWaitsIsBooked(t *testing.T) {
	f := newFourEyes(t)
	made := f.payoutBy(f.payer)
	report := func(i payouts.Item) {
		_, err := f.World.Bank().Pay(t.Context(), bank.Payment{
			Key: string(i.ID), From: i.Source, To: i.To, Amount: i.Amount, Reference: i.Reference, Narration: i.Narration,
		})
		require.NoError(t, err)
		f.pass(time.Minute)
	}
	report(made.Items[0])
	require.Equal(t, []payouts.ItemStatus{payouts.ItemSuccessful, payouts.ItemPending}, f.statuses(made.ID))
	require.Equal(t, outflow.PendingApproval, f.get(made.ID).Stage, "the rest waits")
	require.Equal(t, [3]int64{demo - 300_00, 300_00, demo - 600_00}, f.naira())
	f.clean()
	report(made.Items[1])
	require.Equal(t, payouts.Successful, f.get(made.ID).Status)
	require.Empty(t, f.get(made.ID).Stage)
	require.Equal(t, outflow.Withdrawn, f.approval().Status)
	require.ErrorIs(t, f.decide(outflow.Reject, f.other), ferry.ErrInvalidTransition)
	require.Equal(t, [3]int64{demo - 600_00, 0, demo - 600_00}, f.naira())
	f.clean()
}

func TestATransferThatNeedsAnApprovalIsSignedOnlyThen(t *testing.T) {
	f := newFourEyes(t)
	w := enginetest.Deposit(t, f.Engine, f.tenant, money.USDC(100_000_000))
	made := f.transferBy(f.payer, w)
	require.Equal(t, outflow.PendingApproval, made.Stage)
	require.Positive(t, f.usdcAside())
	f.pass(48 * time.Hour)
	got := f.transfer(made.ID)
	require.Equal(t, []any{wallets.Pending, 0, chain.Signature("")}, []any{got.Status, got.Attempts, got.Signature})
	f.clean()

	require.NoError(t, f.decide(outflow.Approve, f.other))
	f.pass(time.Minute)
	got = f.transfer(made.ID)
	require.Equal(t, wallets.Success, got.Status)
	require.Empty(t, got.Stage)
	require.Zero(t, f.usdcAside())
	f.clean()
}

func TestARejectionGivesBackWhatWasSetAsideOnce(t *testing.T) {
	f := newFourEyes(t)
	made := f.payoutBy(f.payer)
	require.NoError(t, f.decide(outflow.Reject, f.payer), "who asked for it may reject it")
	require.Equal(t, payouts.Cancelled, f.get(made.ID).Status)
	require.Empty(t, f.get(made.ID).Stage)
	require.Equal(t, [3]int64{demo, 0, demo}, f.naira())
	require.ErrorIs(t, f.decide(outflow.Reject, f.other), ferry.ErrInvalidTransition)
	require.ErrorIs(t, f.decide(outflow.Approve, f.other), ferry.ErrInvalidTransition)
	f.pass(48 * time.Hour)
	require.Equal(t, [3]int64{demo, 0, demo}, f.naira())
	f.clean()
}

func TestARejectedTransferHasFailedAndNothingOfItWasSigned(t *testing.T) {
	f := newFourEyes(t)
	w := enginetest.Deposit(t, f.Engine, f.tenant, money.USDC(100_000_000))
	made := f.transferBy(f.payer, w)
	require.NoError(t, f.decide(outflow.Reject, f.other))
	f.pass(time.Hour)
	got := f.transfer(made.ID)
	require.Equal(t, []any{wallets.Failed, 0, "Its approval was rejected"}, []any{got.Status, got.Attempts, got.Failure})
	require.Zero(t, f.usdcAside())
	f.clean()
}

func TestACancelWithdrawsTheApproval(t *testing.T) {
	f := newFourEyes(t)
	made := f.payoutBy(f.payer)
	require.NoError(t, f.in(func(ctx context.Context, tx store.Tx) error {
		_, err := f.Payouts.CancelIn(ctx, tx, f.scope, payouts.Ref{ID: string(made.ID)})
		return err
	}))
	require.Equal(t, outflow.Withdrawn, f.approval().Status)
	require.Empty(t, f.approval().DecidedBy)
	require.ErrorIs(t, f.decide(outflow.Approve, f.other), ferry.ErrInvalidTransition)
	require.Equal(t, [3]int64{demo, 0, demo}, f.naira())
	f.clean()
}

func TestOnlyAnotherKeyApproves(t *testing.T) {
	f := newFourEyes(t)
	revoked, replaced := f.key(), f.key()
	rotated, err := f.Businesses.RotateKey(t.Context(), f.scope, business.RotateKeyParams{ID: business.KeyID(replaced)})
	require.NoError(t, err)
	f.pass(time.Second)
	made := f.payoutBy(f.payer)
	f.pass(time.Second)
	_, err = f.Businesses.RevokeKey(t.Context(), f.scope, business.KeyID(revoked))
	require.NoError(t, err)
	for by, why := range map[string]string{
		f.payer:       "Who asked for an operation cannot approve it",
		revoked:       "A key that was revoked or replaced cannot approve an operation",
		replaced:      "A key that was revoked or replaced cannot approve an operation",
		f.key():       "A key that was made after the operation cannot approve it",
		"key_unknown": "The key is none of this business",
	} {
		err := f.decide(outflow.Approve, by)
		require.ErrorIs(t, err, outflow.ErrMayNotApprove, why)
		require.ErrorContains(t, err, why)
	}
	require.ErrorIs(t, f.decide(outflow.Approve, ""), ferry.ErrValidation)
	require.ErrorIs(t, f.decide("withdraw", f.other), ferry.ErrValidation)
	require.Equal(t, outflow.Pending, f.approval().Status)
	require.Equal(t, outflow.PendingApproval, f.get(made.ID).Stage)
	require.NoError(t, f.decide(outflow.Approve, string(rotated.Key.ID)), "it replaces another key than that of the payer")
}

func TestAKeyThatReplacesTheOneThatAskedDoesNotApprove(t *testing.T) {
	f := newFourEyes(t)
	rotated, err := f.Businesses.RotateKey(t.Context(), f.scope, business.RotateKeyParams{ID: business.KeyID(f.payer)})
	require.NoError(t, err)
	f.pass(time.Second)
	f.payoutBy(f.payer)
	require.ErrorIs(t, f.decide(outflow.Approve, string(rotated.Key.ID)), outflow.ErrMayNotApprove)
}

func TestAPersonWhomTheProgramKnowsApproves(t *testing.T) {
	f := newFourEyes(t)
	f.payoutBy("ada")
	require.ErrorIs(t, f.decide(outflow.Approve, "ada"), outflow.ErrMayNotApprove)
	require.NoError(t, f.decide(outflow.Approve, "bola"))
	require.Equal(t, "bola", f.approval().DecidedBy)
}

func TestAnApprovedOperationCountsOnceForItsDay(t *testing.T) {
	f := newFourEyes(t)
	f.morning()
	f.allow(outflow.Change{NGN: outflow.LimitChange{BusinessDay: at(money.NGN(1_000_00))}})
	f.payoutBy(f.payer)
	require.NoError(t, f.decide(outflow.Approve, f.other))
	f.pass(time.Minute)
	_, err := f.pay(400_01, "0123456780")
	require.Equal(t, money.NGN(600_00), beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness).Used)
	f.paid(400_00, "0123456780")
}

func TestWhatIsBelowTheSumNeedsNoApproval(t *testing.T) {
	f := newFourEyes(t)
	require.Empty(t, f.paid(499_99, "0123456780").Stage)
	require.Equal(t, outflow.PendingApproval, f.paid(500_00, "0123456780").Stage)
}

// neighbour makes a wallet of another business.
func (f *fourEyes) neighbour() wallets.Wallet {
	f.Helper()
	tenant, err := f.CreateTenant(f.Context(), ferry.Test, "Another shop")
	require.NoError(f, err)
	w, err := f.Wallets.Create(f.Context(), tenant.Business.Scope, wallets.CreateParams{})
	require.NoError(f, err)
	return w
}

func TestATransferToAnotherBusinessWaitsForItsApproval(t *testing.T) {
	f := newFourEyes(t)
	w, theirs := enginetest.Deposit(t, f.Engine, f.tenant, money.USDC(100_000_000)), f.neighbour()
	send := func() outgoing.Transfer {
		made, err := f.Outgoing.Transfer(outflow.By(t.Context(), f.payer), f.scope, outgoing.TransferParams{
			From: string(w.PrimaryAddress), To: string(theirs.PrimaryAddress), Amount: money.USDC(7_000_000),
		})
		require.NoError(t, err)
		require.Equal(t, []any{wallets.Pending, outflow.PendingApproval}, []any{made.Status, made.Stage})
		return made
	}
	made := send()
	f.pass(time.Hour)
	require.Equal(t, wallets.Pending, f.transfer(made.ID).Status)
	require.EqualValues(t, 7_000_000, f.usdcAside())
	f.clean()

	require.NoError(t, f.decide(outflow.Approve, f.other))
	require.NoError(t, f.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	f.pass(time.Hour)
	require.Equal(t, wallets.Pending, f.transfer(made.ID).Status, "a stop is read before it moves")
	require.NoError(t, f.Custody.ResumeOutflows(t.Context(), ferry.Test))
	f.pass(time.Hour)
	require.Equal(t, wallets.Success, f.transfer(made.ID).Status)
	require.Zero(t, f.usdcAside())
	totals, err := f.Balances(t.Context(), theirs.Scope)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(totals), "7 USDC")
	f.clean()

	rejected := send()
	found, err := f.Outflow.Approvals(t.Context(), f.scope, outflow.Pending, ferry.Page{})
	require.NoError(t, err)
	_, err = f.Decide(t.Context(), f.scope, outflow.Decision{ID: found.Data[0].ID, Verdict: outflow.Reject, By: f.other})
	require.NoError(t, err)
	require.Equal(t, wallets.Failed, f.transfer(rejected.ID).Status)
	require.Zero(t, f.usdcAside())
	f.clean()
	require.NoError(t, f.send(f.payer, w, string(theirs.PrimaryAddress), 4_990_000), "below the sum it moves at once")
}

func TestOfManyDecisionsAtOnceOneCounts(t *testing.T) {
	for range 8 {
		f := newFourEyes(t)
		made := f.payoutBy(f.payer)
		id := f.approval().ID
		var all sync.WaitGroup
		decided := make([]error, 16)
		for i := range decided {
			verdict := []outflow.Verdict{outflow.Approve, outflow.Reject}[i%2]
			all.Go(func() {
				_, decided[i] = f.Decide(t.Context(), f.scope, outflow.Decision{ID: id, Verdict: verdict, By: f.other})
			})
		}
		var cancelled error
		all.Go(func() {
			cancelled = f.in(func(ctx context.Context, tx store.Tx) error {
				_, err := f.Payouts.CancelIn(ctx, tx, f.scope, payouts.Ref{ID: string(made.ID)})
				return err
			})
		})
		all.Wait()
		counted := 0
		for _, err := range decided {
			if err == nil {
				counted++
				continue
			}
			require.ErrorIs(t, err, ferry.ErrInvalidTransition)
		}
		a := f.approval()
		require.NotEqual(t, outflow.Pending, a.Status)
		if a.Status == outflow.Withdrawn {
			require.Zero(t, counted)
		} else {
			require.Equal(t, 1, counted)
		}
		require.NoError(t, cancelled, "before, it ends the payout; after, it is ended or not sent yet")
		require.Equal(t, payouts.Cancelled, f.get(made.ID).Status)
		f.pass(time.Minute)
		require.Equal(t, [3]int64{demo, 0, demo}, f.naira())
		f.clean()
	}
}
