package engine_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
)

// rent is a transfer from the wallet of the business.
func rent(kobo int64, number string) transfers.Params {
	return transfers.Params{
		Channel: transfers.FromWallet, Currency: "NGN", BankCode: "058", AccountNumber: number, Amount: money.NGN(kobo), Narration: "Rent",
	}
}

func (p *payroll) transferred(params transfers.Params) transfers.Transfer {
	p.Helper()
	made, err := p.Transfers.Create(p.Context(), p.scope, params)
	require.NoError(p, err)
	return made
}

func (p *payroll) transfer(id transfers.ID) transfers.Transfer {
	p.Helper()
	got, err := p.Transfers.Get(p.Context(), p.scope, transfers.Ref{ID: string(id)})
	require.NoError(p, err)
	return got
}

// cleanTransfers requires that the books hold, and agree with the bank.
func (p *payroll) cleanTransfers() {
	p.Helper()
	findings, err := p.Audit(p.Context(), ferry.Test)
	require.NoError(p, err)
	require.Empty(p, findings)
	compared, err := p.Transfers.Reconcile(p.Context(), ferry.Test)
	require.NoError(p, err)
	require.Empty(p, compared.Findings)
}

func TestWhatBecomesOfATransferIsWhatTheBankSays(t *testing.T) {
	for _, c := range []struct {
		number     string
		soon, late transfers.Status
		left       int64
	}{
		{"0123456780", transfers.Success, transfers.Success, demo - 100_00},
		{"0123456785", transfers.Success, transfers.Reversed, demo},
		{"0123456786", transfers.Processing, transfers.Processing, demo},
		{"0123456787", transfers.Processing, transfers.Failed, demo},
		{"0123456788", transfers.Success, transfers.Success, demo - 100_00}, // the bank reports it
		{"0123456789", transfers.Failed, transfers.Failed, demo},
	} {
		t.Run(c.number, func(t *testing.T) {
			p := newPayroll(t)
			made := p.transferred(rent(100_00, c.number))
			require.Equal(t, transfers.Pending, made.Status)
			require.Equal(t, [3]int64{demo, 100_00, demo - 100_00}, p.naira())
			p.cleanTransfers()
			p.pass(time.Second)
			require.Equal(t, c.soon, p.transfer(made.ID).Status)
			p.cleanTransfers()
			p.pass(25 * time.Hour)
			got := p.transfer(made.ID)
			require.Equal(t, c.late, got.Status)
			require.Equal(t, c.left, p.naira()[0])
			require.Equal(t, c.late == transfers.Processing, p.naira()[1] != 0)
			require.Equal(t, c.late == transfers.Reversed, !got.ReturnedAt.IsZero())
			require.Equal(t, c.late == transfers.Failed || c.late == transfers.Reversed, got.Failure != "")
			p.cleanTransfers()
		})
	}
}

func TestATransferThatComesBackGivesItsAmountBackWithoutTheFees(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New(), Tariffs: fees.Tariffs{fees.Transfer: {
		Platform: fees.Rule{Flat: money.NGN(30_00)}, Processing: fees.Rule{Flat: money.NGN(20_00)},
	}}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	p := &payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}
	made := p.transferred(rent(100_00, "0123456785"))
	require.Equal(t, [2]money.Amount{money.NGN(demo), money.NGN(demo - 150_00)}, [2]money.Amount{made.BalanceBefore, made.BalanceAfter})
	require.Equal(t, [3]int64{demo, 150_00, demo - 150_00}, p.naira())
	p.pass(time.Second)
	require.Equal(t, [3]int64{demo - 150_00, 0, demo - 150_00}, p.naira())
	p.pass(25 * time.Hour)
	require.Equal(t, [3]int64{demo - 50_00, 0, demo - 50_00}, p.naira())
	lines, err := e.Statement.List(t.Context(), p.scope, statement.Filter{Channel: "transfer"}, ferry.Page{Number: 1, Limit: 10})
	require.NoError(t, err)
	require.Len(t, lines.Data, 2)
	require.Equal(t, []any{statement.In, money.NGN(100_00), money.NGN(0)}, []any{lines.Data[0].Direction, lines.Data[0].Amount, lines.Data[0].Fee})
	require.Equal(t, []any{statement.Out, money.NGN(100_00), money.NGN(50_00)}, []any{lines.Data[1].Direction, lines.Data[1].Amount, lines.Data[1].Fee})
	p.cleanTransfers()
}

func TestATransferInProgressEndsWhenTheBankReportsIt(t *testing.T) {
	for will, want := range map[sandbox.BankOutcome]transfers.Status{sandbox.Pays: transfers.Success, sandbox.Fails: transfers.Failed} {
		t.Run(string(will), func(t *testing.T) {
			p := newPayroll(t)
			made := p.transferred(rent(100_00, "0123456786"))
			p.pass(10 * time.Minute)
			require.Equal(t, transfers.Processing, p.transfer(made.ID).Status)
			applied, err := p.World.SetBankOutcome(t.Context(), made.Reference, will)
			require.NoError(t, err)
			require.Equal(t, 1, applied)
			_, err = p.Drain(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, p.transfer(made.ID).Status, "without a wait: the bank reports it")
			p.cleanTransfers()
		})
	}
}

