//go:build postgres && unix

package budget_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
)

// session makes a checkout session with a bank account and an address for USDC.
func (h *house) session(t *testing.T) (trxID string) {
	h.serial++
	trxID = fmt.Sprint("order-", h.serial)
	h.do(t, http.MethodPost, "/v1/checkout/create", trxID, fmt.Sprintf(
		`{"public_key":%q,"amount":500000,"currency":"NGN","trx_id":%q,"email":"ada@example.com"}`, h.Tenant.PublicKey, trxID))
	return trxID
}

func TestACheckoutSessionTakesFiveRoundTrips(t *testing.T) {
	h := newHouse(t, 1)
	h.atMost(t, 5, func() { h.session(t) })
}

func TestABankCreditTakesFourRoundTripsUntilThePaymentIsMade(t *testing.T) {
	h := newHouse(t, 1)
	h.atMost(t, 4, func() {
		trxID := h.session(t)
		state, err := h.Engine.Checkout.Get(t.Context(), h.Tenant.Business.Scope, checkout.Ref{TrxID: trxID})
		require.NoError(t, err)
		h.rest()
		_, err = h.Engine.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: state.Account.AccountNumber, Amount: money.NGN(500000)})
		require.NoError(t, err)
		_, err = h.Engine.BankFeed.RunDue(t.Context(), 100)
		require.NoError(t, err)
		trips := h.reset()
		state, err = h.Engine.Checkout.Get(t.Context(), h.Tenant.Business.Scope, checkout.Ref{TrxID: trxID})
		require.NoError(t, err)
		require.Equal(t, payments.Success, state.Payment.Status)
		h.rest()
		for _, trip := range trips {
			h.add(trip)
		}
	})
}
