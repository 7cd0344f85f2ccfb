package checkout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
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

func TestAFaultOfTheBankTakesNoPlaceOfALink(t *testing.T) {
	s := setup(t)
	once := int64(1)
	link, err := s.Engine.Links.Create(t.Context(), s.scope, links.CreateParams{
		Policy: business.DialectA, Currency: "NGN", Amount: money.NGN(15_000_00), Title: "Jollof", QuantityLimit: &once,
	})
	require.NoError(t, err)
	payer := checkout.PayParams{Slug: link.Slug, Email: "ada@example.com"}
	s.away(1)
	_, err = s.Engine.Checkout.PayLink(t.Context(), link, payer)
	require.ErrorIs(t, err, checkout.ErrBankUnavailable)
	_, err = s.Engine.Checkout.PayLink(t.Context(), link, payer)
	require.NoError(t, err)
}
