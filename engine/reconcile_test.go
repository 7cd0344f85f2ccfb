package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func TestReconcileHoldsTheBooksBesideChainAndBank(t *testing.T) {
	e, tenant := enginetest.New(t)
	w := enginetest.Deposit(t, e, tenant, money.USDC(10*dollar))
	r, err := e.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.True(t, r.Clean(), "%v", r.Findings)
	require.Equal(t, money.USDC(10*dollar), r.Chain.OnChain)
	require.Equal(t, money.USDC(10*dollar), r.Chain.Custody)
	require.Equal(t, 1, r.Bank.Credits)
	require.Equal(t, r.Bank.Told, r.Bank.Booked)

	require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		custody, err := wallets.CustodyOf(ctx, tx, ferry.Test, w.Primary)
		if err != nil {
			return err
		}
		custody.OnChain = money.USDC(11 * dollar)
		return wallets.CustodyKind.Update(ctx, tx, custody)
	}))
	_, err = e.World.Credit(t.Context(), sandbox.CreditParams{
		AccountNumber: tenant.Business.SourceAccounts[0].AccountNumber, Amount: money.NGN(7)})
	require.NoError(t, err)
	r, err = e.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.False(t, r.Clean())
	var checks []string
	for _, f := range append(r.Findings, r.InFlight...) {
		checks = append(checks, f.Check)
	}
	require.Equal(t, []string{"drift", "custody", "in_flight"}, checks)
	_, err = e.Reconcile(t.Context(), ferry.Live)
	require.ErrorIs(t, err, engine.ErrNoEnvironment)
}

func TestReconcileChangesNothing(t *testing.T) {
	e, tenant := enginetest.New(t)
	w := enginetest.Deposit(t, e, tenant, money.USDC(10*dollar))
	_, err := e.World.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: money.USDC(dollar)})
	require.NoError(t, err)
	_, err = e.World.Advance(t.Context(), 10*time.Second)
	require.NoError(t, err)
	for range 2 {
		r, err := e.Reconcile(t.Context(), ferry.Test)
		require.NoError(t, err)
		require.True(t, r.Clean())
		require.Len(t, r.InFlight, 1)
	}
	found, err := e.Wallets.Get(t.Context(), w.Scope, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(t, err)
	require.Equal(t, money.USDC(10*dollar), found.Balance)
}

func TestOfSeveralServersOneReconciles(t *testing.T) {
	s := memstore.New()
	world := sandbox.New(sandbox.Config{Clock: frozen{}, Seed: 3})
	config := engine.Config{Store: s, World: world}
	var servers []*engine.Engine
	for range 3 {
		e, err := engine.New(config)
		require.NoError(t, err)
		servers = append(servers, e)
	}
	count := func() (done int) {
		for _, e := range servers {
			for _, w := range e.Workers() {
				if w.Name == "reconcile" {
					n, err := w.RunDue(t.Context(), 100)
					require.NoError(t, err)
					done += n
				}
			}
		}
		return done
	}
	require.Zero(t, count(), "nothing is due at the start")
	_, err := world.Advance(t.Context(), 11*time.Minute)
	require.NoError(t, err)
	require.Equal(t, 1, count(), "the chain")
	require.Zero(t, count())
	_, err = world.Advance(t.Context(), 6*time.Hour)
	require.NoError(t, err)
	require.Equal(t, 3, count(), "the chain, the bank and the biller")
	reports := 0
	for _, e := range servers {
		stats, err := e.Stats(t.Context())
		require.NoError(t, err)
		reports += len(stats.Reconciled)
	}
	require.GreaterOrEqual(t, reports, 2)
}

func TestAWalletThatDriftsInTwoPassesIsSuspended(t *testing.T) {
	e, tenant := enginetest.New(t)
	w := enginetest.Deposit(t, e, tenant, money.USDC(10*dollar))
	require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		custody, err := wallets.CustodyOf(ctx, tx, ferry.Test, w.Primary)
		if err != nil {
			return err
		}
		custody.OnChain = money.USDC(11 * dollar)
		return wallets.CustodyKind.Update(ctx, tx, custody)
	}))
	status := func() wallets.Status {
		found, err := e.Wallets.Get(t.Context(), w.Scope, wallets.WalletRef{ID: string(w.ID)})
		require.NoError(t, err)
		return found.Status
	}
	enginetest.Advance(t, e, 11*time.Minute)
	require.Equal(t, wallets.Active, status())
	enginetest.Advance(t, e, 11*time.Minute)
	require.Equal(t, wallets.Suspended, status())
}

func TestReconcileNamesAReturnThatTheBankRefuses(t *testing.T) {
	e, tenant := enginetest.New(t)
	credit, err := e.World.Credit(t.Context(), sandbox.CreditParams{
		AccountNumber: tenant.Business.SourceAccounts[0].AccountNumber, Amount: money.NGN(700)})
	require.NoError(t, err)
	require.NoError(t, e.World.Bank().Return(t.Context(), "by hand", credit.SessionID, money.NGN(1)))
	enginetest.Advance(t, e, time.Minute)
	require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		scope := tenant.Business.Scope
		leg, err := payments.ReturnLineIn(ctx, tx, statement.Transaction{
			ID: "trx_1", Scope: scope, TrxID: "trx_1", Reference: credit.SessionID, Direction: statement.In,
			Amount: money.NGN(700), Fee: money.NGN(0), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}, "test")
		if err != nil {
			return err
		}
		return ledger.Post(ctx, tx.Ledger(), ledger.Move(
			"test", scope.Env, "test", "", ledger.BusinessAccount(scope, money.AssetNGN), leg.Account, leg.Amount, tx.Now()))
	}))
	enginetest.Advance(t, e, time.Minute)
	r, err := e.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Len(t, r.Findings, 2)
	require.Equal(t, "refused", r.Findings[0].Check)
	require.Contains(t, r.Findings[0].Text, "7 NGN of session "+credit.SessionID+": too_much")
	require.Equal(t, "return", r.Findings[1].Check)
	require.Contains(t, r.Findings[1].Text, "the bank sent 0.01 NGN that the books do not know")
	require.Equal(t, credit.SessionID, r.Findings[1].Subject)
}

const dollar = 1_000_000

// frozen is a clock that stands still: only the world's own clock moves.
type frozen struct{}

func (frozen) Now() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }
