package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

// refunder is a business that was paid an order by a person whose account has a number.
type refunder struct{ *payroll }

const paidKobo = 15_000_00

func newRefunder(t *testing.T, sender string) refunder {
	t.Helper()
	r := refunder{newPayroll(t)}
	r.order("order-1", sender)
	return r
}

// order is paid by bank transfer, or by card when there is no sender.
func (r refunder) order(trxID, sender string) {
	r.Helper()
	made, err := r.Checkout.Create(r.Context(), r.scope, checkout.CreateParams{TrxID: trxID, Email: "ada@example.com", Amount: money.NGN(paidKobo)})
	require.NoError(r, err)
	if sender == "" {
		_, err = r.Checkout.Attempt(r.Context(), r.scope, checkout.Ref{TrxID: trxID}, checkout.Attempt{Method: payments.Card, Outcome: checkout.OutcomeSuccess})
		require.NoError(r, err)
		return
	}
	_, err = r.World.Credit(r.Context(), sandbox.CreditParams{
		AccountNumber: made.Session.Account.AccountNumber, SessionID: "in-" + trxID, Amount: money.NGN(paidKobo),
		Sender: bank.Party{BankCode: "058", AccountNumber: sender, AccountName: "Bola Ade"},
	})
	require.NoError(r, err)
	r.pass(time.Minute)
}

// refund asks for a refund of the order; the change, if there is one, makes it another.
func (r refunder) refund(kobo int64, change func(*refunds.Params)) (refunds.Refund, error) {
	p := refunds.Params{Transaction: statement.Ref{TrxID: "order-1"}, Reference: fmt.Sprintf("refund-%d", r.serial.Add(1)), Reason: "Sold out"}
	if kobo != 0 {
		p.Amount = money.NGN(kobo)
	}
	if change != nil {
		change(&p)
	}
	return r.Refunds.Create(r.Context(), r.scope, p)
}

func automatic(p *refunds.Params) { p.Mode = refunds.AutoSender }

func (r refunder) refunded(kobo int64, change func(*refunds.Params)) refunds.Refund {
	r.Helper()
	made, err := r.refund(kobo, change)
	require.NoError(r, err)
	return made
}

func (r refunder) found(of refunds.Refund) refunds.Refund {
	r.Helper()
	got, err := r.Refunds.Get(r.Context(), r.scope, refunds.Ref{ID: string(of.ID)})
	require.NoError(r, err)
	return got
}

func (r refunder) line() statement.Transaction {
	r.Helper()
	line, err := r.Statement.Get(r.Context(), r.scope, statement.Ref{TrxID: "order-1"})
	require.NoError(r, err)
	return line
}

// out are the lines of refunds that left.
func (r refunder) out() []statement.Transaction {
	r.Helper()
	list, err := r.Statement.List(r.Context(), r.scope, statement.Filter{Direction: statement.Out, Channel: refunds.Channel}, ferry.Page{Number: 1, Limit: 100})
	require.NoError(r, err)
	return list.Data
}

// clean requires that the books hold, and agree with the bank.
func (r refunder) clean() {
	r.Helper()
	findings, err := r.Audit(r.Context(), ferry.Test)
	require.NoError(r, err)
	require.Empty(r, findings)
	compared, err := r.Reconcile(r.Context(), ferry.Test)
	require.NoError(r, err)
	require.Empty(r, compared.Findings)
}

const funds = demo + paidKobo

