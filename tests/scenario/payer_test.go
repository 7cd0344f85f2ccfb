package scenario_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAPaymentNamesTheCustomerWhoHasItsEmail(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAPaymentNamesTheCustomerWhoHasItsEmail)
}

func testAPaymentNamesTheCustomerWhoHasItsEmail(t *testing.T, open opener) {
	s := open(t)
	id := s.Post("/v1/customers", ada()).OK().Text("data.id")
	for _, trxID := range s.ordersOf("Ada@Example.com") {
		s.namesPayer(trxID, id)
	}

	moved := s.Patch("/v1/customers?id="+id, apitest.Object{"email": "obi@example.com"}).OK()
	require.Equal(t, "obi@example.com", moved.Text("data.email"))
	s.As("").Post("/v1/checkout", s.order("moved-1", "ada@example.com", "amount", 1)).OK()
	s.namesPayer("moved-1", nil)
	s.As("").Post("/v1/checkout", s.order("moved-2", "obi@example.com", "amount", 1)).OK()
	s.namesPayer("moved-2", id)
}

func TestAPaymentNamesTheCustomerOfTheMomentInWhichItWasMade(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAPaymentNamesTheCustomerOfTheMomentInWhichItWasMade)
}

func testAPaymentNamesTheCustomerOfTheMomentInWhichItWasMade(t *testing.T, open opener) {
	s := open(t)
	before := s.ordersOf("ada@example.com")
	s.Post("/v1/customers", ada()).OK()
	reused := s.As("").Post("/v1/checkout", s.order("again", "ada@example.com")).OK()
	require.Equal(t, true, reused.At("reused"))
	for _, trxID := range before {
		s.namesPayer(trxID, nil)
	}
}

func TestAPaymentNamesNoCustomerOfAnotherBusinessOrEnvironment(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAPaymentNamesNoCustomerOfAnotherBusinessOrEnvironment)
}

func testAPaymentNamesNoCustomerOfAnotherBusinessOrEnvironment(t *testing.T, open opener) {
	s := open(t)
	other := s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK()
	s.As(other.Text("data.secret_key")).Post("/v1/customers", ada()).OK()
	_, err := s.Engine.Customers.Create(t.Context(), ferry.Scope{Business: s.Tenant.Business.Scope.Business, Env: ferry.Live}, customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
	})
	require.NoError(t, err)
	for _, trxID := range s.ordersOf("ada@example.com") {
		s.namesPayer(trxID, nil)
	}
}

// ordersOf makes an order in each of the ways that there are, and returns their trx_ids.
func (s shop) ordersOf(email string) []string {
	s.t.Helper()
	a := s.As("").Post("/v1/checkout", s.order("in-a", email)).OK()
	b := s.Post("/v1/checkout/create", s.order("in-b", email, "currency", "NGN")).OK()
	s.With("X-Api-Variant", "A").Post("/v1/payment-links", apitest.Object{
		"currency": "NGN", "title": "Ticket", "amount": 500000, "slug": "ticket",
	}).OK()
	link := s.As("").Post("/v1/payment-links/pay", apitest.Object{"public_key": s.Tenant.PublicKey, "slug": "ticket", "email": email}).OK()
	return []string{a.Text("trx_id"), b.Text("trx_id"), link.Text("trx_id")}
}

// namesPayer requires that a payment names a customer, or nil, wherever it is shown,
// and so does what is told of it when it is paid.
func (s shop) namesPayer(trxID string, customer any) {
	s.t.Helper()
	record := s.Get("/v1/payments?id=" + trxID).OK()
	require.True(s.t, record.Has("data.customer.id"))
	require.Equal(s.t, customer, record.At("data.customer.id"))
	require.Equal(s.t, customer, s.Get("/v1/checkout?trx_id="+trxID).OK().At("data.customer_id"))
	list := s.Get("/v1/checkout?limit=100").OK()
	for n := range list.Len("data") {
		if at := fmt.Sprint("data.", n, "."); list.At(at+"trx_id") == trxID {
			require.Equal(s.t, customer, list.At(at+"customer_id"))
		}
	}
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": trxID, "outcome": "success"}).OK()
	events := s.Get("/v1/events?limit=100").OK()
	told := fmt.Sprint("data.", events.Len("data")-1, ".data.")
	require.Equal(s.t, trxID, events.At(told+"trx_id"))
	require.Equal(s.t, customer, events.At(told+"customer.id"))
	require.Equal(s.t, customer, events.At(told+"payment.customer.id"))
	require.Equal(s.t, customer, s.Get("/v1/payments?id="+trxID).OK().At("data.customer.id"))
}
