package httpapi_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func newLink(title string) apitest.Object {
	return apitest.Object{"currency": "NGN", "title": title, "amount": 500000}
}

func TestAPaymentLinkOfEachDialect(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	a, b := s.With("X-Api-Variant", "A"), s.Client
	madeA := a.Post("/v1/payment-links", and(newLink("Jollof"), "slug", "Jollof", "fields", []string{"Address", "Phone"}, "metadata", apitest.Object{"k": 1})).OK()
	require.Equal(t, "active", madeA.Text("data.status"))
	require.Equal(t, madeA.Text("url"), madeA.Text("data.url"))
	require.Regexp(t, `/pay/Jollof$`, madeA.Text("url"))
	require.Equal(t, "500000", madeA.Number("data.amount"))
	require.False(t, madeA.Has("data.metadata.fields"))
	a.Post("/v1/payment-links", and(newLink("Jollof"), "slug", "jollof")).Fails(http.StatusBadRequest, "slug_already_exists")
	madeB := b.Post("/v1/payment-links", and(newLink("Jollof"), "slug", "jollof", "fields", []string{"First Name", "Email"}, "quantity_limit", 3)).OK()
	require.Equal(t, "pending", madeB.Text("data.status"))
	require.Equal(t, "jollof-2", madeB.Text("data.slug"))
	require.Equal(t, []any{"First Name", "Email"}, madeB.At("data.metadata.fields"))
	require.Equal(t, "3", madeB.Number("data.quantity_limit"))
	id := madeB.Text("data.id")
	require.Equal(t, "disabled", a.Get("/v1/payment-links?id="+id).OK().Text("data.status"))
	for _, status := range []string{"active", "inactive", "active", "active"} {
		require.Equal(t, status, b.Post("/v1/payment-links/status", apitest.Object{"uid": id, "status": status}).OK().Text("data.status"))
	}
	b.Post("/v1/payment-links/status", apitest.Object{"uid": id, "status": "pending"}).Fails(http.StatusConflict, "invalid_state_transition")
	b.Post("/v1/payment-links/status", apitest.Object{"uid": id, "status": "disabled"}).Fails(http.StatusBadRequest, "validation_error")
	off := a.Post("/v1/payment-links/status", apitest.Object{"uid": madeA.Text("data.uid"), "status": "disabled"}).OK()
	require.Equal(t, "disabled", off.Text("data.status"))
	require.NotNil(t, off.At("data.disabled_at"))
	b.Post("/v1/payment-links/status", apitest.Object{"uid": madeA.Text("data.id"), "status": "active"}).Fails(http.StatusConflict, "invalid_state_transition")
	require.Equal(t, 2, b.Get("/v1/payment-links").OK().Len("data"))
	require.Equal(t, 1, b.Get("/v1/payment-links?status=inactive").OK().Len("data"))
	require.Equal(t, 0, a.Get("/v1/payment-links?currency=USDC").OK().Len("data"))
	require.Equal(t, 1, b.Get("/v1/payment-links?slug=JOLLOF-2").OK().Len("data"))
	b.Get("/v1/payment-links?id=plink_1").Fails(http.StatusNotFound, "link_not_found")
	s.With("X-Api-Variant", "C").Get("/v1/payment-links").Fails(http.StatusBadRequest, "validation_error")
	a.Post("/v1/payment-links", and(newLink(""), "currency", "NGN", "amount", "10.5")).Refuses(
		"amount", "The amount is in kobo and has too many decimals", "title", "Missing required field")
	a.Post("/v1/payment-links", and(newLink("x"), "currency", "EUR")).Fails(http.StatusBadRequest, "invalid_currency")
	s.Patch("/v1/business", apitest.Object{"api_variant": "A"}).OK()
	require.Equal(t, "active", b.Post("/v1/payment-links", newLink("By preference")).OK().Text("data.status"))
}

// payable is an active link of dialect A.
func payable(s *apitest.Server, members ...any) apitest.Answer {
	return s.With("X-Api-Variant", "A").Post("/v1/payment-links", and(newLink("Jollof"), members...)).OK()
}

func payer(s *apitest.Server, link apitest.Answer, n int, members ...any) apitest.Object {
	return and(apitest.Object{
		"public_key": s.Tenant.PublicKey, "slug": link.Text("data.slug"), "email": fmt.Sprintf("payer%d@example.com", n),
	}, members...)
}