func TestAManualRefundIsPaidByPeople(t *testing.T) {
	r := newRefunder(t, "0123456780")
	made := r.refunded(5_000_00, nil)
	require.Equal(t, refunds.Pending, made.Status)
	require.Equal(t, [3]int64{funds, 5_000_00, funds - 5_000_00}, r.naira())
	require.Equal(t, statement.RefundPending, r.line().RefundStatus())
	require.Equal(t, money.NGN(10_000_00), r.line().Refundable())
	r.clean()

	done := refunds.FinalizeParams{Refund: refunds.Ref{Reference: made.Reference}, Status: refunds.Successful, ProviderReference: "slip-1"}
	_, err := r.Refunds.Finalize(t.Context(), r.scope, done)
	require.ErrorIs(t, err, refunds.ErrNotProcessing)
	for range 2 {
		got, err := r.Refunds.Process(t.Context(), r.scope, refunds.ProcessParams{Refund: done.Refund, Note: "Called her"})
		require.NoError(t, err)
		require.Equal(t, refunds.Processing, got.Status)
		require.Equal(t, "Called her", got.Note)
	}
	require.Empty(t, r.out())
	for range 2 {
		got, err := r.Refunds.Finalize(t.Context(), r.scope, done)
		require.NoError(t, err)
		require.Equal(t, refunds.Successful, got.Status)
		require.Equal(t, "slip-1", got.ProviderReference)
		require.Len(t, r.out(), 1)
	}
	done.Status = refunds.Failed
	_, err = r.Refunds.Finalize(t.Context(), r.scope, done)
	require.ErrorIs(t, err, ferry.Conflict)
	_, err = r.Refunds.Process(t.Context(), r.scope, refunds.ProcessParams{Refund: done.Refund})
	require.ErrorIs(t, err, ferry.ErrInvalidTransition)
	require.Equal(t, [3]int64{funds - 5_000_00, 0, funds - 5_000_00}, r.naira())
	require.Equal(t, statement.PartiallyRefunded, r.line().RefundStatus())
	require.Equal(t, money.NGN(5_000_00), r.line().Refunded())
	r.pass(48 * time.Hour)
	r.clean()

	rest := r.refunded(0, nil)
	require.Equal(t, money.NGN(10_000_00), rest.Amount, "all that is left")
	_, err = r.refund(1, nil)
	require.ErrorIs(t, err, refunds.ErrExceedsRemaining)
	_, err = r.refund(0, nil)
	require.ErrorIs(t, err, refunds.ErrExceedsRemaining)
	for range 2 {
		got, err := r.Refunds.Finalize(t.Context(), r.scope, refunds.FinalizeParams{Refund: refunds.Ref{ID: ferry.UID(string(rest.ID))}, Status: refunds.Failed})
		require.NoError(t, err)
		require.Equal(t, refunds.Failed, got.Status, "cancelled")
	}
	require.Equal(t, money.NGN(10_000_00), r.line().Refundable())
	require.Equal(t, [3]int64{funds - 5_000_00, 0, funds - 5_000_00}, r.naira())
	r.clean()
}

func TestAnAutomaticRefundIsWhatTheBankSays(t *testing.T) {
	for _, c := range []struct {
		sender     string
		soon, late refunds.Status
		left       int64
		out        int
	}{
		{"0123456780", refunds.Successful, refunds.Successful, funds - paidKobo, 1},
		{"0123456785", refunds.Successful, refunds.Successful, funds, 1}, // it came back
		{"0123456786", refunds.Processing, refunds.Processing, funds, 0},
		{"0123456787", refunds.Processing, refunds.Failed, funds, 0},
		{"0123456788", refunds.Successful, refunds.Successful, funds - paidKobo, 1}, // the bank reports it
		{"0123456789", refunds.Failed, refunds.Failed, funds, 0},
	} {
		t.Run(c.sender, func(t *testing.T) {
			r := newRefunder(t, c.sender)
			made := r.refunded(0, automatic)
			require.Equal(t, bank.Party{BankCode: "058", AccountNumber: c.sender, AccountName: "Bola Ade"}, made.To)
			require.Equal(t, made.CreatedAt.Add(refunds.DefaultDelay), made.ScheduledAt)
			r.pass(refunds.DefaultDelay - time.Minute)
			require.Equal(t, refunds.Pending, r.found(made).Status)
			require.Equal(t, [3]int64{funds, paidKobo, funds - paidKobo}, r.naira())
			r.clean()
			r.pass(time.Minute + 2*time.Second)
			require.Equal(t, c.soon, r.found(made).Status)
			r.clean()
			r.pass(25 * time.Hour)
			got := r.found(made)
			require.Equal(t, c.late, got.Status)
			require.Equal(t, c.left, r.naira()[0])
			require.Len(t, r.out(), c.out)
			require.Equal(t, c.sender == "0123456785", !got.ReturnedAt.IsZero())
			require.Equal(t, c.late == refunds.Successful, got.ProviderReference != "")
			require.Equal(t, c.late == refunds.Successful, r.line().RefundStatus() == statement.Refunded)
			r.clean()
		})
	}
}

