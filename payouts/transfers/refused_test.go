package transfers_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/store"
)

func TestTheFieldsOfATransferAreCheckedOneByOne(t *testing.T) {
	const missing = "Missing required field"
	fromAccount := func(p *transfers.Params) { p.Channel = transfers.FromAccount }
	for name, c := range map[string]struct {
		change func(*transfers.Params)
		want   []ferry.Field
	}{
		"right":             {func(*transfers.Params) {}, nil},
		"without reference": {func(p *transfers.Params) { p.Reference = "" }, nil},
		"odd reference":     {func(p *transfers.Params) { p.Reference = "the rent" }, []ferry.Field{{Name: "reference", Message: "Must be 1 to 100 letters, digits, hyphens or underscores"}}},
		"no currency":       {func(p *transfers.Params) { p.Currency = "" }, []ferry.Field{{Name: "currency", Message: missing}}},
		"no source":         {fromAccount, []ferry.Field{{Name: "source_bank_account_id", Message: missing}}},
		"a source":          {func(p *transfers.Params) { fromAccount(p); p.Source = "bank_1" }, nil},
		"narration":         {func(p *transfers.Params) { p.Narration = strings.Repeat("a", 200) }, nil},
		"longer narration":  {func(p *transfers.Params) { p.Narration = strings.Repeat("a", 201) }, []ferry.Field{{Name: "narration", Message: "Must be at most 200 characters"}}},
		"no account from the wallet": {func(p *transfers.Params) { p.Amount, p.BankCode, p.AccountNumber = money.Amount{}, "", "" }, []ferry.Field{
			{Name: "amount", Message: missing}, {Name: "bank_code", Message: missing}, {Name: "account_number", Message: missing},
		}},
		"nothing right": {func(p *transfers.Params) {
			*p = transfers.Params{Channel: transfers.FromAccount, Narration: strings.Repeat("a", 201)}
		}, []ferry.Field{
			{Name: "currency", Message: missing}, {Name: "source_bank_account_id", Message: missing}, {Name: "amount", Message: missing},
			{Name: "narration", Message: "Must be at most 200 characters"},
			{Name: "beneficiary.bank_code", Message: missing}, {Name: "beneficiary.account_number", Message: missing},
		}},
		"no account from an account": {func(p *transfers.Params) {
			fromAccount(p)
			p.Source, p.BankCode, p.AccountNumber = "bank_1", "", ""
		}, []ferry.Field{{Name: "beneficiary.bank_code", Message: missing}, {Name: "beneficiary.account_number", Message: missing}}},
	} {
		params := rent(paid)
		c.change(&params)
		var problems ferry.Problems
		params.Check(&problems)
		var refused *ferry.Error
		if errors.As(problems.Err(), &refused) {
			require.Equal(t, c.want, refused.Fields, name)
			continue
		}
		require.Empty(t, c.want, name)
	}
}

func TestATransferThatIsNotAllowedAnyMoreIsNotApproved(t *testing.T) {
	p := newTenant(t)
	from := money.NGN(100_00)
	change := func(c outflow.Change) {
		require.NoError(t, p.in(func(ctx context.Context, tx store.Tx) error {
			_, err := p.Outflow.ChangeIn(ctx, tx, p.scope(), c)
			return err
		}))
	}
	change(outflow.Change{NGN: outflow.LimitChange{Approval: &from}})
	made := must(p.Transfers.Create(t.Context(), p.scope(), rent(paid)))
	require.Equal(t, outflow.PendingApproval, made.Stage)
	only := true
	change(outflow.Change{AllowList: &only, Destinations: &[]outflow.Destination{{BankCode: "058", AccountNumber: "0123456781"}}})
	approve := func(ctx context.Context, tx store.Tx) error {
		return p.Transfers.ApproveIn(ctx, tx, p.scope(), made.ID)
	}
	require.ErrorIs(t, p.in(approve), outflow.ErrDestination)
	require.Equal(t, made, p.found())

	change(outflow.Change{Destinations: &[]outflow.Destination{{BankCode: "058", AccountNumber: paid}}})
	enginetest.Advance(t, p.Engine, 5e9)
	require.NoError(t, p.in(approve))
	got := p.found()
	require.Equal(t, outflow.Free, got.Stage)
	require.True(t, got.UpdatedAt.After(made.UpdatedAt))
	enginetest.Advance(t, p.Engine, 1e9)
	require.Equal(t, transfers.Success, p.found().Status)
}

func TestATransferIsFoundByItsNames(t *testing.T) {
	p := newTenant(t)
	made := must(p.Transfers.Create(t.Context(), p.scope(), rent(paid)))
	other := rent(paid)
	other.Reference = "other"
	must(p.Transfers.Create(t.Context(), p.scope(), other))
	for _, ref := range []transfers.Ref{
		{ID: string(made.ID)}, {ID: ferry.UID(string(made.ID))}, {Reference: "rent"}, {ID: string(made.ID), Reference: "rent"},
	} {
		require.Equal(t, made, must(p.Transfers.Get(t.Context(), p.scope(), ref)), "%+v", ref)
	}
	for _, ref := range []transfers.Ref{
		{}, {ID: "rent"}, {ID: "pout_" + string(made.ID[len(transfers.Prefix):])}, {Reference: "unknown"}, {ID: string(made.ID), Reference: "other"},
		{ID: string(made.ID), Reference: "unknown"}, {ID: transfers.Prefix + strings.Repeat("0", 32), Reference: "rent"},
	} {
		_, err := p.Transfers.Get(t.Context(), p.scope(), ref)
		require.ErrorIs(t, err, transfers.ErrNotFound, "%+v", ref)
	}
}
