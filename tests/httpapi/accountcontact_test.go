package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAReservedAccountTakesTheContactsOfItsCustomerOnly(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	customer := s.Post("/v1/customers", newCustomer(1)).OK()
	identity := s.Post("/v1/customers/identity/initiate", initiation(goodBVN, customer.Text("data.id"))).OK().Text("data.identity_id")
	s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": goodBVN, "otp": "123456"}).OK()
	body := apitest.Object{"currency": "NGN", "identity_id": identity, "email": "eve@example.com", "phone_number": "+2348099999999"}
	s.Post("/v1/fiat/reserved-accounts", body).Refuses("email", "Must be that of the identity's customer", "phone_number", "Must be that of the identity's customer")

	body["email"], body["phone_number"] = "Customer1@Example.com", "0801 230 0001"
	made := s.Post("/v1/fiat/reserved-accounts", body).OK()
	require.Equal(t, customer.Text("data.id"), made.Text("data.customer_id"))
	require.Equal(t, "customer1@example.com", made.Text("data.email"))
}
