package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

const fixed = "This field cannot be changed"

func TestAChangeTakesWhatIsAsItWasAndRefusesTheRestByName(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := newCustomer(1)
	body["date_of_birth"], body["country"] = "1990-04-17", "NG"
	person := s.Post("/v1/customers", body).OK().Text("data.id")
	same := apitest.Object{
		"type": "individual", "first_name": " Ada", "last_name": "Obi", "name": "Ada Obi", "date_of_birth": "1990-04-17",
		"country": "NG", "status": "pending_verification", "city": "Kano", "shoe_size": 9,
	}
	for _, change := range []func(apitest.Object) apitest.Answer{
		func(o apitest.Object) apitest.Answer { return s.Patch("/v1/customers?id="+person, o) },
		func(o apitest.Object) apitest.Answer {
			o["customer_id"] = person
			return s.Post("/v1/customers/update", o)
		},
	} {
		require.Equal(t, "Kano", change(same).OK().Text("data.city"))
		change(apitest.Object{
			"type": "business", "first_name": "Bola", "last_name": "", "name": "Obi Ada", "business_name": "Obi", "date_of_birth": "1990-04-18",
			"tax_id": "T-1", "industry": "food", "country": "GH", "status": "verified", "identity_status": "verified",
			"contact_person": apitest.Object{"first_name": "Bola"},
		}).Refuses("type", fixed, "first_name", fixed, "last_name", fixed, "name", fixed, "business_name", fixed, "date_of_birth", fixed,
			"tax_id", fixed, "industry", fixed, "country", fixed, "status", fixed, "identity_status", fixed, "contact_person.first_name", fixed)
	}

	company := newCompany(1)
	company["contact_person"] = apitest.Object{"first_name": "Bola", "email": "Bola@Example.com", "phone": "+234 801 000 0000"}
	id := s.Post("/v1/customers", company).OK()
	s.Patch("/v1/customers?id="+id.Text("data.id"), apitest.Object{
		"business_name": company["business_name"], "name": company["business_name"], "cac_number": id.Text("data.cac_number"),
		"contact_person": apitest.Object{"first_name": "Bola", "email": "bola@example.com", "phone": "+2348010000000"},
	}).OK()
}

func TestACustomerMaySendBackAllThatWasRead(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := newCustomer(1)
	body["bvn"], body["nin"], body["metadata"] = "22212345670", "55512345670", apitest.Object{"tier": "gold"}
	s.Post("/v1/customers", body).OK()
	id := s.Post("/v1/customers", newCompany(2)).OK().Text("data.id")
	for _, path := range []string{"/v1/customers?id=" + id, "/v1/customers?id=" + s.Get("/v1/customers?type=individual").OK().Text("data.0.id")} {
		read := s.Get(path).OK().At("data").(map[string]any)
		read["city"] = "Kano"
		require.Equal(t, "Kano", s.Patch(path, read).OK().Text("data.city"))
	}

	person := s.Get("/v1/customers?type=individual").OK().Text("data.0.id")
	s.Patch("/v1/customers?id="+person, apitest.Object{"bvn": "222123****1", "nin": "****"}).Refuses("bvn", fixed, "nin", fixed)
	require.Equal(t, "222123****0", s.Get("/v1/customers?id="+person).OK().Text("data.bvn"))
	bare := s.Post("/v1/customers", newCustomer(3)).OK().Text("data.id")
	s.Patch("/v1/customers?id="+bare, apitest.Object{"bvn": "222123****0"}).Refuses("bvn", "Invalid BVN format")
}

func TestARowOfTheListOfCustomersHasItsIdentityStatus(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers", newCustomer(1)).OK()
	require.Equal(t, "pending_verification", s.Get("/v1/customers").OK().Text("data.0.identity_status"))
}

func TestAFieldThatIsNullCountsAsNotSent(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	header := map[string]string{"Authorization": "Bearer " + s.Tenant.SecretKey, "Content-Type": "application/json"}
	sent := func(method, path, body string) { // the document does not invite null
		require.Equal(t, http.StatusOK, raw(t, s, method, path, header, strings.NewReader(body)).StatusCode, path)
	}
	sent(http.MethodPost, "/v1/customers", `{"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": "ada@example.com",
		"phone": "+2348012345678", "city": "Lagos", "bvn": null, "date_of_birth": null, "metadata": null}`)
	person := s.Get("/v1/customers").OK().Text("data.0.id")
	before := s.Get("/v1/customers?id=" + person).OK()
	sent(http.MethodPatch, "/v1/customers?id="+person, `{"city": null, "email": null, "first_name": null, "nin": null, "metadata": null}`)
	after := s.Get("/v1/customers?id=" + person).OK()
	require.Equal(t, before.At("data.city"), after.At("data.city"))
	require.Equal(t, before.At("data.email"), after.At("data.email"))

	wallet := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.id")
	address := s.Post("/v1/wallets/"+wallet+"/addresses", apitest.Object{"label": "Till", "metadata": apitest.Object{"a": "b"}}).OK().Text("data.id")
	sent(http.MethodPatch, "/v1/wallets/addresses/"+address, `{"label": null, "metadata": null, "status": null}`)
	kept := s.Get("/v1/wallets/addresses?id=" + address).OK()
	require.Equal(t, "Till", kept.Text("data.label"))
	require.Equal(t, "b", kept.Text("data.metadata.a"))
}