func TestOnlyTheBankEndsAnAutomaticRefundThatIsProcessing(t *testing.T) {
	r := newRefunder(t, "0123456786")
	made := r.refunded(100, automatic)
	ref := refunds.Ref{ID: string(made.ID)}
	got, err := r.Refunds.Process(t.Context(), r.scope, refunds.ProcessParams{Refund: ref})
	require.NoError(t, err)
	require.Equal(t, refunds.Processing, got.Status, "before its time")
	for _, status := range []refunds.Status{refunds.Successful, refunds.Failed} {
		_, err := r.Refunds.Finalize(t.Context(), r.scope, refunds.FinalizeParams{Refund: ref, Status: status})
		require.ErrorIs(t, err, ferry.ErrInvalidTransition)
	}
	r.pass(30 * 24 * time.Hour)
	require.Equal(t, refunds.Processing, r.found(made).Status, "no time ends it")
	applied, err := r.World.SetBankOutcome(t.Context(), made.Reference, sandbox.Pays)
	require.NoError(t, err)
	require.Equal(t, 1, applied)
	_, err = r.Drain(t.Context())
	require.NoError(t, err)
	require.Equal(t, refunds.Successful, r.found(made).Status)
	r.clean()
}

func TestWhatCannotBeRefunded(t *testing.T) {
	r := newRefunder(t, "0123456780")
	r.order("by-card", "")
	_, err := r.Checkout.Create(t.Context(), r.scope, checkout.CreateParams{TrxID: "unpaid", Email: "ada@example.com", Amount: money.NGN(paidKobo)})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(*refunds.Params)
		want   error
	}{
		"no name":               {func(p *refunds.Params) { p.Transaction = statement.Ref{} }, ferry.ErrValidation},
		"two names":             {func(p *refunds.Params) { p.Transaction.Reference = "order-1" }, ferry.ErrValidation},
		"nothing":               {func(p *refunds.Params) { p.Amount = money.NGN(-1) }, ferry.ErrValidation},
		"another currency":      {func(p *refunds.Params) { p.Amount = money.USDC(1) }, ferry.ErrValidation},
		"no reference":          {func(p *refunds.Params) { p.Reference = "" }, ferry.ErrValidation},
		"a time without a mode": {func(p *refunds.Params) { p.ScheduledAt = time.Unix(1, 0) }, ferry.ErrValidation},
		"an unknown mode":       {func(p *refunds.Params) { p.Mode = "fast" }, ferry.ErrValidation},
		"unknown":               {func(p *refunds.Params) { p.Transaction.TrxID = "order-2" }, statement.ErrNotFound},
		"an unpaid order":       {func(p *refunds.Params) { p.Transaction.TrxID = "unpaid" }, refunds.ErrNotRefundable},
		"too much":              {func(p *refunds.Params) { p.Amount = money.NGN(paidKobo + 1) }, refunds.ErrExceedsRemaining},
		"a card automatically": {func(p *refunds.Params) {
			p.Transaction.TrxID, p.Mode = "by-card", refunds.AutoSender
		}, refunds.ErrNoSender},
	} {
		_, err := r.refund(100, c.change)
		require.ErrorIs(t, err, c.want, name)
	}
	require.Equal(t, int64(0), r.naira()[1])
	r.refunded(100, func(p *refunds.Params) { p.Transaction.TrxID = "by-card" })
	made := r.refunded(100, func(p *refunds.Params) { p.Transaction = statement.Ref{ID: r.line().Reference} })
	require.Equal(t, "order-1", made.TrxID, "by the id of the payment")
	_, err = r.refund(100, func(p *refunds.Params) { p.Reference = made.Reference })
	require.ErrorIs(t, err, refunds.ErrDuplicateReference)
	spendBut(r.payroll, 99)
	_, err = r.refund(100, nil)
	require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
	r.clean()
}

// spendBut takes all naira of the business that are available, but for some kobo.
func spendBut(p *payroll, kobo int64) {
	p.Helper()
	all := p.naira()[2]
	require.NoError(p, p.Units(ferry.Test).Write(p.Context(), func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Move(ledger.PostingID(fmt.Sprintf("spend-%d", p.serial.Add(1))), ferry.Test, "test", "",
			ledger.BusinessAccount(p.scope, money.AssetNGN), ledger.SystemAccount(ferry.Test, ledger.PlatformFees, money.AssetNGN),
			money.NGN(all-kobo), tx.Now()))
	}))
}

