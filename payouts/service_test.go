package payouts_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// Accounts of the bank of the sandbox, by what it does with a payment to them.
const (
	paid, paidToo = "0123456780", "0123456781"
	comesBack     = "0123456785"
	staysPending  = "0123456786"
	refused       = "0123456789"
)

// office is a business that pays people out of 1,000,000.00 NGN, and the types of the events of its
// payouts.
type office struct {
	*testing.T
	*engine.Engine
	business business.Business
	told     []string
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{T: t}
	e, err := engine.New(engine.Config{Store: memstore.New(), Listeners: engine.Listeners{
		Event: []engine.Listener[webhook.Event]{func(_ context.Context, _ store.Tx, event webhook.Event) error {
			o.told = append(o.told, event.Type)
			return nil
		}},
	}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	o.Engine, o.business = e, tenant.Business
	return o
}

func (o *office) scope() ferry.Scope { return o.business.Scope }

// salaries is a payout of 100.00 NGN to each account.
func (o *office) salaries(numbers ...string) payouts.Params {
	p := payouts.Params{Type: payouts.Bulk, Reference: "salaries", Source: o.business.SourceAccounts[0].AccountNumber}
	for _, number := range numbers {
		p.Items = append(p.Items, payouts.Destination{Reference: "of-" + number, BankCode: "058", AccountNumber: number, Amount: money.NGN(100_00)})
	}
	return p
}

func (o *office) make(numbers ...string) payouts.Details {
	o.Helper()
	return must(o.Payouts.Create(o.Context(), o.scope(), o.salaries(numbers...)))
}

func (o *office) found() payouts.Details {
	o.Helper()
	return must(o.Payouts.Get(o.Context(), o.scope(), payouts.Ref{Reference: "salaries"}))
}

// statuses are those of the items of a payout.
func statuses(of payouts.Details) (all []payouts.ItemStatus) {
	for _, i := range of.Items {
		all = append(all, i.Status)
	}
	return all
}

func (o *office) in(work func(context.Context, store.Tx) error) error {
	return o.Units(ferry.Test).Write(o.Context(), work)
}

func (o *office) pass(d time.Duration) {
	o.Helper()
	must(o.Advance(o.Context(), d))
}

// sendFirst has the bank asked for one item of a payout only.
func (o *office) sendFirst() {
	o.Helper()
	must(o.World.Advance(o.Context(), payouts.DefaultDelay))
	require.Equal(o, 1, must(o.Payouts.RunDue(o.Context(), 1)))
}

// wait lets payouts of 150.00 NGN and more wait for an approval.
func (o *office) wait() {
	o.Helper()
	from := money.NGN(150_00)
	require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) error {
		_, err := o.Outflow.ChangeIn(ctx, tx, o.scope(), outflow.Change{NGN: outflow.LimitChange{Approval: &from}})
		return err
	}))
}

// aside is what of the naira of the business is set aside.
func (o *office) aside() money.Amount {
	o.Helper()
	var account ledger.Account
	require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) (err error) {
		account, err = tx.Ledger().Account(ctx, ledger.BusinessAccount(o.scope(), money.AssetNGN))
		return err
	}))
	return account.Reserved
}

// asked are the payments that the bank was asked for.
func (o *office) asked() []bank.Outcome {
	o.Helper()
	return must(o.World.Bank().Outcomes(o.Context(), "", 100))
}

func fields(err error) []ferry.Field {
	var refused *ferry.Error
	if errors.As(err, &refused) && errors.Is(err, ferry.ErrValidation) {
		return refused.Fields
	}
	return nil
}

func TestAPayoutIsRefusedForAllThatIsWrongWithIt(t *testing.T) {
	const missing, odd = "Missing required field", "Must be 1 to 100 letters, digits, hyphens or underscores"
	o := newOffice(t)
	bulk := o.salaries(paid, paidToo)
	bulk.Reference = ""
	bulk.Items[0] = payouts.Destination{}
	bulk.Items[1].Reference = "of ada"
	_, err := o.Payouts.Create(t.Context(), o.scope(), bulk)
	require.Equal(t, []ferry.Field{
		{Name: "reference", Message: missing},
		{Name: "items.0.reference", Message: missing},
		{Name: "items.0.amount", Message: missing},
		{Name: "items.0.bank_code", Message: missing},
		{Name: "items.0.account_number", Message: missing},
		{Name: "items.1.reference", Message: odd},
	}, fields(err))

	single := o.salaries(paid)
	single.Type, single.Reference, single.Items[0].Amount = payouts.Single, "march!", money.NGN(-1)
	_, err = o.Payouts.Create(t.Context(), o.scope(), single)
	require.Equal(t, []ferry.Field{{Name: "reference", Message: odd}, {Name: "amount", Message: "Must be greater than 0"}}, fields(err))

	list := must(o.Payouts.List(t.Context(), o.scope(), payouts.Filter{}, ferry.Page{}))
	require.Empty(t, list.Data)
	require.True(t, o.aside().IsZero())
}

