//go:build postgres && unix

package budget_test

import (
	"fmt"
	"net/http"
	"testing"
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
		var trips []string
		payByBank(t, h.Engine, h.Tenant.Business.Scope, trxID, h.rest, func() { trips = h.reset() })
		h.rest()
		for _, trip := range trips {
			h.add(trip)
		}
	})
}