func TestACreditOfACollectionAccountGoesBackToItsSender(t *testing.T) {
	r := refunder{newPayroll(t)}
	account, err := r.Accounts.CreateVirtual(t.Context(), r.scope, accounts.VirtualParams{Currency: "NGN", Reference: "v"})
	require.NoError(t, err)
	_, err = r.World.Credit(t.Context(), sandbox.CreditParams{
		AccountNumber: account.Bank.AccountNumber, SessionID: "session-1", Amount: money.NGN(700),
		Sender: bank.Party{BankCode: "058", AccountNumber: "0123456780", AccountName: "Bola Ade"},
	})
	require.NoError(t, err)
	r.pass(time.Minute)
	of := func(p *refunds.Params) { p.Transaction = statement.Ref{Reference: "session-1"} }
	made := r.refunded(300, func(p *refunds.Params) { of(p); automatic(p) })
	r.pass(time.Hour)
	require.Equal(t, refunds.Successful, r.found(made).Status)
	waiting := r.refunded(400, of)
	recall(t, r.Engine, "session-1")
	require.Equal(t, refunds.Failed, r.found(waiting).Status, "the bank took the money back")
	_, err = r.refund(1, of)
	require.ErrorIs(t, err, refunds.ErrNotRefundable)
	require.Equal(t, [3]int64{demo - 300, 0, demo - 300}, r.naira())
	r.clean()
}

func TestARecallCancelsPendingRefundsAndIsCoveredByWhatTheySetAside(t *testing.T) {
	r := newRefunder(t, "0123456786")
	sent := r.refunded(1_000_00, automatic)
	r.pass(time.Hour)
	waiting := []refunds.Refund{r.refunded(4_000_00, nil), r.refunded(5_000_00, automatic)}
	spendBut(r.payroll, 6_000_00)
	recall(t, r.Engine, "in-order-1")
	for _, w := range waiting {
		require.Equal(t, refunds.Failed, r.found(w).Status)
	}
	require.Equal(t, statement.Reversed, r.line().Status)
	require.Equal(t, refunds.Processing, r.found(sent).Status, "it may have been paid")
	require.Equal(t, [3]int64{1_000_00, 1_000_00, 0}, r.naira())
	require.True(t, r.line().Refundable().IsZero())
	r.clean()
}

func TestARefundWaitsADayForItsFee(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New(), Tariffs: fees.Tariffs{
		fees.Refund: {Platform: fees.Rule{Flat: money.NGN(20_00)}, Processing: fees.Rule{Flat: money.NGN(30_00)}},
	}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	r := refunder{&payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}}
	r.order("order-1", "0123456780")

	paid, unpaid := r.refunded(100_00, automatic), r.refunded(200_00, automatic)
	require.Equal(t, money.NGN(30_00), paid.Fees.Processing)
	require.Equal(t, money.NGN(50_00), paid.Fee(), "all that it costs")
	require.Equal(t, int64(300_00), r.naira()[1], "the fees are set aside when they go out")
	spendBut(r.payroll, 99_99) // the fees of one
	r.pass(refunds.DefaultDelay + 5*time.Second)
	byStatus := map[refunds.Status]refunds.Refund{r.found(paid).Status: paid, r.found(unpaid).Status: unpaid}
	require.Len(t, byStatus, 2)
	done, waiting := byStatus[refunds.Successful], byStatus[refunds.Pending]
	require.NotEmpty(t, done.ID)
	require.NotEmpty(t, waiting.ID)
	require.Equal(t, money.NGN(50_00), r.out()[0].Fee)
	_, err = r.Refunds.Process(t.Context(), r.scope, refunds.ProcessParams{Refund: refunds.Ref{ID: string(waiting.ID)}})
	require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
	r.clean()
	r.pass(23 * time.Hour)
	require.Equal(t, refunds.Pending, r.found(waiting).Status)
	r.pass(2 * time.Hour)
	got := r.found(waiting)
	require.Equal(t, refunds.Failed, got.Status)
	require.Contains(t, got.ProviderResponse, "fee")
	require.Equal(t, int64(0), r.naira()[1])
	r.clean()
}

func TestARefundGoesOutOnceItsFeeIsCovered(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New(), Tariffs: fees.Tariffs{fees.Refund: {Platform: fees.Rule{Flat: money.NGN(50_00)}}}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	r := refunder{&payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}}
	r.order("order-1", "0123456780")
	made := r.refunded(100_00, automatic)
	spendBut(r.payroll, 0)
	r.pass(3 * time.Hour)
	require.Equal(t, refunds.Pending, r.found(made).Status)
	credit(t, e, r.source(), "top-up", money.NGN(60_00))
	r.pass(time.Hour)
	require.Equal(t, refunds.Successful, r.found(made).Status)
	require.Equal(t, [3]int64{10_00, 0, 10_00}, r.naira())
	r.clean()
}

