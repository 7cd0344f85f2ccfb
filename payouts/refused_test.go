package payouts_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
)

func TestABulkPayoutHasOneToAThousandItems(t *testing.T) {
	for n, want := range map[int][]ferry.Field{
		0: {{Name: "items", Message: "Must have 1 to 1000 items"}}, 1: nil, payouts.MaxItems: nil,
		payouts.MaxItems + 1: {{Name: "items", Message: "Must have 1 to 1000 items"}},
	} {
		p := payouts.Params{Type: payouts.Bulk, Reference: "run", Source: "5412000000"}
		for i := range n {
			p.Items = append(p.Items, payouts.Destination{
				Reference: fmt.Sprintf("item-%d", i), BankCode: "058", AccountNumber: paid, Amount: money.NGN(1),
			})
		}
		var problems ferry.Problems
		p.Check(&problems)
		require.Equal(t, want, fields(problems.Err()), n)
	}
}

func TestTheFieldsOfAPayoutAreCheckedOneByOne(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*payouts.Params)
		want   []ferry.Field
	}{
		"right":            {func(*payouts.Params) {}, nil},
		"unknown type":     {func(p *payouts.Params) { p.Type = "many" }, []ferry.Field{{Name: "type", Message: "Must be single or bulk"}}},
		"no source":        {func(p *payouts.Params) { p.Source = "" }, []ferry.Field{{Name: "source_account_number", Message: "Missing required field"}}},
		"narration":        {func(p *payouts.Params) { p.Narration = strings.Repeat("a", 200) }, nil},
		"longer narration": {func(p *payouts.Params) { p.Narration = strings.Repeat("a", 201) }, []ferry.Field{{Name: "narration", Message: "Must be at most 200 characters"}}},
		"a reference twice": {
			func(p *payouts.Params) { p.Items[2].Reference = p.Items[0].Reference }, []ferry.Field{{Name: "items.2.reference", Message: "Is that of item 0"}},
		},
		"no reference twice": {
			func(p *payouts.Params) { p.Items[0].Reference, p.Items[1].Reference = "", "" }, []ferry.Field{
				{Name: "items.0.reference", Message: "Missing required field"}, {Name: "items.1.reference", Message: "Missing required field"},
				{Name: "items.1.reference", Message: "Is that of item 0"},
			},
		},
		"no naira":        {func(p *payouts.Params) { p.Items[1].Amount = money.USDC(1) }, []ferry.Field{{Name: "items.1.amount", Message: "Must be in naira"}}},
		"nothing":         {func(p *payouts.Params) { p.Items[1].Amount = money.NGN(0) }, []ferry.Field{{Name: "items.1.amount", Message: "Must be greater than 0"}}},
		"the most":        {func(p *payouts.Params) { p.Items[1].Amount = money.NGN(money.Ceiling) }, nil},
		"more":            {func(p *payouts.Params) { p.Items[1].Amount = money.NGN(money.Ceiling + 1) }, []ferry.Field{{Name: "items.1.amount", Message: money.NGN(money.Ceiling + 1).CeilingProblem()}}},
		"no bank":         {func(p *payouts.Params) { p.Items[1].BankCode = "" }, []ferry.Field{{Name: "items.1.bank_code", Message: "Missing required field"}}},
		"no account":      {func(p *payouts.Params) { p.Items[1].AccountNumber = "" }, []ferry.Field{{Name: "items.1.account_number", Message: "Missing required field"}}},
		"a short account": {func(p *payouts.Params) { p.Items[1].AccountNumber = "012345678" }, []ferry.Field{{Name: "items.1.account_number", Message: "Must be 10 digits"}}},
		"what is single":  {func(p *payouts.Params) { p.Type, p.Items = payouts.Single, p.Items[:1] }, nil},
		"of what is single": {func(p *payouts.Params) {
			p.Type, p.Items = payouts.Single, []payouts.Destination{{}}
		}, []ferry.Field{
			{Name: "amount", Message: "Missing required field"}, {Name: "beneficiary.bank_code", Message: "Missing required field"},
			{Name: "beneficiary.account_number", Message: "Missing required field"},
		}},
	} {
		p := payouts.Params{Type: payouts.Bulk, Reference: "run", Source: "5412000000"}
		for i := range 3 {
			p.Items = append(p.Items, payouts.Destination{
				Reference: fmt.Sprintf("item-%d", i), BankCode: "058", AccountNumber: paid, Amount: money.NGN(1),
			})
		}
		c.change(&p)
		var problems ferry.Problems
		p.Check(&problems)
		require.Equal(t, c.want, fields(problems.Err()), name)
	}
}