func TestALinkIsPaid(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	link := payable(s, "fields", []string{"Address", "Phone"}, "success_url", "https://shop.example.com/thanks")
	web := s.As("")
	web.Post("/v1/payment-links/pay", payer(s, link, 1)).Refuses("fields.Address", "Missing required field", "fields.Phone", "Missing required field")
	answers := apitest.Object{"Address": "12 Marina Road"}
	made := web.Post("/v1/payment-links/pay", payer(s, link, 1, "phone", "08012345678", "fields", answers)).OK()
	require.Equal(t, "5000", made.Number("data.amount"), "answered as Checkout A does")
	again := web.Post("/v1/payment-links/pay", payer(s, link, 1, "phone", "08012345678", "fields", answers)).OK()
	require.NotEqual(t, made.Text("trx_id"), again.Text("trx_id"))
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": made.Text("trx_id"), "outcome": "success", "payment_method": "bank_transfer"}).OK()
	paid := s.Get("/v1/payments?id=" + made.Text("trx_id")).OK()
	require.Equal(t, "payment_link", paid.Text("data.channel"))
	require.Equal(t, link.Text("data.id"), paid.Text("data.payment_link_id"))
	require.Equal(t, "12 Marina Road", paid.Text("data.fields.Address"))
	require.Equal(t, "08012345678", paid.Text("data.fields.Phone"))
	read := s.Get("/v1/payment-links?id=" + link.Text("data.id")).OK()
	require.Equal(t, "1", read.Number("data.payments_count"))
	require.Equal(t, "500000", read.Number("data.total_paid"))
	require.Contains(t, s.Get("/v1/checkout/status?trx_id="+made.Text("trx_id")).OK().Text("data.redirect_url"), "https://shop.example.com/thanks?")
	list := s.Get("/v1/payment-links/transactions?uid=" + link.Text("data.uid")).OK()
	require.Equal(t, 2, list.Len("data"))
	require.Equal(t, link.Text("data.uid"), list.Text("data.0.payment_link_uid"))
	require.Regexp(t, `^\d+$`, list.Number("data.0.id"))
	require.Equal(t, 1, s.Get("/v1/payment-links/transactions?status=success").OK().Len("data"))
	require.Equal(t, 2, s.Get("/v1/payment-links/transactions?customer_email=payer1@example.com").OK().Len("data"))
	one := s.Get("/v1/payment-links/transactions?trx_id=" + made.Text("trx_id")).OK()
	require.Equal(t, "success", one.Text("data.status"))
	s.Get("/v1/payment-links/transactions?trx_id=none").Fails(http.StatusNotFound, "transaction_not_found")
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": made.Text("trx_id"), "outcome": "reversed"}).OK()
	require.Equal(t, "0", s.Get("/v1/payment-links?id="+link.Text("data.id")).OK().Number("data.payments_count"))
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
}

