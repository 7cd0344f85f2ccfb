package payouts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// why is the explanation of what a name leads to.
func (o *office) why(name string) *explain.Explanation {
	o.Helper()
	var x *explain.Explanation
	require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) (err error) {
		x, err = payouts.Explain(ctx, tx, o.scope(), name)
		return err
	}))
	return x
}

// explained is what programs read of an explanation.
type explained struct {
	resource, status       string
	ended, leaves          bool
	awaited, refused, next []string
}

func read(x *explain.Explanation) explained {
	return explained{x.Resource, x.Status, x.Ended, x.Leaves, enginetest.Points(x.Awaited), enginetest.Points(x.Refused), enginetest.Points(x.Next)}
}

func TestAPayoutToOneAccountIsExplainedByItsItem(t *testing.T) {
	for name, c := range map[string]struct {
		number string
		before func(*office)
		after  time.Duration
		is     explained
		says   []string
	}{
		"made": {paid, nil, 0, explained{"payout", "pending", false, true, []string{"engine submit"}, nil, nil},
			[]string{"The payout of ₦200.00: of its items, 1 not sent yet.", "₦200.00 to account 0123456780 are not sent yet; the item can still be cancelled.", "The bank is asked within a few seconds."}},
		"waits for an approval": {paid, (*office).wait, time.Hour, explained{"payout", "pending", false, false, []string{"approver approval"}, nil, []string{"approver approve"}},
			[]string{"1 not sent yet"}},
		"at the bank": {staysPending, nil, time.Minute, explained{"payout", "processing", false, true, []string{"bank in_progress"}, nil, nil},
			[]string{"1 at the bank", "The bank was asked to pay ₦200.00 to account 0123456786."}},
		"paid": {paid, nil, time.Minute, explained{"payout", "successful", true, false, nil, nil, nil},
			[]string{"1 paid", "The bank paid ₦200.00 to account 0123456780 at "}},
		"came back": {comesBack, nil, 25 * time.Hour, explained{"payout", "successful", true, false, nil, []string{"bank returned"}, nil},
			[]string{"The bank paid ₦200.00 to account 0123456785 at ", "The money came back at ", "The receiving bank sent the payment back"}},
		"refused": {refused, nil, time.Minute, explained{"payout", "failed", true, false, nil, []string{"bank failed"}, []string{"caller again"}},
			[]string{"1 failed", "₦200.00 to account 0123456789 were not paid, and are available again.", "The account cannot be credited"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			if c.before != nil {
				c.before(o)
			}
			params := o.salaries(c.number)
			params.Type, params.Items[0].Amount = payouts.Single, money.NGN(200_00)
			made := must(o.Payouts.Create(t.Context(), o.scope(), params))
			o.pass(c.after)
			for _, name := range []string{"salaries", string(made.ID), ferry.UID(string(made.ID))} {
				x := o.why(name)
				require.Equal(t, c.is, read(x))
				for _, sentence := range c.says {
					require.Contains(t, x.Summary, sentence)
				}
			}
		})
	}
}

func TestAPayoutToManySaysWhoWasRefusedAndWhatTheBankHasToAnswer(t *testing.T) {
	o := newOffice(t)
	o.make(refused, paid, staysPending)
	o.pass(time.Minute)
	x := o.why("salaries")
	require.Equal(t, explained{"payout", "processing", false, true, []string{"bank answer"}, []string{"bank failed"}, []string{"caller items"}}, read(x))
	require.Contains(t, x.Summary, "of its items, 1 paid, 1 failed, 1 at the bank.")
	require.Contains(t, x.Refused[0].Text, "₦100.00 to 0123456789 failed")
	require.Equal(t, o.found().Items[0].UpdatedAt, x.Refused[0].At)

	must(o.World.SetBankOutcome(t.Context(), staysPending, sandbox.Pays))
	o.pass(time.Minute)
	require.Equal(t, explained{"payout", "partially_successful", true, false, nil, []string{"bank failed"}, nil}, read(o.why("salaries")))
}

func TestAnItemIsExplainedByAnyOfItsNames(t *testing.T) {
	o := newOffice(t)
	made := o.make(paid, staysPending, refused)
	require.Equal(t, explained{"payout item", "pending", false, true, []string{"engine submit"}, nil, nil}, read(o.why("of-"+paid)))
	o.pass(time.Minute)
	items := o.found().Items
	for name, want := range map[string]explained{
		string(items[0].ID):            {"payout item", "successful", true, false, nil, nil, nil},
		ferry.UID(string(items[0].ID)): {"payout item", "successful", true, false, nil, nil, nil},
		items[0].SessionID:             {"payout item", "successful", true, false, nil, nil, nil},
		"of-" + staysPending:           {"payout item", "processing", false, true, []string{"bank in_progress"}, nil, nil},
		"of-" + refused:                {"payout item", "failed", true, false, nil, []string{"bank failed"}, []string{"caller again"}},
	} {
		x := o.why(name)
		require.Equal(t, want, read(x), name)
		require.Equal(t, string(made.ID), x.Events, "its events are those of the payout")
	}
	require.ErrorIs(t, o.in(func(ctx context.Context, tx store.Tx) error {
		_, err := payouts.Explain(ctx, tx, o.scope(), "nobody")
		return err
	}), payouts.ErrNotFound)
}

func TestAnItemThatWasCancelledOrWhosePayoutWaitsSaysSo(t *testing.T) {
	o := newOffice(t)
	o.wait()
	made := o.make(paid, paidToo)
	x := o.why("of-" + paid)
	require.Equal(t, explained{"payout item", "pending", false, false, []string{"approver approval"}, nil, []string{"approver approve"}}, read(x))
	require.Contains(t, x.Summary, "₦100.00 to account 0123456780 are not sent yet.")
	require.NotContains(t, x.Summary, "within a few seconds")
	require.NoError(t, o.in(func(ctx context.Context, tx store.Tx) error {
		_, err := o.Payouts.CancelIn(ctx, tx, o.scope(), payouts.Ref{ID: string(made.ID)})
		return err
	}))
	x = o.why("of-" + paid)
	require.Equal(t, explained{"payout item", "cancelled", true, false, nil, nil, nil}, read(x))
	require.Contains(t, x.Summary, "The ₦100.00 to account 0123456780 were cancelled before the bank was asked.")
	x = o.why("salaries")
	require.Equal(t, explained{"payout", "cancelled", true, false, nil, nil, nil}, read(x))
	require.Contains(t, x.Summary, "of its items, 2 cancelled.")
}