func TestTheSumOfAPayoutHasTheCeilingOfOneOperation(t *testing.T) {
	o := newOffice(t)
	p := o.salaries(paid, paidToo)
	p.Items[0].Amount, p.Items[1].Amount = money.NGN(money.Ceiling-1), money.NGN(1)
	_, err := o.Payouts.Create(t.Context(), o.scope(), p)
	require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
	p.Items[1].Amount = money.NGN(2)
	_, err = o.Payouts.Create(t.Context(), o.scope(), p)
	require.Equal(t, []ferry.Field{{Name: "items", Message: "The sum must not be more than " + money.NGN(money.Ceiling).String()}}, fields(err))
}

func TestOnlyAnAccountOfItsBusinessIsTheSourceOfAPayout(t *testing.T) {
	o := newOffice(t)
	p := o.salaries(paid)
	p.Source = must(o.CreateTenant(t.Context(), ferry.Test, "Other")).Business.SourceAccounts[0].AccountNumber
	_, err := o.Payouts.Create(t.Context(), o.scope(), p)
	require.Equal(t, []ferry.Field{{Name: "source_account_number", Message: "Is no source account of this business"}}, fields(err))
}

func TestAReferenceThatIsTakenIsRefusedBeforeALimit(t *testing.T) {
	o := newOffice(t)
	made := o.make(paid)
	most := money.NGN(50_00)
	require.NoError(t, o.in(func(ctx context.Context, tx store.Tx) error {
		_, err := o.Outflow.ChangeIn(ctx, tx, o.scope(), outflow.Change{NGN: outflow.LimitChange{Operation: &most}})
		return err
	}))
	_, err := o.Payouts.Create(t.Context(), o.scope(), o.salaries(paid))
	require.ErrorIs(t, err, payouts.ErrDuplicateReference)
	another := o.salaries(paid)
	another.Reference = "another"
	_, err = o.Payouts.Create(t.Context(), o.scope(), another)
	require.ErrorIs(t, err, outflow.ErrLimit)
	require.Equal(t, made.Reserved, o.aside())
}

func TestTheItemWhoseReferenceIsTakenIsNamed(t *testing.T) {
	o := newOffice(t)
	o.make(paidToo)
	p := o.salaries(paid, paidToo)
	p.Reference = "another"
	_, err := o.Payouts.Create(t.Context(), o.scope(), p)
	require.ErrorIs(t, err, payouts.ErrDuplicateReference)
	var refused *ferry.Error
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.Fields, 1)
	require.Equal(t, "items.1.reference", refused.Fields[0].Name)

	p = o.salaries(paid)
	p.Type, p.Reference = payouts.Single, "of-"+paidToo
	_, err = o.Payouts.Create(t.Context(), o.scope(), p)
	require.ErrorIs(t, err, payouts.ErrDuplicateReference)
	require.ErrorAs(t, err, &refused)
	require.Empty(t, refused.Fields)
	require.Equal(t, money.NGN(100_00), o.aside(), "that of the first payout")
}

func TestADestinationThatIsNotAllowedIsNamedWhereItStands(t *testing.T) {
	o := newOffice(t)
	only := true
	require.NoError(t, o.in(func(ctx context.Context, tx store.Tx) error {
		_, err := o.Outflow.ChangeIn(ctx, tx, o.scope(), outflow.Change{AllowList: &only, Destinations: &[]outflow.Destination{{BankCode: "058", AccountNumber: paid}}})
		return err
	}))
	single := o.salaries(paidToo)
	single.Type = payouts.Single
	for field, p := range map[string]payouts.Params{"items.1.account_number": o.salaries(paid, paidToo), "beneficiary.account_number": single} {
		_, err := o.Payouts.Create(t.Context(), o.scope(), p)
		require.ErrorIs(t, err, outflow.ErrDestination)
		var refused *ferry.Error
		require.ErrorAs(t, err, &refused)
		require.Len(t, refused.Fields, 1)
		require.Equal(t, field, refused.Fields[0].Name)
	}
}

