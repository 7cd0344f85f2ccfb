package scenario_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAShopCollectsInEveryWayAndTheBooksAreRight(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAShopCollectsInEveryWayAndTheBooksAreRight)
}

// order is an order of 15,000 naira, which is 10 USDC, in dialect A.
func (s shop) order(trxID, email string, members ...any) apitest.Object {
	o := apitest.Object{"public_key": s.Tenant.PublicKey, "trx_id": trxID, "email": email, "amount": 15000}
	for i := 0; i < len(members); i += 2 {
		o[members[i].(string)] = members[i+1]
	}
	return o
}

func testAShopCollectsInEveryWayAndTheBooksAreRight(t *testing.T, open opener) {
	s := open(t)
	credit := func(number string, amount any, session string) {
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": number, "amount": amount, "session_id": session}).OK()
	}
	status := func(trxID string) string {
		p := s.Get("/v1/payments?id=" + trxID).OK()
		return fmt.Sprint(p.Text("data.status"), " ", p.At("data.exceptions"))
	}
	create := func(trxID string, members ...any) apitest.Answer {
		return s.As("").Post("/v1/checkout", s.order(trxID, trxID+"@example.com", members...)).OK()
	}
	deposit := func(trxID, amount string) {
		to := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": trxID}).OK().Text("data.crypto.address")
		s.Post("/v1/test_helpers/deposits", apitest.Object{"address": to, "amount": amount, "wait": false}).OK()
		s.Settle()
	}

	exact := create("exact")
	credit(exact.Text("account.fiat.account_number"), 15000, "s1")
	credit(exact.Text("account.fiat.account_number"), 15000, "s1")
	require.Equal(t, "success []", status("exact"))
	credit(exact.Text("account.fiat.account_number"), 15000, "s2")
	require.Equal(t, "success [duplicate]", status("exact"))
	credit(create("under").Text("account.fiat.account_number"), "14999.99", "s3")
	require.Equal(t, "failed [underpaid]", status("under"))
	credit(create("over").Text("account.fiat.account_number"), "15000.01", "s4")
	require.Equal(t, "success [overpaid]", status("over"))

	create("usdc")
	deposit("usdc", "4")
	require.Equal(t, "pending []", status("usdc"))
	deposit("usdc", "7")
	require.Equal(t, "success [overpaid]", status("usdc"))
	s.Post("/v1/payments/resolve", apitest.Object{"reference": "usdc", "action": "refund"}).OK()
	s.Settle()
	s.Patch("/v1/business", apitest.Object{"crypto_settlement": "convert"}).OK()
	create("converted", "amount", 10, "amount_type", "crypto", "payment_method", "crypto")
	deposit("converted", "10")
	require.Equal(t, "success []", status("converted"))

	late := create("late")
	deposit("late", "1")
	s.Advance(24 * time.Hour)
	require.Equal(t, "expired [underpaid]", status("late"))
	credit(late.Text("account.fiat.account_number"), 15000, "s5")
	require.Equal(t, "expired [underpaid late]", status("late"))

	balances := s.Get("/v1/business/balance").OK()
	require.Equal(t, "1045000", balances.Number("data.0.available"), "three sessions in naira")
	require.Equal(t, "10", balances.Number("data.1.available"), "one in USDC")
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
	require.Equal(t, "4", s.Get("/v1/transactions?status=success").OK().Number("meta.total"))
	require.Equal(t, "4", s.Get("/v1/transactions?status=returned").OK().Number("meta.total"))
}

func TestACrowdAtALinkAndAtOneCheckout(t *testing.T) {
	t.Parallel()
	inACrowd(t, testACrowdAtALinkAndAtOneCheckout)
}

func testACrowdAtALinkAndAtOneCheckout(t *testing.T, open opener) {
	s := open(t)
	link := s.With("X-Api-Variant", "A").Post("/v1/payment-links", apitest.Object{
		"currency": "NGN", "title": "Ten tickets", "amount": 500000, "slug": "tickets", "quantity_limit": 10,
	}).OK()
	var mu sync.Mutex
	var wg sync.WaitGroup
	begun, sessions, slugs := map[string]bool{}, map[string]bool{}, map[string]bool{}
	note := func(set map[string]bool, key string) {
		mu.Lock()
		defer mu.Unlock()
		set[key] = true
	}
	for n := range 30 {
		wg.Go(func() {
			payer := s.As("").With("Idempotency-Key", fmt.Sprint("payer-", n))
			pay := func() apitest.Answer {
				return payer.Post("/v1/payment-links/pay", apitest.Object{
					"public_key": s.Tenant.PublicKey, "slug": "tickets", "email": fmt.Sprintf("payer%d@example.com", n),
				})
			}
			paid := pay()
			for tries := 0; paid.Status == http.StatusServiceUnavailable && tries < 5; tries++ {
				paid = pay() // as a slow server asks to
			}
			if paid.Status == http.StatusOK {
				note(begun, paid.Text("trx_id"))
			} else {
				paid.Fails(http.StatusConflict, "link_limit_reached")
			}
			made := s.As("").Post("/v1/checkout", s.order(fmt.Sprint("order-", n), "same@example.com")).OK()
			note(sessions, made.Text("data.reference"))
			again := s.Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "Copy", "amount": 100, "slug": "tickets"}).OK()
			note(slugs, again.Text("data.slug"))
		})
	}
	wg.Wait()
	require.Len(t, begun, 10)
	require.Len(t, sessions, 1)
	require.Len(t, slugs, 30)
	for trxID := range begun {
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": trxID, "outcome": "success"}).OK()
	}
	read := s.With("X-Api-Variant", "A").Get("/v1/payment-links?id=" + link.Text("data.id")).OK()
	require.Equal(t, "completed", read.Text("data.status"))
	require.Equal(t, "5000000", read.Number("data.total_paid"))
}
