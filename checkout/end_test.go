package checkout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
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
	_, err = s.Engine.World.Advance(t.Context(), left+time.Second) // nobody has looked at the chain meanwhile
	require.NoError(t, err)
	_, err = s.Engine.Checkout.RunDue(t.Context(), 10)
	require.NoError(t, err)
	s.is("order-1", checkout.Completed, payments.Success)
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
