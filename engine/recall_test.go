package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

// naira is the balance of the demo business.
func naira(t *testing.T, e *engine.Engine, tenant engine.Tenant) money.Amount {
	t.Helper()
	totals, err := e.Balances(t.Context(), tenant.Business.Scope)
	require.NoError(t, err)
	for _, total := range totals {
		if total.Asset == money.AssetNGN {
			return total.Posted
		}
	}
	return money.NGN(0)
}

// reconciled requires that bank and books agree but for the findings of some checks.
func reconciled(t *testing.T, e *engine.Engine, checks ...string) {
	t.Helper()
	r, err := e.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	found := []string{}
	for _, f := range r.Findings {
		found = append(found, f.Check)
	}
	require.ElementsMatch(t, append([]string{}, checks...), found, "%v", r.Findings)
	audit, err := e.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, audit)
}

func credit(t *testing.T, e *engine.Engine, account, session string, amount money.Amount) {
	t.Helper()
	_, err := e.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: account, SessionID: session, Amount: amount})
	require.NoError(t, err)
	enginetest.Advance(t, e, time.Minute)
}

func recall(t *testing.T, e *engine.Engine, session string) bank.Credit {
	t.Helper()
	notice, err := e.World.Recall(t.Context(), session)
	require.NoError(t, err)
	enginetest.Advance(t, e, time.Minute)
	return notice
}

// ordered makes an order of 15,000 naira and pays it by bank transfer, with 1,000 too
// much.
func ordered(t *testing.T, e *engine.Engine, tenant engine.Tenant) checkout.Session {
	t.Helper()
	made, err := e.Checkout.Create(t.Context(), tenant.Business.Scope, checkout.CreateParams{
		TrxID: "order-1", Email: "ada@example.com", Amount: money.NGN(15_000_00),
	})
	require.NoError(t, err)
	credit(t, e, made.Session.Account.AccountNumber, "session-1", money.NGN(16_000_00))
	return made.Session
}

func paymentOf(t *testing.T, e *engine.Engine, s checkout.Session) payments.Payment {
	t.Helper()
	state, err := e.Checkout.Get(t.Context(), s.Scope, checkout.Ref{TrxID: s.TrxID})
	require.NoError(t, err)
	return state.Payment
}

func TestABankTransferIsReversedByItsRecallOnly(t *testing.T) {
	e, tenant := enginetest.New(t)
	before := naira(t, e, tenant)
	s := ordered(t, e, tenant)
	_, err := e.Checkout.Reverse(t.Context(), s.Scope, payments.Ref{Reference: "order-1"})
	require.ErrorIs(t, err, payments.ErrNotRecalled)
	require.ErrorIs(t, err, ferry.Conflict)
	require.Equal(t, payments.Success, paymentOf(t, e, s).Status)
	reconciled(t, e)

	require.NoError(t, e.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Duplicate, 3))
	require.Equal(t, money.NGN(15_000_00), recall(t, e, "session-1").Amount, "the rest had gone back")
	require.Equal(t, payments.Reversed, paymentOf(t, e, s).Status)
	require.Equal(t, before, naira(t, e, tenant))
	line, err := e.Statement.Get(t.Context(), s.Scope, statement.Ref{TrxID: "order-1"})
	require.NoError(t, err)
	require.Equal(t, statement.Reversed, line.Status)
	reconciled(t, e)
	_, err = e.World.Recall(t.Context(), "session-1")
	require.ErrorIs(t, err, bank.ErrTooMuch, "once")
	_, err = e.Checkout.Reverse(t.Context(), s.Scope, payments.Ref{Reference: "order-1"})
	require.ErrorIs(t, err, ferry.ErrInvalidTransition)
}

