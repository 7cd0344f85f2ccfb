package engine_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// payroll is an engine whose demo business pays out of 1,000,000.00 NGN.
type payroll struct {
	*testing.T
	*engine.Engine
	tenant engine.Tenant
	scope  ferry.Scope
	serial atomic.Int64
}

const demo = 1_000_000_00

func newPayroll(t *testing.T) *payroll {
	e, tenant := enginetest.New(t)
	return &payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}
}

func (p *payroll) source() string { return p.tenant.Business.SourceAccounts[0].AccountNumber }

// pay makes a payout of an item for each account number.
func (p *payroll) pay(kobo int64, numbers ...string) (payouts.Details, error) {
	n := p.serial.Add(1)
	params := payouts.Params{Type: payouts.Bulk, Reference: fmt.Sprintf("run-%d", n), Source: p.source(), Narration: "Salary"}
	for i, number := range numbers {
		params.Items = append(params.Items, payouts.Destination{
			Reference: fmt.Sprintf("run-%d-%d", n, i), BankCode: "058", AccountNumber: number, Amount: money.NGN(kobo),
		})
	}
	return p.Payouts.Create(p.Context(), p.scope, params)
}

func (p *payroll) paid(kobo int64, numbers ...string) payouts.Details {
	p.Helper()
	made, err := p.pay(kobo, numbers...)
	require.NoError(p, err)
	return made
}

func (p *payroll) get(id payouts.ID) payouts.Details {
	p.Helper()
	got, err := p.Payouts.Get(p.Context(), p.scope, payouts.Ref{ID: string(id)})
	require.NoError(p, err)
	return got
}

// statuses are those of the items, in order.
func (p *payroll) statuses(id payouts.ID) (all []payouts.ItemStatus) {
	p.Helper()
	for _, i := range p.items(id) {
		all = append(all, i.Status)
	}
	return all
}

func (p *payroll) items(id payouts.ID) []payouts.Item { return p.get(id).Items }

// naira is what the business has, what of it is set aside, and what is left.
func (p *payroll) naira() [3]int64 {
	p.Helper()
	totals, err := p.Balances(p.Context(), p.scope)
	require.NoError(p, err)
	for _, t := range totals {
		if t.Asset == money.AssetNGN {
			return [3]int64{t.Posted.Minor(), t.Reserved.Minor(), t.Posted.Minor() - t.Reserved.Minor()}
		}
	}
	return [3]int64{}
}

func (p *payroll) pass(d time.Duration) {
	p.Helper()
	enginetest.Advance(p.T, p.Engine, d)
}

// clean requires that the books hold, and agree with the bank.
func (p *payroll) clean() {
	p.Helper()
	findings, err := p.Audit(p.Context(), ferry.Test)
	require.NoError(p, err)
	require.Empty(p, findings)
	compared, err := p.Payouts.Reconcile(p.Context(), ferry.Test)
	require.NoError(p, err)
	require.Empty(p, compared.Findings)
}

func TestAPayoutSetsItsCostAsideAndTakesItWhenTheBankHasPaid(t *testing.T) {
	p := newPayroll(t)
	made := p.paid(300_00, "0123456780", "0123456781")
	require.Equal(t, payouts.Pending, made.Status)
	require.Equal(t, [3]int64{demo, 600_00, demo - 600_00}, p.naira())
	p.clean()
	p.pass(3 * time.Second)
	got := p.get(made.ID)
	require.Equal(t, payouts.Successful, got.Status)
	require.Equal(t, payouts.Counts{Successful: 2}, got.Counts)
	require.Equal(t, [3]int64{demo - 600_00, 0, demo - 600_00}, p.naira())
	for _, i := range p.items(made.ID) {
		require.NotEmpty(t, i.SessionID)
		require.NotEmpty(t, i.To.AccountName)
	}
	p.clean()
}

func TestWhatBecomesOfAnItemIsWhatTheBankSays(t *testing.T) {
	for _, c := range []struct {
		number     string
		soon, late payouts.ItemStatus
		left       int64
	}{
		{"0123456780", payouts.ItemSuccessful, payouts.ItemSuccessful, demo - 100_00},
		{"0123456785", payouts.ItemSuccessful, payouts.ItemSuccessful, demo}, // it came back
		{"0123456786", payouts.ItemProcessing, payouts.ItemProcessing, demo},
		{"0123456787", payouts.ItemProcessing, payouts.ItemFailed, demo},
		{"0123456788", payouts.ItemSuccessful, payouts.ItemSuccessful, demo - 100_00}, // the bank reports it
		{"0123456789", payouts.ItemFailed, payouts.ItemFailed, demo},
		{"0000000000", payouts.ItemFailed, payouts.ItemFailed, demo},
	} {
		t.Run(c.number, func(t *testing.T) {
			p := newPayroll(t)
			made := p.paid(100_00, c.number)
			p.pass(3 * time.Second)
			require.Equal(t, []payouts.ItemStatus{c.soon}, p.statuses(made.ID))
			p.clean()
			p.pass(25 * time.Hour)
			require.Equal(t, []payouts.ItemStatus{c.late}, p.statuses(made.ID))
			require.Equal(t, c.left, p.naira()[0])
			item := p.items(made.ID)[0]
			require.Equal(t, c.number == "0123456785", !item.ReturnedAt.IsZero())
			require.Equal(t, c.late == payouts.ItemFailed, item.Failure != "" && item.ReturnedAt.IsZero())
			p.clean()
		})
	}
}