func TestASinglePayoutIsToExactlyOneAccount(t *testing.T) {
	o := newOffice(t)
	for _, numbers := range [][]string{{}, {paid, paidToo}} {
		p := o.salaries(numbers...)
		p.Type = payouts.Single
		_, err := o.Payouts.Create(t.Context(), o.scope(), p)
		require.Equal(t, []ferry.Field{{Name: "items", Message: "A single payout has exactly one item"}}, fields(err))
	}
}

func TestAPayoutAndItsItemsAreMadeAtOneInstant(t *testing.T) {
	o := newOffice(t)
	made := o.make(paid, paidToo)
	require.False(t, made.CreatedAt.IsZero())
	require.Equal(t, made.CreatedAt, made.UpdatedAt)
	for _, i := range made.Items {
		require.Equal(t, []time.Time{made.CreatedAt, made.CreatedAt}, []time.Time{i.CreatedAt, i.UpdatedAt})
	}
}

func TestAPayoutCountsTheItemsThatHaveLeftWhatItReserved(t *testing.T) {
	o := newOffice(t)
	require.Zero(t, o.make(paid, refused, staysPending).Slices)
	o.pass(time.Minute)
	require.Equal(t, 2, o.found().Slices)
	require.Equal(t, money.NGN(100_00), o.aside())
}

func TestNothingIsPaidToAnAccountThatTheBankDoesNotKnow(t *testing.T) {
	o := newOffice(t)
	o.make(sandbox.NoHolder)
	o.pass(time.Minute)
	item := o.found().Items[0]
	require.Equal(t, payouts.ItemFailed, item.Status)
	require.Equal(t, payouts.ErrUnknownAccount.Error(), item.Failure)
	require.Empty(t, o.asked())
	require.True(t, o.aside().IsZero())
}

func TestAnItemKeepsTheNameOfItsHolderHoweverItEnds(t *testing.T) {
	o := newOffice(t)
	o.make(paid, refused)
	o.pass(time.Minute)
	got := o.found()
	require.Equal(t, []payouts.ItemStatus{payouts.ItemSuccessful, payouts.ItemFailed}, statuses(got))
	for _, i := range got.Items {
		require.Equal(t, must(o.World.Bank().Enquire(t.Context(), "058", i.To.AccountNumber)).AccountName, i.To.AccountName)
	}
}

// A store that was restored to before the approval has a payout wait of which the bank was asked
// for an item. It is asked again, until it says how that ended.
func TestTheBankIsAskedAboutAnItemThatItHasWhileItsPayoutWaits(t *testing.T) {
	o := newOffice(t)
	o.wait()
	made := o.make(paid, paidToo)
	require.Equal(t, outflow.PendingApproval, made.Stage)
	require.NoError(t, o.Payouts.Follow(t.Context(), ferry.Test, bank.Outcome{
		Key: string(made.Items[0].ID), State: bank.StateInProgress, Amount: made.Items[0].Amount, To: made.Items[0].To,
	}))
	require.Equal(t, []payouts.ItemStatus{payouts.ItemProcessing, payouts.ItemPending}, statuses(o.found()))
	o.pass(time.Hour)
	got := o.found()
	require.Equal(t, []payouts.ItemStatus{payouts.ItemSuccessful, payouts.ItemPending}, statuses(got))
	require.Equal(t, outflow.PendingApproval, got.Stage, "the rest waits")
	require.Equal(t, money.NGN(100_00), o.aside())
}