func TestABankThatOpensNoAccountTakesNoPlaceOfALink(t *testing.T) {
	for _, fault := range []string{"unavailable", "answer_lost"} {
		s := apitest.Start(t, apitest.Config{})
		link := payable(s, "quantity_limit", 1)
		pay := func(web *apitest.Client) apitest.Answer {
			return web.Post("/v1/payment-links/pay", payer(s, link, 1))
		}
		s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": fault, "count": 2}).OK()
		pay(s.As("")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
		keyed := s.As("").With("Idempotency-Key", "k")
		pay(keyed).Fails(http.StatusServiceUnavailable, "provider_unavailable")
		made := pay(keyed).OK()
		require.NotEmpty(t, made.Text("account.fiat.account_number"), "who names a key goes on with the session")
		pay(s.As("")).Fails(http.StatusConflict, "link_limit_reached")
	}
}

func TestAnOpenLinkTakesThePayersAmount(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	link := payable(s, "type", "open", "amount", nil)
	require.Nil(t, link.At("data.amount"))
	s.As("").Post("/v1/payment-links/pay", payer(s, link, 1)).Refuses("amount", "Missing required field")
	made := s.As("").Post("/v1/payment-links/pay", payer(s, link, 1, "amount", 123456)).OK()
	require.Equal(t, "1234.56", made.Number("data.amount"))
	other := s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK()
	s.As("").Post("/v1/payment-links/pay", payer(s, link, 1, "public_key", other.Text("data.public_key"), "amount", 1)).
		Fails(http.StatusNotFound, "link_not_found")
}

func TestOfFiftyPayersAtOnceTenBeginAndTenSucceed(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	link := payable(s, "quantity_limit", 10)
	var mu sync.Mutex
	var wg sync.WaitGroup
	begun := []string{}
	for n := range 50 {
		wg.Go(func() {
			answer := s.As("").Post("/v1/payment-links/pay", payer(s, link, n))
			mu.Lock()
			defer mu.Unlock()
			if answer.Status == http.StatusOK {
				begun = append(begun, answer.Text("trx_id"))
				return
			}
			answer.Fails(http.StatusConflict, "link_limit_reached")
		})
	}
	wg.Wait()
	require.Len(t, begun, 10)
	drive := func(trxID, outcome string) {
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": trxID, "outcome": outcome}).OK()
	}
	drive(begun[0], "cancelled")
	last := s.As("").Post("/v1/payment-links/pay", payer(s, link, 99)).OK().Text("trx_id")
	for _, trxID := range append(begun[1:], last) {
		drive(trxID, "success")
	}
	read := s.With("X-Api-Variant", "A").Get("/v1/payment-links?id=" + link.Text("data.id")).OK()
	require.Equal(t, "completed", read.Text("data.status"))
	require.Equal(t, "10", read.Number("data.payments_count"))
	s.As("").Post("/v1/payment-links/pay", payer(s, link, 100)).Fails(http.StatusConflict, "link_limit_reached")
}

func TestAPaymentIsVerified(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/checkout/create", and(orderB(s, "order-1"), "meta", apitest.Object{"cart": 9}, "name", "Ada", "phone", "08012345678")).OK()
	pending := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, "pending", pending.Text("data.status"))
	require.Nil(t, pending.At("data.payment_method"))
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success"}).OK()
	found := s.Get("/v1/payments?id=order-1").OK()
	for path, want := range map[string]string{
		"reference": "order-1", "status": "success", "currency": "NGN", "payment_method": "card", "channel": "checkout",
		"customer.email": "ada@example.com", "customer.phone": "08012345678", "customer.name": "Ada",
	} {
		require.Equal(t, want, found.Text("data."+path), path)
	}
	for path, want := range map[string]string{
		"amount": "1500000", "fees.tsara_fee": "0", "fees.processing_fee": "0", "fees.total_fees": "0", "net_amount": "1500000", "meta.cart": "9",
	} {
		require.Equal(t, want, found.Number("data."+path), path)
	}
	require.NotNil(t, found.At("data.paid_at"))
	same := s.Get("/v1/payments?payment_id=" + found.Text("data.id")).OK()
	require.Equal(t, found.At("data"), same.At("data"))
	s.Get("/v1/payments?id=none").Fails(http.StatusNotFound, "payment_not_found")
	s.Get("/v1/payments?id=a+b").Fails(http.StatusBadRequest, "invalid_reference")
	s.Get("/v1/payments?payment_id=pay_1").Fails(http.StatusBadRequest, "invalid_reference")
	s.Get("/v1/payments").Fails(http.StatusBadRequest, "validation_error")
	line := s.Get("/v1/transactions?trx_id=order-1").OK()
	require.Equal(t, found.Text("data.id"), line.Text("data.reference"))
	require.Equal(t, "15000", line.Number("data.amount"))
	s.Post("/v1/payments/resolve", apitest.Object{"reference": "order-1", "action": "accept"}).Fails(http.StatusConflict, "invalid_state_transition")
	s.Post("/v1/payments/resolve", apitest.Object{"reference": "none", "action": "accept"}).Fails(http.StatusNotFound, "payment_not_found")
}

// identity returns the id of a verified identity.
func verifiedIdentity(s *apitest.Server, customer string) string {
	made := s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": "22212345670", "customer_id": customer}).OK()
	s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": "22212345670", "otp": "123456"}).OK()
	return made.Text("data.identity_id")
}

