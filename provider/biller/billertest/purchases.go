package billertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
)

func testPurchases(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("a purchase is known by its key, with all that the biller was told", func(t *testing.T) {
		s := start(t)
		for _, service := range biller.Services() {
			order := s.first("bill/"+string(service), service)
			s.buy(order)
			o := s.outcome(order.Key)
			require.Equal(t, order.Key, o.Key)
			require.Equal(t, order.Provider, o.Provider)
			require.Equal(t, order.Number, o.Number)
			require.Equal(t, order.Amount, o.Amount)
			require.False(t, o.At.IsZero())
		}
	})
	t.Run("what is delivered has an id of the biller", func(t *testing.T) {
		s := start(t)
		s.decide(biller.Airtime, biller.StateDelivered)
		s.buy(s.first("bill/1", biller.Airtime))
		o := s.outcome("bill/1")
		require.Equal(t, biller.StateDelivered, o.State)
		require.NotEmpty(t, o.Ref)
		require.Empty(t, o.Token, "only a prepaid meter takes one")
	})
	t.Run("electricity of a prepaid meter is delivered with its token, and in progress before", func(t *testing.T) {
		s := start(t)
		for _, p := range s.products(biller.Utility) {
			if p.Category != biller.Prepaid {
				continue
			}
			s.decide(biller.Utility, biller.StateInProgress)
			order := s.order("bill/"+p.Code, p)
			require.Equal(t, biller.StateInProgress, s.buy(order).State)
			require.Empty(t, s.outcome(order.Key).Token)
			s.decide(biller.Utility, biller.StateDelivered)
			require.Equal(t, biller.StateDelivered, s.outcome(order.Key).State)
			require.NotEmpty(t, s.outcome(order.Key).Token)
			return
		}
		t.Skip("the subject sells no prepaid electricity")
	})
	t.Run("the same key is the same purchase, that of the first call", func(t *testing.T) {
		s := start(t)
		order := s.first("bill/1", biller.Airtime)
		s.decide(biller.Airtime, biller.StateDelivered)
		first := s.buy(order)
		require.Equal(t, first, s.buy(order), "a biller that sells again for a known key is paid twice")
		other := order
		other.Number, other.Amount = "08031234560", money.NGN(order.Amount.Minor()+100)
		require.Equal(t, first, s.buy(other), "the purchase of a key is that of the first call")
	})
	t.Run("every key has a purchase of its own, also of one reference", func(t *testing.T) {
		s := start(t)
		s.decide(biller.Airtime, biller.StateDelivered)
		require.NotEqual(t, s.buy(s.first("bill/1", biller.Airtime)).Ref, s.buy(s.first("bill/2", biller.Airtime)).Ref)
	})
	t.Run("a purchase that the biller refuses has failed for ever, with a reason", func(t *testing.T) {
		s := start(t)
		s.decide(biller.Airtime, biller.StateFailed)
		order := s.first("bill/1", biller.Airtime)
		s.buy(order)
		o := s.outcome(order.Key)
		require.Equal(t, biller.StateFailed, o.State)
		require.NotEmpty(t, o.Reason)
		s.decide(biller.Airtime, biller.StateDelivered)
		require.Equal(t, biller.StateFailed, s.buy(order).State)
	})
	t.Run("what is not sold is refused, and so is another price", func(t *testing.T) {
		s := start(t)
		order := s.first("bill/1", biller.CableTV)
		order.Product = "no-such-product"
		require.Equal(t, biller.StateFailed, s.buy(order).State)
		order = s.first("bill/2", biller.CableTV)
		order.Amount = money.NGN(1)
		require.Equal(t, biller.StateFailed, s.buy(order).State)
	})
}

func testLost(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("a key that the biller was not told is unknown", func(t *testing.T) {
		s := start(t)
		_, err := s.biller.Outcome(s.ctx, "bill/1")
		require.ErrorIs(t, err, biller.ErrUnknownKey)
	})
	t.Run("a purchase whose answer was lost is known by its key", func(t *testing.T) {
		s := start(t)
		order := s.first("bill/1", biller.Airtime)
		s.inject(AnswerLost, 1)
		_, err := s.biller.Buy(s.ctx, order)
		require.ErrorIs(t, err, biller.ErrUnavailable)
		require.Equal(t, order.Amount, s.outcome(order.Key).Amount)
	})
	t.Run("a purchase that did not reach the biller is unknown, and can be made", func(t *testing.T) {
		s := start(t)
		order := s.first("bill/1", biller.Airtime)
		s.inject(Unavailable, 1)
		_, err := s.biller.Buy(s.ctx, order)
		require.ErrorIs(t, err, biller.ErrUnavailable)
		_, err = s.biller.Outcome(s.ctx, order.Key)
		require.ErrorIs(t, err, biller.ErrUnknownKey)
		s.buy(order)
	})
	t.Run("an outcome that is not answered says nothing", func(t *testing.T) {
		s := start(t)
		s.buy(s.first("bill/1", biller.Airtime))
		s.inject(Unavailable, 1)
		_, err := s.biller.Outcome(s.ctx, "bill/1")
		require.ErrorIs(t, err, biller.ErrUnavailable)
	})
}
