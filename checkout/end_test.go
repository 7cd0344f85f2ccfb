package checkout_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

func TestTheLastLookAtTheChainFindsMoneyOnAFormerAddress(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	former := s.crypto("order-1").Current.Deposit
	s.Advance(15*time.Minute + time.Second)
	require.NotEqual(t, former, s.crypto("order-1").Current.Deposit)
	s.attempt("order-1", payments.Card, checkout.OutcomePending)
	_, err := s.Engine.World.Deposit(t.Context(), sandbox.DepositParams{To: former, Amount: money.USDC(10_000_000)})
	require.NoError(t, err)

	left := s.get("order-1").Payment.PendingUntil.Sub(s.Engine.World.Clock().Now())
	s.looksAfter(left + time.Second)
	s.is("order-1", checkout.Completed, payments.Success)
}

func TestTheLastLookAtTheChainFindsMoneyOnAnAddressThatIsLongFormer(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	former := s.crypto("order-1").Current.Deposit
	_, err := s.Engine.World.Deposit(t.Context(), sandbox.DepositParams{To: former, Amount: money.USDC(10_000_000)})
	require.NoError(t, err)
	_, err = s.Engine.World.Advance(t.Context(), 15*time.Minute+time.Second) // nobody looks at the chain from here on
	require.NoError(t, err)
	require.NotEqual(t, former, s.crypto("order-1").Current.Deposit)
	s.looksAfter(24 * time.Hour)
	s.is("order-1", checkout.Completed, payments.Success)
}

// looksAfter ends the sessions that are due after a time in which nobody looks at the chain.
func (s *stage) looksAfter(by time.Duration) {
	s.t.Helper()
	_, err := s.Engine.World.Advance(s.t.Context(), by)
	require.NoError(s.t, err)
	_, err = s.Engine.Checkout.RunDue(s.t.Context(), 10)
	require.NoError(s.t, err)
}

func TestUSDCThatIsShortWhenThePayerGivesUpIsSaidToBe(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(5_000_000))
	_, err := s.Engine.Checkout.Cancel(t.Context(), s.scope, checkout.Ref{TrxID: "order-1"})
	require.NoError(t, err)
	s.is("order-1", checkout.Cancelled, payments.Cancelled, payments.Underpaid)
	_, held := s.usdc()
	require.Equal(t, money.USDC(5_000_000), held)
}

func TestWhatEndsASessionAnswersThatItIsOpenNoMore(t *testing.T) {
	s := setup(t)
	for _, trxID := range []string{"cancelled", "failed", "success"} {
		s.create(by(trxID+"@example.com", order(trxID)))
		s.crypto(trxID)
		require.True(t, s.get(trxID).Open)
		var ended checkout.State
		require.NoError(t, s.Engine.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
			ref := checkout.Ref{TrxID: trxID}
			if trxID == "cancelled" {
				ended, err = s.Engine.Checkout.CancelIn(ctx, tx, s.scope, ref)
			} else {
				ended, err = s.Engine.Checkout.AttemptIn(ctx, tx, s.scope, ref, checkout.Attempt{Method: payments.Card, Outcome: checkout.Outcome(trxID)})
			}
			return err
		}))
		require.Equal(t, s.get(trxID), ended)
		require.False(t, ended.Open)
		require.Equal(t, checkout.Over, ended.Current.Status)
	}
}

func TestOnlyCardsAndWalletsPayWithoutMoneyThatArrives(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	for _, method := range []payments.Method{payments.USDC, payments.BankTransfer, ""} {
		require.ErrorIs(t, s.Engine.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			_, err := s.Engine.Checkout.AttemptIn(ctx, tx, s.scope, checkout.Ref{TrxID: "order-1"}, checkout.Attempt{Method: method, Outcome: checkout.OutcomeSuccess})
			return err
		}), ferry.ErrValidation)
	}
	s.is("order-1", checkout.Pending, payments.Pending)
	require.Equal(t, money.NGN(0), s.gained())
}