func TestOf64TransfersAtOnceExactlyTheAffordableNumberIsMade(t *testing.T) {
	p := newPayroll(t)
	var made atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			_, err := p.Transfers.Create(t.Context(), p.scope, rent(demo/10, "0123456780"))
			if err == nil {
				made.Add(1)
				return
			}
			var short *ledger.Shortage
			if !errors.As(err, &short) || short.Required != money.NGN(demo/10) || short.Available != money.NGN(0) {
				t.Errorf("refused with %v", err)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 10, made.Load())
	require.Equal(t, [3]int64{demo, demo, 0}, p.naira())
	p.pass(time.Minute)
	require.Equal(t, [3]int64{0, 0, 0}, p.naira())
	p.cleanTransfers()
}

func TestATransferIsRefusedBeforeAnythingIsSetAside(t *testing.T) {
	p := newPayroll(t)
	first := rent(100_00, "0123456780")
	first.Reference = "rent"
	require.Equal(t, "rent", p.transferred(first).Reference)
	for name, c := range map[string]struct {
		change func(*transfers.Params)
		want   error
	}{
		"reference":    {func(*transfers.Params) {}, transfers.ErrDuplicateReference},
		"twice, short": {func(p *transfers.Params) { p.Amount = money.NGN(2 * demo) }, transfers.ErrDuplicateReference},
		"short":        {func(p *transfers.Params) { p.Reference, p.Amount = "", money.NGN(2*demo) }, ledger.ErrInsufficientBalance},
		"currency":     {func(p *transfers.Params) { p.Currency = "USDC" }, transfers.ErrInvalidCurrency},
		"no holder":    {func(p *transfers.Params) { p.AccountNumber = sandbox.NoHolder }, payouts.ErrUnknownAccount},
		"source":       {func(p *transfers.Params) { p.Channel, p.Source = transfers.FromAccount, "bank_1" }, ferry.ErrValidation},
		"bank code":    {func(p *transfers.Params) { p.BankCode = "059" }, ferry.ErrValidation},
		"amount":       {func(p *transfers.Params) { p.Amount = money.NGN(0) }, ferry.ErrValidation},
		"too much":     {func(p *transfers.Params) { p.Amount = money.NGN(1e13 + 1) }, ferry.ErrValidation},
		"usdc":         {func(p *transfers.Params) { p.Amount = money.USDC(1) }, ferry.ErrValidation},
	} {
		t.Run(name, func(t *testing.T) {
			params := first
			c.change(&params)
			_, err := p.Transfers.Create(t.Context(), p.scope, params)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, [3]int64{demo, 100_00, demo - 100_00}, p.naira())
		})
	}
	list, err := p.Transfers.List(t.Context(), p.scope, transfers.Filter{}, ferry.Page{Number: 1, Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, list.Total)
}

func TestABankThatIsDownForADayFailsNoTransfer(t *testing.T) {
	p := newPayroll(t)
	require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1_000_000))
	made := p.transferred(rent(100_00, "0123456780"))
	require.Empty(t, made.To.AccountName, "the bank did not answer")
	require.Equal(t, string(made.ID), made.Reference, "that of a transfer without one is its id")
	p.pass(24 * time.Hour)
	require.Equal(t, transfers.Processing, p.transfer(made.ID).Status)
	require.Equal(t, [3]int64{demo, 100_00, demo - 100_00}, p.naira())
	require.NoError(t, p.World.Calm(t.Context()))
	p.pass(time.Hour)
	require.Equal(t, transfers.Success, p.transfer(made.ID).Status)
	p.cleanTransfers()
}

func TestTransfersAreListedByStatusNewestFirst(t *testing.T) {
	p := newPayroll(t)
	var ids []transfers.ID
	for i := range 3 {
		ids = append(ids, p.transferred(rent(100_00, fmt.Sprintf("012345678%d", 9*(i%2)))).ID)
	}
	p.pass(time.Second)
	var won []transfers.ID
	for got, err := range p.Transfers.All(t.Context(), p.scope, transfers.Filter{Status: transfers.Success}) {
		require.NoError(t, err)
		won = append(won, got.ID)
	}
	require.Equal(t, []transfers.ID{ids[2], ids[0]}, won)
}

func TestAPayoutAndATransferToOneAccountAreTwoPayments(t *testing.T) {
	p := newPayroll(t)
	p.paid(100_00, "0123456780")
	p.transferred(rent(100_00, "0123456780"))
	enginetest.Advance(t, p.Engine, time.Minute)
	require.Equal(t, [3]int64{demo - 200_00, 0, demo - 200_00}, p.naira())
	p.clean()
	p.cleanTransfers()
}
