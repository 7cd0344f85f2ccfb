package checkout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

func TestAnOrderThatNamesNoDialectIsOneOfB(t *testing.T) {
	s := setup(t)
	p := order("order-1")
	p.Variant = ""
	require.Equal(t, business.DialectB, s.create(p).Session.Variant)

	again := p
	again.TrxID = "order-2"
	require.Equal(t, "order-2", s.create(again).Session.TrxID, "B never reuses")

	p.TrxID, p.Phone = "order-3", "+2348012345678"
	_, err := s.Engine.Checkout.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ferry.ErrValidation)
}
