package refunds_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

// interrupted is units of a worker that stands still before one of its writes, while something else happens.
type interrupted struct {
	ferry.Units[store.Tx]
	writes, before int
	happens        func()
}

func (u *interrupted) Write(ctx context.Context, body func(context.Context, store.Tx) error) error {
	if u.writes++; u.writes == u.before {
		u.happens()
	}
	return u.Units.Write(ctx, body)
}

// stalled lets a worker take what is due. It stands still before the given one of its writes for so long that
// it loses its claims. Its first write claims.
func (s *shop) stalled(before int, meanwhile func()) {
	s.Helper()
	test := &interrupted{Units: s.Units(ferry.Test), before: before, happens: meanwhile}
	worker := refunds.New(
		ferry.Narrow(ferry.UnitsOf(s.Units(ferry.Live), test), func(tx store.Tx) refunds.Tx { return tx }),
		refunds.Config{
			Sending:  disburse.Config{Banks: map[ferry.Env]bank.Bank{ferry.Test: s.World.Bank()}, Lease: time.Nanosecond},
			Outgoing: s.Outgoing,
		},
	)
	must(worker.RunDue(s.Context(), 1))
	require.GreaterOrEqual(s, test.writes, before, "it stood still")
}

// spendAllBut leaves so much of the naira of a shop.
func (s *shop) spendAllBut(left int64) {
	s.Helper()
	s.in(func(ctx context.Context, tx store.Tx) error {
		mine := ledger.BusinessAccount(s.scope, money.AssetNGN)
		books, err := tx.Ledger().Account(ctx, mine)
		if err != nil {
			return err
		}
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("spent", ferry.Test, "test", "", mine,
			ledger.SystemAccount(ferry.Test, ledger.PlatformFees, money.AssetNGN), money.NGN(books.Available().Minor()-left), tx.Now()))
	})
}

func TestARefundThatAnotherWorkerHasSentOnTheChainIsNotSentAgain(t *testing.T) {
	s := newShop(t)
	of, _ := s.orderedInUSDC("order-1")
	made := must(s.refund(of, money.USDC(4_000_000), refunds.AutoSender))
	must(s.World.Advance(t.Context(), refunds.DefaultDelay))
	var sent refunds.Refund
	s.stalled(2, func() {
		require.Equal(t, 1, must(s.Refunds.RunDue(t.Context(), 1)))
		sent = s.found(made)
		require.NotEmpty(t, sent.Transfer)
	})
	require.Equal(t, sent, s.found(made))
	enginetest.Advance(t, s.Engine, time.Hour)
	require.Equal(t, refunds.Successful, s.found(made).Status)
	require.Equal(t, []string{refunds.EventPending, refunds.EventProcessing, refunds.EventSuccessful}, s.told)
}

func TestARefundThatAnotherWorkerHasBegunToPayDoesNotEndForWantOfItsFee(t *testing.T) {
	s := newShop(t)
	of := s.credited("session-1", bola)
	made := must(s.refund(of, money.NGN(100_00), refunds.AutoSender))
	s.spendAllBut(49_99)
	must(s.World.Advance(t.Context(), 25*time.Hour))
	s.stalled(3, func() { // it has found that the fee is not covered, and that the refund has waited long enough
		s.credited("session-2", bola)
		require.NotEqual(t, refunds.Pending, s.found(made).Status)
	})
	enginetest.Advance(t, s.Engine, time.Hour)
	require.Equal(t, refunds.Successful, s.found(made).Status)
	require.Equal(t, []string{refunds.EventPending, refunds.EventProcessing, refunds.EventSuccessful}, s.told)
}

func TestARefundOfNairaIsNotProcessedWhileMoneyIsKeptFromLeaving(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.AutoSender))
	require.NoError(t, s.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	enginetest.Advance(t, s.Engine, 2*time.Hour)
	require.Equal(t, refunds.Pending, s.found(made).Status)
	require.Equal(t, []string{refunds.EventPending}, s.told)
	require.Equal(t, money.NGN(100_00), must(s.reservation(ledger.ReservationID(made.ID))).Amount, "its fee is not set aside yet")

	require.NoError(t, s.Custody.ResumeOutflows(t.Context(), ferry.Test))
	enginetest.Advance(t, s.Engine, time.Hour)
	require.Equal(t, refunds.Successful, s.found(made).Status)
}

func TestWhatTheBankSaysAgainOfARefundThatCameBackChangesNothing(t *testing.T) {
	s := newShop(t)
	from := bank.Party{BankCode: "058", AccountNumber: "0123456785", AccountName: "Bola Ade"} // to which payments come back
	made := must(s.refund(s.credited("session-1", from), money.NGN(100_00), refunds.AutoSender))
	enginetest.Advance(t, s.Engine, 26*time.Hour)
	back := s.found(made)
	require.NotZero(t, back.ReturnedAt)
	for _, state := range []bank.State{bank.StatePaid, bank.StateReturned, bank.StateFailed, bank.StateInProgress} {
		require.NoError(t, s.Refunds.Follow(t.Context(), ferry.Test, bank.Outcome{
			Key: string(made.ID), State: state, SessionID: made.ProviderReference, Amount: made.Amount, To: made.To,
		}))
		require.Equal(t, back, s.found(made), state)
	}
	require.Empty(t, must(s.Refunds.Reconcile(t.Context(), ferry.Test)).Findings)
}

func TestATransactionThatIsNotThereIsNoUnpaidOrder(t *testing.T) {
	s := newShop(t)
	s.ordered("order-1", money.NGN(1_000_00))
	s.in(func(ctx context.Context, tx store.Tx) error {
		_, err := refunds.TransactionIn(ctx, tx, s.scope, statement.Ref{TrxID: "order-1"})
		require.ErrorIs(t, err, refunds.ErrNotRefundable)
		_, err = refunds.TransactionIn(ctx, tx, s.scope, statement.Ref{ID: "txn_none", TrxID: "order-1"})
		require.ErrorIs(t, err, statement.ErrNotFound)
		return nil
	})
}