func TestARefundWhoseTimeHasPassedWaitsADayForItsFeeToo(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New(), Tariffs: fees.Tariffs{fees.Refund: {Platform: fees.Rule{Flat: money.NGN(50_00)}}}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	r := refunder{&payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}}
	r.order("order-1", "0123456780")
	made := r.refunded(100_00, func(p *refunds.Params) { automatic(p); p.ScheduledAt = time.Unix(1, 0) })
	spendBut(r.payroll, 0)
	r.pass(23 * time.Hour)
	require.Equal(t, refunds.Pending, r.found(made).Status)
	r.pass(2 * time.Hour)
	require.Equal(t, refunds.Failed, r.found(made).Status)
	r.clean()
}

func TestOf64PartialRefundsAtOnceExactlyThePossibleNumberIsMade(t *testing.T) {
	for round := range 5 {
		r := newRefunder(t, "0123456780")
		part := int64(paidKobo/10 - round)
		var made atomic.Int64
		var all sync.WaitGroup
		for n := range 64 {
			all.Go(func() {
				change := automatic
				if n%2 == 0 {
					change = nil
				}
				_, err := r.refund(part, change)
				if err == nil {
					made.Add(1)
				} else if !errors.Is(err, refunds.ErrExceedsRemaining) {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 10, made.Load())
		require.Equal(t, money.NGN(paidKobo-10*part), r.line().Refundable())
		require.Equal(t, 10*part, r.naira()[1])
		r.pass(time.Hour)
		require.LessOrEqual(t, r.line().Refunded().Minor(), int64(paidKobo))
		r.clean()
	}
}

// Whatever is asked for in whatever order, the sums of the transaction are those of its
// refunds, never more than itself, and its state follows from them.
func TestTheRefundStateOfATransactionFollowsFromItsRefunds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRefunder(t, "012345678"+rapid.SampledFrom([]string{"0", "6", "9"}).Draw(rt, "sender"))
		var all []refunds.Refund
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			pick := func() refunds.Ref {
				if len(all) == 0 {
					return refunds.Ref{Reference: "none"}
				}
				return refunds.Ref{ID: string(all[rapid.IntRange(0, len(all)-1).Draw(rt, "which")].ID)}
			}
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0, 1:
				mode := rapid.SampledFrom([]refunds.Mode{refunds.Manual, refunds.AutoSender}).Draw(rt, "mode")
				made, err := r.refund(rapid.Int64Range(0, paidKobo).Draw(rt, "kobo"), func(p *refunds.Params) { p.Mode = mode })
				if err == nil {
					all = append(all, made)
				}
			case 2:
				_, _ = r.Refunds.Process(t.Context(), r.scope, refunds.ProcessParams{Refund: pick()})
			case 3:
				status := rapid.SampledFrom([]refunds.Status{refunds.Successful, refunds.Failed}).Draw(rt, "status")
				_, _ = r.Refunds.Finalize(t.Context(), r.scope, refunds.FinalizeParams{Refund: pick(), Status: status})
			}
			if rapid.IntRange(0, 3).Draw(rt, "pass") == 0 {
				r.pass(refunds.DefaultDelay)
			}
			requireStateOf(rt, r, all)
		}
		r.clean()
	})
}

func requireStateOf(rt *rapid.T, r refunder, all []refunds.Refund) {
	var open, done int64
	for _, of := range all {
		switch now := r.found(of); now.Status {
		case refunds.Successful:
			done += now.Amount.Minor()
		case refunds.Pending, refunds.Processing:
			open += now.Amount.Minor()
		case refunds.Failed:
		}
	}
	want := statement.NotRefunded
	switch {
	case done == paidKobo:
		want = statement.Refunded
	case done > 0:
		want = statement.PartiallyRefunded
	case open > 0:
		want = statement.RefundPending
	}
	line := r.line()
	require.LessOrEqual(rt, open+done, int64(paidKobo))
	require.Equal(rt, want, line.RefundStatus())
	require.Equal(rt, money.NGN(done), line.Refunded())
	require.Equal(rt, money.NGN(paidKobo-open-done), line.Refundable())
}
