package customers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
)

func TestTheDataOfEvents(t *testing.T) {
	b := setup(t)
	ada, shop := b.create(person(1)), b.create(company(2))
	b.initiate(goodBVN, ada.ID)
	_, err := b.validate(goodBVN, wrongOTP)
	require.ErrorIs(t, err, customers.ErrInvalidOTP)
	right, err := b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	limited, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.CAC, Number: goodCAC, CustomerID: shop.ID})
	require.NoError(t, err)

	const now = "2026-03-02T09:15:00.120Z"
	require.Equal(t, []told{
		{"customer.verification_failed", map[string]any{
			"customer_id": string(ada.ID), "type": "individual", "status": "rejected", "email": "ada1@example.com",
			"verification_method": "bvn", "verification_type": "bvn", "failure_reason": "invalid_otp", "failed_at": now,
		}},
		{"customer.verified", map[string]any{
			"customer_id": string(ada.ID), "type": "individual", "status": "verified",
			"first_name": "Ada", "last_name": "Obi", "email": "ada1@example.com",
			"verification_method": "bvn", "verification_type": "bvn",
			"verified_name": right.Identity.VerifiedName, "verified_at": now,
		}},
		{"customer.verified", map[string]any{
			"customer_id": string(shop.ID), "type": "business", "status": "verified",
			"business_name": "Obi Foods Limited", "email": "office2@example.com",
			"verification_method": "cac", "verification_type": "cac",
			"verified_name": limited.Result.BusinessName, "verified_at": now,
		}},
	}, b.events(home))
}
