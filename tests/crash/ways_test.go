package crash_test

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
)

// way is one way by which naira goes out through the bank.
type way struct {
	name string
	// ask asks for a payment to each of the accounts.
	ask func(p *payroll, e *engine.Engine, numbers []string)
	// ends returns how each payment stands.
	ends func(p *payroll, e *engine.Engine) []ending
}

// ways are all of them.
var ways = []way{
	{"payouts", askPayouts, endsOfPayouts},
	{"transfers", askTransfers, endsOfTransfers},
	{"refunds", askRefunds, endsOfRefunds},
}

// each is what each payment is of.
var each = money.NGN(1_000_25)

// ending is how a payment stands: Key is its name at the bank, and State what the bank must say
// of it.
type ending struct {
	key, account string
	state        bank.State
}

// endOf is the end of a payment in the words of the bank.
func endOf(paid, failed, returned bool) bank.State {
	switch {
	case returned:
		return bank.StateReturned
	case paid:
		return bank.StatePaid
	case failed:
		return bank.StateFailed
	}
	return bank.StateInProgress
}

func askPayouts(p *payroll, e *engine.Engine, numbers []string) {
	run := payouts.Params{Type: payouts.Bulk, Reference: "salaries", Source: p.source}
	for n, number := range numbers {
		run.Items = append(run.Items, payouts.Destination{
			Reference: fmt.Sprint("row-", n), BankCode: "058", AccountNumber: number, Amount: each,
		})
	}
	_, err := e.Payouts.Create(p.Context(), p.scope, run)
	require.NoError(p, err)
}

func endsOfPayouts(p *payroll, e *engine.Engine) (all []ending) {
	run, err := e.Payouts.Get(p.Context(), p.scope, payouts.Ref{Reference: "salaries"})
	require.NoError(p, err)
	for _, item := range run.Items {
		all = append(all, ending{string(item.ID), item.To.AccountNumber, endOf(
			item.Status == payouts.ItemSuccessful, item.Status == payouts.ItemFailed, !item.ReturnedAt.IsZero(),
		)})
	}
	return all
}

func askTransfers(p *payroll, e *engine.Engine, numbers []string) {
	for n, number := range numbers {
		_, err := e.Transfers.Create(p.Context(), p.scope, transfers.Params{
			Channel: transfers.FromWallet, Reference: fmt.Sprint("rent-", n), Currency: "NGN",
			BankCode: "058", AccountNumber: number, Amount: each,
		})
		require.NoError(p, err)
	}
}

func endsOfTransfers(p *payroll, e *engine.Engine) (all []ending) {
	for t, err := range e.Transfers.All(p.Context(), p.scope, transfers.Filter{}) {
		require.NoError(p, err)
		require.Equal(p, t.Status == transfers.Reversed, !t.ReturnedAt.IsZero())
		all = append(all, ending{string(t.ID), t.To.AccountNumber, endOf(
			t.Status == transfers.Success, t.Status == transfers.Failed, t.Status == transfers.Reversed,
		)})
	}
	return all
}

// askRefunds refunds what came from each of the accounts, at once.
func askRefunds(p *payroll, e *engine.Engine, numbers []string) {
	ctx := p.Context()
	for n, number := range numbers {
		account, err := e.Accounts.CreateVirtual(ctx, p.scope, accounts.VirtualParams{Currency: "NGN", Reference: fmt.Sprint("order-", n)})
		require.NoError(p, err)
		_, err = e.World.Credit(ctx, sandbox.CreditParams{
			AccountNumber: account.Bank.AccountNumber, SessionID: fmt.Sprint("in-", n), Amount: each,
			Sender: bank.Party{BankCode: "058", AccountNumber: number, AccountName: "Bola Ade"},
		})
		require.NoError(p, err)
	}
	_, err := e.Drain(ctx)
	require.NoError(p, err)
	for n := range numbers {
		_, err := e.Refunds.Create(ctx, p.scope, refunds.Params{
			Transaction: statement.Ref{Reference: fmt.Sprint("in-", n)}, Reference: fmt.Sprint("refund-", n),
			Mode: refunds.AutoSender, ScheduledAt: e.World.Clock().Now(),
		})
		require.NoError(p, err)
	}
}

func endsOfRefunds(p *payroll, e *engine.Engine) (all []ending) {
	for r, err := range e.Refunds.All(p.Context(), p.scope, refunds.Filter{}) {
		require.NoError(p, err)
		line, err := e.Statement.Get(p.Context(), p.scope, statement.Ref{ID: string(r.Transaction)})
		require.NoError(p, err)
		require.Equal(p, r.Status == refunds.Successful, line.RefundStatus() == statement.Refunded, "%s", line.Reference)
		all = append(all, ending{string(r.ID), r.To.AccountNumber, endOf(
			r.Status == refunds.Successful, r.Status == refunds.Failed, !r.ReturnedAt.IsZero(),
		)})
	}
	return all
}
