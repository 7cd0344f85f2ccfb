package engine_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// operation is one that waits for its approval. Make makes it and returns its status, whenever
// it is asked; paid and given back are the statuses in which it ends.
type operation struct {
	make            func(*fourEyes) (status func() string)
	paid, givenBack string
}

// operations are one of each kind that waits.
var operations = map[string]operation{
	"payout": {func(f *fourEyes) func() string {
		made := f.payoutBy(f.payer)
		return func() string { return string(f.get(made.ID).Status) }
	}, "successful", "cancelled"},
	"transfer to the chain": {func(f *fourEyes) func() string {
		made := f.transferBy(f.payer, enginetest.Deposit(f.T, f.Engine, f.tenant, money.USDC(100_000_000)))
		return func() string { return string(f.transfer(made.ID).Status) }
	}, "success", "failed"},
	"transfer to another business": {func(f *fourEyes) func() string {
		w, theirs := enginetest.Deposit(f.T, f.Engine, f.tenant, money.USDC(100_000_000)), f.neighbour()
		made, err := f.Outgoing.Transfer(outflow.By(f.Context(), f.payer), f.scope, outgoing.TransferParams{
			From: string(w.PrimaryAddress), To: string(theirs.PrimaryAddress), Amount: money.USDC(7_000_000),
		})
		require.NoError(f, err)
		return func() string { return string(f.transfer(made.ID).Status) }
	}, "success", "failed"},
	"fiat transfer": {func(f *fourEyes) func() string {
		made := f.fiat()
		return func() string { return string(f.payroll.transfer(made.ID).Status) }
	}, "success", "failed"},
	"refund": {func(f *fourEyes) func() string {
		r := refunder{f.payroll}
		r.order("order-1", "0123456780")
		made := r.refunded(600_00, automatic)
		return func() string { return string(r.found(made).Status) }
	}, "successful", "failed"},
}

// fiat makes a transfer of 600.00 NGN.
func (f *fourEyes) fiat() transfers.Transfer {
	f.Helper()
	made, err := f.Transfers.Create(outflow.By(f.Context(), f.payer), f.scope, rent(600_00, "0123456780"))
	require.NoError(f, err)
	return made
}

// fourEyesOver is newFourEyes over a store.
func fourEyesOver(t *testing.T, backend store.Backend) *fourEyes {
	e, err := engine.New(engine.Config{Store: backend})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	f := &fourEyes{payroll: &payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}}
	f.allow(outflow.Change{
		NGN:  outflow.LimitChange{Approval: at(money.NGN(500_00))},
		USDC: outflow.LimitChange{Approval: at(money.USDC(5_000_000))},
	})
	f.payer, f.other = f.key(), f.key()
	return f
}

// whole requires that an operation waits still, with its approval, or neither does.
func (f *fourEyes) whole() outflow.Approval {
	f.Helper()
	a := f.approval()
	findings, err := f.Audit(f.Context(), f.scope.Env)
	require.NoError(f, err)
	require.Empty(f, findings)
	return a
}

// The n-th operation on the store fails, for every n: what was not committed is done by the next
// try, and what was is not done twice.
func TestADecisionThatIsCutOffIsTakenByTheNextTry(t *testing.T) {
	cut := errors.New("cut off")
	for name, one := range operations {
		for verdict, end := range map[outflow.Verdict]string{outflow.Approve: one.paid, outflow.Reject: one.givenBack} {
			t.Run(name+" "+string(verdict), func(t *testing.T) {
				for n := 1; ; n++ {
					backend := storefault.FailNth(memstore.New(), 0, cut)
					f := fourEyesOver(t, backend)
					status := one.make(f)
					decision := outflow.Decision{ID: f.approval().ID, Verdict: verdict, By: f.other}
					backend.Arm(n)
					_, err := f.Decide(t.Context(), f.scope, decision)
					fired := backend.Fired()
					backend.Arm(0)
					if fired {
						require.Error(t, err)
						require.Equal(t, outflow.Pending, f.whole().Status, n)
						require.NoError(t, f.decide(verdict, f.other))
					}
					f.pass(time.Hour)
					require.Equal(t, end, status(), n)
					f.whole()
					if !fired {
						require.NoError(t, err)
						return
					}
				}
			})
		}
	}
}

func TestEveryKindOfOperationEndsWhenNobodyApprovesIt(t *testing.T) {
	for name, one := range operations {
		t.Run(name, func(t *testing.T) {
			f := fourEyesOver(t, memstore.New())
			status := one.make(f)
			require.Equal(t, "pending", status())
			f.pass(73 * time.Hour)
			require.Equal(t, one.givenBack, status())
			require.Equal(t, outflow.Rejected, f.whole().Status)
		})
	}
}

// The store was restored to before the approval, and the bank reports what it was asked for
// after that.
func TestWhatTheBankPaidOfATransferOrRefundThatWaitsIsBooked(t *testing.T) {
	t.Run("fiat transfer", func(t *testing.T) {
		f := newFourEyes(t)
		made := f.fiat()
		_, err := f.World.Bank().Pay(t.Context(), bank.Payment{
			Key: string(made.ID), From: made.SourceNumber, To: made.To, Amount: made.Amount, Reference: made.Reference, Narration: made.Narration,
		})
		require.NoError(t, err)
		f.pass(time.Minute)
		require.Equal(t, transfers.Success, f.payroll.transfer(made.ID).Status)
		require.Equal(t, outflow.Withdrawn, f.whole().Status)
		require.Equal(t, [3]int64{demo - 600_00, 0, demo - 600_00}, f.naira())
		f.cleanTransfers()
	})
	t.Run("refund", func(t *testing.T) {
		f := newFourEyes(t)
		r := refunder{f.payroll}
		r.order("order-1", "0123456780")
		made := r.refunded(600_00, automatic)
		_, err := f.World.Bank().Pay(t.Context(), bank.Payment{
			Key: string(made.ID), From: made.Source, To: made.To, Amount: made.Amount, Reference: made.Reference, Narration: "Refund of " + made.TrxID,
		})
		require.NoError(t, err)
		f.pass(time.Minute)
		require.Equal(t, refunds.Successful, r.found(made).Status)
		require.Equal(t, outflow.Withdrawn, f.whole().Status)
	})
}

func TestARefundOfATransactionThatIsTakenBackWaitsForNoApproval(t *testing.T) {
	f := newFourEyes(t)
	r := refunder{f.payroll}
	r.order("order-1", "0123456780")
	made := r.refunded(600_00, nil)
	require.ErrorIs(t, func() error {
		_, err := f.Refunds.Process(t.Context(), f.scope, refunds.ProcessParams{Refund: refunds.Ref{ID: string(made.ID)}})
		return err
	}(), ferry.ErrInvalidTransition)
	recall(t, f.Engine, "in-order-1")
	f.pass(time.Minute)
	require.Equal(t, refunds.Failed, r.found(made).Status)
	require.Equal(t, outflow.Withdrawn, f.whole().Status)
}
