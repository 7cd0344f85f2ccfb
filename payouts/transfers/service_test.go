package transfers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// Accounts of the bank of the sandbox, by what it does with a payment to them.
const (
	paid    = "0123456780"
	refused = "0123456789"
)

// tenant is a business that pays its rent.
type tenant struct {
	*testing.T
	*engine.Engine
	business business.Business
}

func newTenant(t *testing.T) *tenant {
	t.Helper()
	e, made := enginetest.New(t)
	return &tenant{T: t, Engine: e, business: made.Business}
}

func (p *tenant) scope() ferry.Scope { return p.business.Scope }

// rent is a transfer of 200.00 NGN from the wallet of the business.
func rent(number string) transfers.Params {
	return transfers.Params{
		Channel: transfers.FromWallet, Reference: "rent", Currency: "NGN", BankCode: "058", AccountNumber: number, Amount: money.NGN(200_00),
	}
}

func (p *tenant) found() transfers.Transfer {
	p.Helper()
	return must(p.Transfers.Get(p.Context(), p.scope(), transfers.Ref{Reference: "rent"}))
}

func (p *tenant) in(work func(context.Context, store.Tx) error) error {
	return p.Units(ferry.Test).Write(p.Context(), work)
}

func TestATransferNamesTheAccountOfItsBusinessByEitherFormOfItsID(t *testing.T) {
	p := newTenant(t)
	require.NoError(t, p.in(func(ctx context.Context, tx store.Tx) error {
		b, err := business.Of(ctx, tx, p.scope())
		if err != nil {
			return err
		}
		second := b.SourceAccounts[0]
		second.ID, second.AccountNumber = second.ID[:len(second.ID)-1]+"x", "5412000000"
		b.SourceAccounts = append(b.SourceAccounts, second)
		p.business = b
		return business.Kind.Update(ctx, tx, b)
	}))
	for _, a := range p.business.SourceAccounts {
		for _, name := range []string{a.ID, ferry.UID(a.ID)} {
			params := rent(paid)
			params.Channel, params.Source, params.Reference = transfers.FromAccount, name, ""
			made := must(p.Transfers.Create(t.Context(), p.scope(), params))
			require.Equal(t, []string{a.ID, a.AccountNumber}, []string{made.Source, made.SourceNumber})
		}
	}
}

func TestTheNameOfTheHolderIsKeptOnceTheBankTellsIt(t *testing.T) {
	for number, want := range map[string]transfers.Status{paid: transfers.Success, refused: transfers.Failed} {
		t.Run(string(want), func(t *testing.T) {
			p := newTenant(t)
			holder := must(p.World.Bank().Enquire(t.Context(), "058", number)).AccountName
			require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1))
			made := must(p.Transfers.Create(t.Context(), p.scope(), rent(number)))
			require.Empty(t, made.To.AccountName, "the bank did not answer")
			enginetest.Advance(t, p.Engine, time.Minute)
			got := p.found()
			require.Equal(t, want, got.Status)
			require.Equal(t, holder, got.To.AccountName)
		})
	}
}

func TestTheNameOfTheHolderStaysWhenTheBankDoesNotRepeatIt(t *testing.T) {
	for state, want := range map[bank.State]transfers.Status{bank.StatePaid: transfers.Success, bank.StateFailed: transfers.Failed} {
		t.Run(string(want), func(t *testing.T) {
			p := newTenant(t)
			made := must(p.Transfers.Create(t.Context(), p.scope(), rent(paid)))
			require.NotEmpty(t, made.To.AccountName)
			to := made.To
			to.AccountName = ""
			require.NoError(t, p.Transfers.Follow(t.Context(), ferry.Test, bank.Outcome{
				Key: string(made.ID), State: state, SessionID: "session-1", Amount: made.Amount, To: to,
			}))
			got := p.found()
			require.Equal(t, want, got.Status)
			require.Equal(t, made.To, got.To)
		})
	}
}

// A store that was restored to before the approval has a transfer wait that the bank was asked for.
// It is asked again, until it says how that ended.
func TestTheBankIsAskedAboutATransferThatItHasWhileItWaits(t *testing.T) {
	p := newTenant(t)
	from := money.NGN(100_00)
	require.NoError(t, p.in(func(ctx context.Context, tx store.Tx) error {
		_, err := p.Outflow.ChangeIn(ctx, tx, p.scope(), outflow.Change{NGN: outflow.LimitChange{Approval: &from}})
		return err
	}))
	made := must(p.Transfers.Create(t.Context(), p.scope(), rent(paid)))
	require.Equal(t, outflow.PendingApproval, made.Stage)
	require.NoError(t, p.Transfers.Follow(t.Context(), ferry.Test, bank.Outcome{
		Key: string(made.ID), State: bank.StateInProgress, Amount: made.Amount, To: made.To,
	}))
	got := p.found()
	require.Equal(t, transfers.Processing, got.Status)
	require.Equal(t, outflow.Free, got.Stage, "it waits no more")
	enginetest.Advance(t, p.Engine, time.Hour)
	require.Equal(t, transfers.Success, p.found().Status)
}

func TestOnlyATransferThatWaitsForItsApprovalIsDecided(t *testing.T) {
	p := newTenant(t)
	made := must(p.Transfers.Create(t.Context(), p.scope(), rent(paid)))
	for name, decide := range map[string]func(context.Context, store.Tx) error{
		"approved": func(ctx context.Context, tx store.Tx) error {
			return p.Transfers.ApproveIn(ctx, tx, p.scope(), made.ID)
		},
		"rejected": func(ctx context.Context, tx store.Tx) error {
			return p.Transfers.RejectIn(ctx, tx, p.scope(), made.ID, "no")
		},
	} {
		require.ErrorIs(t, p.in(decide), ferry.ErrInvalidTransition, name)
		require.Equal(t, made, p.found(), name)
	}
}