func TestARecallIsTakenFromWhateverAccountTheCreditCameTo(t *testing.T) {
	e, tenant := enginetest.New(t)
	before := naira(t, e, tenant)
	credit(t, e, tenant.Business.SourceAccounts[0].AccountNumber, "own", money.NGN(500))
	made, err := e.Accounts.CreateVirtual(t.Context(), tenant.Business.Scope, accounts.VirtualParams{Currency: "NGN", Reference: "v"})
	require.NoError(t, err)
	credit(t, e, made.Bank.AccountNumber, "collected", money.NGN(700))
	nobody, err := e.World.Bank().OpenAccount(t.Context(), "forgotten", "Nobody")
	require.NoError(t, err)
	credit(t, e, nobody.AccountNumber, "lost", money.NGN(900))
	reconciled(t, e, "suspense")
	for _, session := range []string{"own", "collected", "lost"} {
		recall(t, e, session)
	}
	require.Equal(t, before, naira(t, e, tenant))
	line, err := e.Statement.Get(t.Context(), tenant.Business.Scope, statement.Ref{Reference: "collected"})
	require.NoError(t, err)
	require.Equal(t, statement.Reversed, line.Status)
	reconciled(t, e)
	_, err = e.ReturnSuspended(t.Context(), ferry.Test, "lost")
	require.ErrorIs(t, err, bankfeed.ErrNotSuspended)
}

// spend takes all naira that the business has.
func spend(t *testing.T, e *engine.Engine, tenant engine.Tenant) {
	t.Helper()
	all := naira(t, e, tenant)
	require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("spend", ferry.Test, "test", "",
			ledger.BusinessAccount(tenant.Business.Scope, money.AssetNGN),
			ledger.SystemAccount(ferry.Test, ledger.PlatformFees, money.AssetNGN), all, tx.Now()))
	}))
}

func TestARecallThatTheBusinessCannotCoverIsOwedBySuspense(t *testing.T) {
	e, tenant := enginetest.New(t)
	s := ordered(t, e, tenant)
	spend(t, e, tenant)
	recall(t, e, "session-1")
	require.Equal(t, payments.Success, paymentOf(t, e, s).Status, "it waits for the business to have it")
	r, err := e.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.True(t, r.Clean(), "%v", r.Findings)
	require.Len(t, r.InFlight, 1)

	enginetest.Advance(t, e, bankfeed.Patience+time.Minute)
	require.Equal(t, payments.Reversed, paymentOf(t, e, s).Status)
	require.Equal(t, money.NGN(0), naira(t, e, tenant))
	reconciled(t, e, "suspense")
	owed, err := e.BankFeed.Uncovered(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Len(t, owed, 1)
	require.Equal(t, money.NGN(15_000_00), owed[0].Amount)
	credit(t, e, tenant.Business.SourceAccounts[0].AccountNumber, "next", money.NGN(1))
	require.Equal(t, money.NGN(1), naira(t, e, tenant), "the feed goes on")
}

func TestARecallThatWaitsIsBookedOnceTheBusinessCoversIt(t *testing.T) {
	e, tenant := enginetest.New(t)
	s := ordered(t, e, tenant)
	spend(t, e, tenant)
	recall(t, e, "session-1")
	credit(t, e, tenant.Business.SourceAccounts[0].AccountNumber, "next", money.NGN(20_000_00))
	require.Equal(t, payments.Reversed, paymentOf(t, e, s).Status)
	require.Equal(t, money.NGN(5_000_00), naira(t, e, tenant))
	reconciled(t, e)
}

func TestReconcileFindsARecallThatTheBankDoesNotTell(t *testing.T) {
	e, tenant := enginetest.New(t)
	credit(t, e, tenant.Business.SourceAccounts[0].AccountNumber, "own", money.NGN(500))
	require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Posting{
			ID: bankfeed.RecallID(ferry.Test, "own"), Env: ferry.Test, Kind: "bank_recall", Ref: "own", At: tx.Now(),
			Legs: []ledger.Leg{
				{Account: ledger.BusinessAccount(tenant.Business.Scope, money.AssetNGN), Amount: money.NGN(-500)},
				{Account: ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN), Amount: money.NGN(500)},
			},
		})
	}))
	reconciled(t, e, "booked")
}