func TestAnItemInProgressEndsWhenTheBankReportsIt(t *testing.T) {
	for will, want := range map[sandbox.BankOutcome]payouts.ItemStatus{sandbox.Pays: payouts.ItemSuccessful, sandbox.Fails: payouts.ItemFailed} {
		t.Run(string(will), func(t *testing.T) {
			p := newPayroll(t)
			made := p.paid(100_00, "0123456786")
			p.pass(10 * time.Minute)
			require.Equal(t, payouts.Processing, p.get(made.ID).Status)
			applied, err := p.World.SetBankOutcome(t.Context(), made.Reference+"-0", will)
			require.NoError(t, err)
			require.Equal(t, 1, applied)
			_, err = p.Drain(t.Context())
			require.NoError(t, err)
			require.Equal(t, []payouts.ItemStatus{want}, p.statuses(made.ID), "without a wait: the bank reports it")
			p.clean()
		})
	}
}

func TestAPayoutOfWhichSomeItemsFailIsPartiallySuccessful(t *testing.T) {
	p := newPayroll(t)
	made := p.paid(100_00, "0123456780", "0123456789", "0123456781")
	p.pass(3 * time.Second)
	got := p.get(made.ID)
	require.Equal(t, payouts.PartiallySuccessful, got.Status)
	require.Equal(t, payouts.Counts{Successful: 2, Failed: 1}, got.Counts)
	require.Equal(t, [3]int64{demo - 200_00, 0, demo - 200_00}, p.naira())
	p.clean()
}

func (p *payroll) cancel(id payouts.ID) (got payouts.Details, err error) {
	err = p.Units(p.scope.Env).Write(p.Context(), func(ctx context.Context, tx store.Tx) error {
		got, err = p.Payouts.CancelIn(ctx, tx, p.scope, payouts.Ref{ID: string(id)})
		return err
	})
	return got, err
}

func TestAPayoutCanBeCancelledUntilItIsSent(t *testing.T) {
	p := newPayroll(t)
	made := p.paid(100_00, "0123456780", "0123456781")
	for range 2 {
		got, err := p.cancel(made.ID)
		require.NoError(t, err)
		require.Equal(t, payouts.Cancelled, got.Status)
		require.Equal(t, [3]int64{demo, 0, demo}, p.naira())
	}
	p.pass(time.Hour)
	require.Equal(t, payouts.Cancelled, p.get(made.ID).Status)
	sent, err := p.World.Bank().Outcomes(t.Context(), "", 10)
	require.NoError(t, err)
	require.Empty(t, sent)
	p.clean()

	made = p.paid(100_00, "0123456786")
	p.pass(3 * time.Second)
	_, err = p.cancel(made.ID)
	require.ErrorIs(t, err, ferry.ErrInvalidTransition)
}

func TestAPayoutBeyondTheBalanceIsRefused(t *testing.T) {
	p := newPayroll(t)
	_, err := p.pay(demo/2+1, "0123456780", "0123456781")
	require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
	require.Equal(t, [3]int64{demo, 0, demo}, p.naira())
	list, err := p.Payouts.List(t.Context(), p.scope, payouts.Filter{}, ferry.Page{Number: 1, Limit: 10})
	require.NoError(t, err)
	require.Zero(t, list.Total)
}

func TestOf64PayoutsAtOnceExactlyTheAffordableNumberIsMade(t *testing.T) {
	p := newPayroll(t)
	var made atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			if _, err := p.pay(demo/10, "0123456780"); err == nil {
				made.Add(1)
			} else {
				require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 10, made.Load())
	require.Equal(t, [3]int64{demo, demo, 0}, p.naira())
	p.pass(time.Minute)
	require.Equal(t, [3]int64{0, 0, 0}, p.naira())
	p.clean()
}