func TestAPayoutThatIsHalfSentIsProcessedOnRequest(t *testing.T) {
	o := newOffice(t)
	made := o.make(staysPending, paid)
	o.sendFirst()
	require.Equal(t, payouts.Counts{Pending: 1, Processing: 1}, o.found().Counts)
	require.NoError(t, o.in(func(ctx context.Context, tx store.Tx) error {
		_, err := o.Payouts.ProcessIn(ctx, tx, o.scope(), payouts.Ref{ID: string(made.ID)})
		return err
	}))
	must(o.Drain(t.Context()))
	require.Equal(t, []payouts.ItemStatus{payouts.ItemProcessing, payouts.ItemSuccessful}, statuses(o.found()))
}

func TestACancelLeavesWhatTheBankMayHavePaidAndTheEndIsToldWithThat(t *testing.T) {
	o := newOffice(t)
	made := o.make(staysPending, paid, paidToo)
	o.sendFirst()
	var left payouts.Details
	require.NoError(t, o.in(func(ctx context.Context, tx store.Tx) (err error) {
		left, err = o.Payouts.CancelIn(ctx, tx, o.scope(), payouts.Ref{ID: string(made.ID)})
		return err
	}))
	want := []payouts.ItemStatus{payouts.ItemProcessing, payouts.ItemCancelled, payouts.ItemCancelled}
	require.Equal(t, want, statuses(left), "the answer")
	require.Equal(t, left, o.found())
	require.Equal(t, money.NGN(100_00), o.aside())
	o.pass(time.Hour)
	require.Equal(t, want, statuses(o.found()))
	require.NotContains(t, o.told, payouts.EventCompleted)

	must(o.World.SetBankOutcome(t.Context(), staysPending, sandbox.Pays))
	o.pass(time.Minute)
	require.Equal(t, payouts.PartiallySuccessful, o.found().Status)
	require.Equal(t, []string{payouts.EventItemProcessing, payouts.EventItemSuccessful, payouts.EventCompleted}, o.told)
}

func TestOnlyAPayoutThatWaitsForItsApprovalIsDecided(t *testing.T) {
	o := newOffice(t)
	o.make(paid)
	made := o.found()
	for name, decide := range map[string]func(context.Context, store.Tx) error{
		"approved": func(ctx context.Context, tx store.Tx) error { return o.Payouts.ApproveIn(ctx, tx, o.scope(), made.ID) },
		"rejected": func(ctx context.Context, tx store.Tx) error { return o.Payouts.RejectIn(ctx, tx, o.scope(), made.ID) },
	} {
		require.ErrorIs(t, o.in(decide), ferry.ErrInvalidTransition, name)
		require.Equal(t, made, o.found(), name)
	}
}

func TestAllNamesOfAPayoutLeadToIt(t *testing.T) {
	o := newOffice(t)
	other := o.salaries(paidToo)
	other.Reference = "rent"
	rent := must(o.Payouts.Create(t.Context(), o.scope(), other))
	o.make(paid)
	o.pass(time.Minute)
	made := o.found()
	item := made.Items[0]
	require.NotEmpty(t, item.SessionID)
	for _, ref := range []payouts.Ref{
		{ID: string(made.ID)},
		{ID: ferry.UID(string(made.ID))},
		{Name: string(made.ID)},
		{Name: "salaries"},
		{Item: string(item.ID)},
		{Item: ferry.UID(string(item.ID))},
		{ItemReference: item.Reference},
		{SessionID: item.SessionID},
		{Reference: "salaries", Type: payouts.Bulk},
		{ID: string(made.ID), Reference: "salaries", Item: string(item.ID), ItemReference: item.Reference, SessionID: item.SessionID},
	} {
		require.Equal(t, made, must(o.Payouts.Get(t.Context(), o.scope(), ref)), "%+v", ref)
	}
	for _, ref := range []payouts.Ref{
		{},
		{Type: payouts.Bulk},
		{ID: string(item.ID)},
		{ID: "salaries"},
		{Name: string(item.ID)},
		{Item: string(made.ID)},
		{Item: payouts.ItemPrefix + "0"},
		{ItemReference: "salaries"},
		{SessionID: "unknown"},
		{Reference: "salaries", Type: payouts.Single},
		{Reference: "salaries", ID: string(rent.ID)},
		{Reference: "rent", SessionID: item.SessionID},
	} {
		_, err := o.Payouts.Get(t.Context(), o.scope(), ref)
		require.ErrorIs(t, err, payouts.ErrNotFound, "%+v", ref)
	}
}
