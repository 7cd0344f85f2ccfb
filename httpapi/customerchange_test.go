package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/apitest"
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

func TestARowOfTheListOfCustomersHasItsIdentityStatus(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers", newCustomer(1)).OK()
	require.Equal(t, "pending_verification", s.Get("/v1/customers").OK().Text("data.0.identity_status"))
}