func TestABankThatIsDownForADayFailsNoItem(t *testing.T) {
	p := newPayroll(t)
	made := p.paid(100_00, "0123456780", "0123456789", "0123456781")
	require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1_000_000))
	p.pass(24 * time.Hour)
	require.Equal(t, payouts.Counts{Processing: 3}, p.get(made.ID).Counts)
	require.Equal(t, [3]int64{demo, 300_00, demo - 300_00}, p.naira())
	require.NoError(t, p.World.Calm(t.Context()))
	p.pass(time.Hour)
	require.Equal(t, []payouts.ItemStatus{payouts.ItemSuccessful, payouts.ItemFailed, payouts.ItemSuccessful}, p.statuses(made.ID))
	p.clean()
}

func TestAnAmountThatTheBankReportsWronglyIsLeftToAPerson(t *testing.T) {
	p := newPayroll(t)
	require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.WrongAmount, 1))
	made := p.paid(100_00, "0123456780")
	p.pass(time.Hour)
	require.Equal(t, payouts.Processing, p.get(made.ID).Status)
	require.Equal(t, [3]int64{demo, 100_00, demo - 100_00}, p.naira())
	compared, err := p.Payouts.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Len(t, compared.Findings, 1)
	require.Contains(t, compared.Findings[0].Text, "the bank sent 101 NGN")
}

func TestAReturnThatIsNotOfThePaymentBooksNothing(t *testing.T) {
	for name, another := range map[string]func(*bank.Outcome){
		"another amount":  func(o *bank.Outcome) { o.Amount = money.NGN(1_00) },
		"another account": func(o *bank.Outcome) { o.To.AccountNumber = "9999999990" },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPayroll(t)
			made := p.paid(100_00, "0123456780")
			p.pass(time.Minute)
			i := p.items(made.ID)[0]
			o := bank.Outcome{Key: string(i.ID), State: bank.StateReturned, SessionID: i.SessionID, Amount: i.Amount, To: i.To}
			mistaken := o
			another(&mistaken)
			require.NoError(t, p.Payouts.Follow(t.Context(), ferry.Test, mistaken))
			require.Equal(t, [3]int64{demo - 100_00, 0, demo - 100_00}, p.naira())
			require.Equal(t, disburse.NotAsPaid, p.items(made.ID)[0].Progress.Answer)

			require.NoError(t, p.Payouts.Follow(t.Context(), ferry.Test, o), "the bank corrects itself")
			require.Equal(t, [3]int64{demo, 0, demo}, p.naira())
		})
	}
}

func TestAPaymentThatFailsLateGivesItsMoneyBack(t *testing.T) {
	p := newPayroll(t)
	require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.LateFailure, 1))
	made := p.paid(100_00, "0123456780")
	p.pass(10 * time.Second)
	require.Equal(t, payouts.Processing, p.get(made.ID).Status)
	p.pass(time.Minute)
	require.Equal(t, payouts.Failed, p.get(made.ID).Status)
	require.Equal(t, [3]int64{demo, 0, demo}, p.naira())
	p.clean()
}

func TestAnOutcomeThatIsReportedTwiceCountsOnce(t *testing.T) {
	p := newPayroll(t)
	made := p.paid(100_00, "0123456785")
	require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Duplicate, 100))
	p.pass(25 * time.Hour)
	require.Equal(t, [3]int64{demo, 0, demo}, p.naira(), "paid once, back once")
	require.Equal(t, payouts.Successful, p.get(made.ID).Status)
	p.clean()
}

func TestTheHolderOfASingleAccountIsLookedUpAtOnce(t *testing.T) {
	p := newPayroll(t)
	single := func(reference, number string) (payouts.Details, error) {
		return p.Payouts.Create(t.Context(), p.scope, payouts.Params{
			Type: payouts.Single, Reference: reference, Source: p.source(),
			Items: []payouts.Destination{{BankCode: "058", AccountNumber: number, Amount: money.NGN(1)}},
		})
	}
	_, err := single("one", sandbox.NoHolder)
	require.ErrorIs(t, err, payouts.ErrUnknownAccount)
	made, err := single("one", "0123456780")
	require.NoError(t, err)
	holder, err := p.World.Bank().Enquire(t.Context(), "058", "0123456780")
	require.NoError(t, err)
	require.Equal(t, bank.Party{BankCode: "058", AccountNumber: "0123456780", AccountName: holder.AccountName}, p.items(made.ID)[0].To)
	_, err = single("one", "0123456780")
	require.ErrorIs(t, err, payouts.ErrDuplicateReference)
	require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1))
	made, err = single("two", "0123456780")
	require.NoError(t, err)
	require.Empty(t, p.items(made.ID)[0].To.AccountName, "the bank did not answer")
	p.pass(3 * time.Second)
	require.Equal(t, holder.AccountName, p.items(made.ID)[0].To.AccountName)
}
