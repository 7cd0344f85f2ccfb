package hosted_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
)

func TestWhatBecameOfMoneyThatDidNotFitIsSaid(t *testing.T) {
	t.Parallel()
	for action, want := range map[checkout.Action]string{
		checkout.Accept: "has accepted 4\u00a0USDC",
		checkout.Refund: "was sent back",
	} {
		s := setup(t)
		s.create(order("late"))
		to := s.crypto("late").Current.Deposit
		s.deposit(to, money.USDC(4_000_000))
		s.advance(24 * time.Hour)
		_, err := s.engine.Checkout.Resolve(t.Context(), s.scope, payments.Ref{Reference: "late"}, action)
		require.NoError(t, err)
		s.advance(24 * time.Hour)
		require.Contains(t, s.page(checkoutPath(s.get("late"))).Body, want, action)
	}
}