func TestCollectionAccounts(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	customer := s.Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	body := apitest.Object{"currency": "NGN", "identity_id": "", "phone_number": "+2348012300001", "email": "customer1@example.com"}
	s.Post("/v1/fiat/reserved-accounts", and(body, "identity_id", "idn_1")).Fails(http.StatusNotFound, "identity_not_found")
	open := s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "nin", "number": "22212345670"}).OK().Text("data.identity_id")
	s.Post("/v1/fiat/reserved-accounts", and(body, "identity_id", open)).Fails(http.StatusUnprocessableEntity, "identity_not_verified")
	identity := verifiedIdentity(s, customer)
	other := s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK()
	s.As(other.Text("data.secret_key")).Post("/v1/fiat/reserved-accounts", and(body, "identity_id", identity)).Fails(http.StatusNotFound, "identity_not_found")
	s.Post("/v1/fiat/reserved-accounts", and(body, "identity_id", identity, "currency", "USDC")).Fails(http.StatusBadRequest, "invalid_currency")
	reserved := s.Post("/v1/fiat/reserved-accounts", and(body, "identity_id", identity)).OK()
	require.Equal(t, "active", reserved.Text("data.status"))
	require.Equal(t, customer, reserved.Text("data.customer_id"))
	require.Equal(t, []any{reserved.Text("data.id")}, s.Get("/v1/customers?id="+customer).OK().At("data.reserved_accounts"))

	pay := func(account apitest.Answer, amount int) {
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account.Text("data.account_number"), "amount": amount}).OK()
	}
	balance := func() string { return s.Get("/v1/business/balance").OK().Number("data.0.available") }
	pay(reserved, 100)
	pay(reserved, 50)
	require.Equal(t, "1000150", balance())
	read := s.Get("/v1/fiat/reserved-accounts?transaction=1&id=" + reserved.Text("data.id")).OK()
	require.Equal(t, 2, read.Len("data.transactions"))
	require.Equal(t, "150", read.Number("data.total_received"))
	s.Do(http.MethodDelete, "/v1/fiat/reserved-accounts?id="+reserved.Text("data.id"), nil).OK()
	pay(reserved, 7)
	require.Equal(t, "1000150", balance(), "what comes to a closed account goes back")
	closed := s.Get("/v1/fiat/reserved-accounts?transaction=1&id=" + reserved.Text("data.uid")).OK()
	require.Equal(t, "closed", closed.Text("data.status"))
	require.Equal(t, "returned", closed.Text("data.transactions.0.status"))
	require.Equal(t, 3, closed.Len("data.transactions"), "history stays")
	require.Equal(t, "2", s.Get("/v1/transactions?status=success").OK().Number("meta.total"))

	s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN"}).Refuses("reference", "Missing required field")
	s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "r", "validFor": 86401}).Fails(http.StatusBadRequest, "validation_error")
	whole := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "invoice-1", "amount": 500, "validFor": 60}).OK()
	s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "invoice-1"}).Fails(http.StatusBadRequest, "duplicate_reference")
	status := func(account apitest.Answer) string {
		return s.Get("/v1/fiat/virtual-accounts?id=" + account.Text("data.id")).OK().Text("data.status")
	}
	pay(whole, 200)
	require.Equal(t, "active", status(whole))
	pay(whole, 300)
	require.Equal(t, "completed", status(whole))
	pay(whole, 1)
	require.Equal(t, "1000650", balance())
	any := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "invoice-2"}).OK()
	require.Equal(t, "900", any.Number("data.valid_for"))
	require.Nil(t, any.At("data.amount"))
	pay(any, 1)
	require.Equal(t, "completed", status(any))
	gone := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "invoice-3"}).OK()
	s.Advance(15 * time.Minute)
	require.Equal(t, "expired", status(gone))
	pay(gone, 9)
	require.Equal(t, "1000651", balance())
	s.Do(http.MethodDelete, "/v1/fiat/virtual-accounts?id="+gone.Text("data.id"), nil).Fails(http.StatusConflict, "invalid_state_transition")
	require.Equal(t, 1, s.Get("/v1/fiat/virtual-accounts?status=expired").OK().Len("data"))
	require.Zero(t, s.Get("/v1/fiat/virtual-accounts?date_from=2099-01-01").OK().Len("data"))
	s.Get("/v1/fiat/virtual-accounts?date_from=zz").Fails(http.StatusBadRequest, "validation_error")
	require.Equal(t, 1, s.Get("/v1/fiat/virtual-accounts?reference=invoice-1").OK().Len("data"))
	s.Get("/v1/fiat/virtual-accounts?id=vacc_1").Fails(http.StatusNotFound, "account_not_found")
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
	events := s.Get("/v1/events?limit=100").OK()
	count := 0
	for n := range events.Len("data") {
		if events.Text(fmt.Sprintf("data.%d.type", n)) == "transfer.received" {
			count++
		}
	}
	require.Equal(t, 5, count, "none of what went back")
}