func TestAPayoutThatIsProcessedIsSentAtOnce(t *testing.T) {
	o := newOffice(t)
	made := o.make(paid)
	process := func() error {
		return o.in(func(ctx context.Context, tx store.Tx) error {
			_, err := o.Payouts.ProcessIn(ctx, tx, o.scope(), payouts.Ref{ID: string(made.ID)})
			return err
		})
	}
	require.Zero(t, must(o.Payouts.RunDue(t.Context(), 10)), "a payout is not sent for a while")
	require.NoError(t, process())
	require.Equal(t, 1, must(o.Payouts.RunDue(t.Context(), 10)))
	require.Equal(t, payouts.Successful, o.found().Status)
	require.ErrorIs(t, process(), ferry.ErrInvalidTransition, "it has ended")
}

func TestARefreshAsksAboutWhatIsInProgressAndSaysWhetherTheBankHasAnswered(t *testing.T) {
	o := newOffice(t)
	ref := payouts.Ref{Reference: "salaries"}
	made := o.make(staysPending, paid)
	require.True(t, must(o.Payouts.Refresh(t.Context(), o.scope(), ref)), "there is nothing to ask about")
	require.Empty(t, o.asked(), "it does not pay")
	o.pass(time.Minute)
	require.True(t, must(o.Payouts.Refresh(t.Context(), o.scope(), ref)))
	require.NoError(t, o.World.Inject(t.Context(), "bank", "unavailable", 1))
	require.False(t, must(o.Payouts.Refresh(t.Context(), o.scope(), ref)), "the bank is down")
	require.Equal(t, payouts.ItemProcessing, o.found().Items[0].Status)
	require.Equal(t, made.ID, o.found().ID)
	_, err := o.Payouts.Refresh(t.Context(), o.scope(), payouts.Ref{Reference: "unknown"})
	require.ErrorIs(t, err, payouts.ErrNotFound)
}

func TestWhatTheBankReportsOfPaymentsOfOthersIsNoConcern(t *testing.T) {
	o := newOffice(t)
	made := o.make(paid)
	for _, key := range []string{"", "x", payouts.ItemPrefix, payouts.ItemPrefix + "0", string(made.ID), "trf_" + string(made.ID[len(payouts.Prefix):])} {
		require.NoError(t, o.Payouts.Follow(t.Context(), ferry.Test, bank.Outcome{Key: key, State: bank.StatePaid, Amount: money.NGN(100_00)}), key)
		require.Equal(t, payouts.Pending, o.found().Status, key)
	}
}

// asking is a bank that notes about which payments it is asked.
type asking struct {
	bank.Bank
	about []string
}

func (a *asking) Outcome(ctx context.Context, key string) (bank.Outcome, error) {
	a.about = append(a.about, key)
	return a.Bank.Outcome(ctx, key)
}

func TestARefreshAsksFirstAboutWhatWasLookedAtLongestAgo(t *testing.T) {
	o := newOffice(t)
	p := o.salaries(staysPending, "0123456796", "0123456776", paid)
	made := must(o.Payouts.Create(t.Context(), o.scope(), p))
	o.pass(time.Minute)
	require.NoError(t, o.in(func(ctx context.Context, tx store.Tx) error {
		for n, i := range o.items(ctx, tx, made) {
			i.UpdatedAt = tx.Now().Add([]time.Duration{-time.Second, -time.Minute, -time.Hour, 0}[n])
			if err := payouts.ItemKind.Update(ctx, tx, i); err != nil {
				return err
			}
		}
		return nil
	}))
	a := &asking{Bank: o.World.Bank()}
	own := payouts.New(
		ferry.Narrow(ferry.UnitsOf(o.Units(ferry.Live), o.Units(ferry.Test)), func(tx store.Tx) payouts.Tx { return tx }),
		payouts.Config{Sending: disburse.Config{Banks: map[ferry.Env]bank.Bank{ferry.Test: a}}},
	)
	require.True(t, must(own.Refresh(t.Context(), o.scope(), payouts.Ref{Reference: "salaries"})))
	require.Equal(t, []string{string(made.Items[2].ID), string(made.Items[1].ID), string(made.Items[0].ID)}, a.about)
}

// items are those of a payout as a unit has them.
func (o *office) items(ctx context.Context, tx store.Tx, of payouts.Details) (all []payouts.Item) {
	for _, i := range of.Items {
		all = append(all, must(payouts.ItemKind.Get(ctx, tx, o.scope(), i.ID)))
	}
	return all
}
