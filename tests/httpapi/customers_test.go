package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestACustomerIsCreated(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/customers", apitest.Object{
		"type": "individual", "first_name": "Ada", "last_name": "Obi",
		"email": "Ada@Example.com", "phone": "+234 801-234-5678", "bvn": "22212345670", "nin": "33312345670",
		"date_of_birth": "1990-04-17", "city": "Lagos", "metadata": apitest.Object{"tier": "gold", "level": 3, "vip": true},
	}).OK()
	require.Regexp(t, `^cus_[0-9a-f]{32}$`, made.Text("data.id"))
	require.Equal(t, "Ada Obi", made.Text("data.name"))
	require.Equal(t, "ada@example.com", made.Text("data.email"))
	require.Equal(t, "+2348012345678", made.Text("data.phone"))
	require.Equal(t, "222123****0", made.Text("data.bvn"))
	require.Equal(t, "333123****0", made.Text("data.nin"))
	require.Equal(t, "pending_verification", made.Text("data.status"))
	require.Equal(t, "pending_verification", made.Text("data.identity_status"))
	require.Equal(t, "2026-03-02T09:15:00.000Z", made.Text("data.created_at"))
	require.Equal(t, "3", made.Number("data.metadata.level"))
	require.Equal(t, true, made.At("data.metadata.vip"))
	require.False(t, made.Has("data.business_name"))

	read := s.Get("/v1/customers?id=" + made.Text("data.id")).OK()
	require.Equal(t, []any{}, read.At("data.wallets"))
	require.Equal(t, []any{}, read.At("data.reserved_accounts"))
	require.False(t, read.Has("data.verification_details"))
	require.False(t, read.Has("pagination"))
}

func TestACompanyIsACustomerToo(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := newCompany(1)
	body["contact_person"] = apitest.Object{"first_name": "Bola", "email": "bola@example.com"}
	made := s.Post("/v1/customers", body).OK()
	require.Equal(t, "NG", made.Text("data.country"))
	require.Equal(t, "Obi & Daughters", made.Text("data.business_name"))
	require.Equal(t, "Bola", made.Text("data.contact_person.first_name"))
	require.False(t, made.Has("data.contact_person.phone"))
}

func TestTheTextsOfCustomerErrorsAreFixed(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers", apitest.Object{"type": "individual"}).Refuses(
		"first_name", "Missing required field", "last_name", "Missing required field",
		"email", "Missing required field", "phone", "Missing required field")
	s.Post("/v1/customers", apitest.Object{}).Refuses(
		"type", "Missing required field", "email", "Missing required field", "phone", "Missing required field")
	bad := newCustomer(1)
	bad["email"], bad["phone"], bad["bvn"], bad["nin"] = "ada@", "0801", "123", "123456789012"
	s.Post("/v1/customers", bad).Refuses(
		"email", "Invalid email format", "phone", "Invalid phone format",
		"bvn", "Invalid BVN format", "nin", "Invalid NIN format")
	company := newCompany(1)
	company["cac_number"], company["contact_person"] = "12345", apitest.Object{"email": "x"}
	s.Post("/v1/customers", company).Refuses(
		"cac_number", "Invalid CAC number", "contact_person.email", "Invalid email format")
	nested := newCustomer(1)
	nested["metadata"] = apitest.Object{"a": apitest.Object{"b": 1}}
	s.Post("/v1/customers", nested).Refuses("metadata.a", "Must be a string, number or boolean")
}

func TestADuplicateCustomerIsAConflict(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers", newCustomer(1)).OK()
	sameEmail, samePhone := newCustomer(2), newCustomer(3)
	sameEmail["email"] = "CUSTOMER1@example.com"
	samePhone["phone"] = "+234 80123-00001"
	require.Equal(t, "Duplicate customer", s.Post("/v1/customers", sameEmail).Fails(http.StatusConflict, "duplicate_customer").Text("message"))
	s.Post("/v1/customers", samePhone).Fails(http.StatusConflict, "duplicate_customer")
	require.Equal(t, "1", s.Get("/v1/customers").OK().Number("meta.total"))
}

func TestCustomersAreFoundInBothForms(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	id := s.Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	other := s.Post("/v1/customers", newCustomer(2)).OK().Text("data.id")
	legacy := "uid_" + id[len("cus_"):]
	for _, query := range []string{"id=" + id, "id=" + legacy, "uid=" + legacy, "id=" + id + "&uid=" + legacy} {
		require.Equal(t, id, s.Get("/v1/customers?"+query).OK().Text("data.id"))
	}
	for _, query := range []string{"id=cus_x", "id=nothing", "id=wal_" + id[4:], "id=" + id + "&uid=" + other, "id=cus_00000000000000000000000000000000"} {
		missing := s.Get("/v1/customers?"+query).Fails(http.StatusNotFound, "customer_not_found")
		require.Equal(t, "Customer not found", missing.Text("message"))
	}
}

func TestCustomersAreFilteredBeforePaging(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for i := range 3 {
		s.Post("/v1/customers", newCustomer(i)).OK()
	}
	s.Post("/v1/customers", newCompany(9)).OK()
	for query, total := range map[string]string{
		"type=business":                             "1",
		"type=individual&limit=1":                   "3",
		"status=verified":                           "0",
		"email=CUSTOMER1@example.com":               "1",
		"phone=%2B2348012300002":                    "1",
		"search=daughters":                          "1",
		"search=customer2":                          "1",
		"search=nobody":                             "0",
		"status=pending_verification":               "4",
		"email=customer1@example.com&type=business": "0",
	} {
		require.Equal(t, total, s.Get("/v1/customers?"+query).OK().Number("meta.total"), query)
	}
	row := s.Get("/v1/customers?type=business").OK()
	require.False(t, row.Has("data.0.metadata"))
	require.True(t, row.Has("data.0.created_at"))
}

func TestACustomerIsChanged(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := newCustomer(1)
	body["metadata"] = apitest.Object{"tier": "gold", "since": 2020}
	id := s.Post("/v1/customers", body).OK().Text("data.id")

	changed := s.Patch("/v1/customers?id="+id, apitest.Object{
		"city": "Abuja", "metadata": apitest.Object{"tier": nil, "vip": true}, "bvn": "22212345670",
	}).OK()
	require.Equal(t, "Abuja", changed.Text("data.city"))
	require.Equal(t, "222123****0", changed.Text("data.bvn"))
	require.False(t, changed.Has("data.metadata.tier"), "null removes a key")
	require.Equal(t, "2020", changed.Number("data.metadata.since"), "others stay")
	require.Equal(t, true, changed.At("data.metadata.vip"))

	s.Post("/v1/customers/update", apitest.Object{"customer_id": id, "bvn": "22212345670"}).OK()
	s.Patch("/v1/customers?id="+id, apitest.Object{"bvn": "22212345671", "type": "business", "first_name": "Bola"}).
		Refuses("bvn", "This field cannot be changed", "type", "This field cannot be changed", "first_name", "This field cannot be changed")
	s.Patch("/v1/customers", apitest.Object{"city": "Kano"}).Refuses("id", "Missing required field")
	s.Post("/v1/customers/update", apitest.Object{"city": "Kano"}).Refuses("customer_id", "Missing required field")
	s.Patch("/v1/customers?id=cus_00000000000000000000000000000000", apitest.Object{}).Fails(http.StatusNotFound, "customer_not_found")

	many := apitest.Object{}
	for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		many[key] = key
	}
	s.Patch("/v1/customers?id="+id, apitest.Object{"metadata": many}).
		Refuses("metadata", "Must have at most 10 keys")
	many["since"] = nil
	s.Patch("/v1/customers?id="+id, apitest.Object{"metadata": many}).OK()
}

func TestACustomerListsItsWallets(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	id := s.Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	body := newWallet("hers")
	body["customer_id"] = "uid_" + id[len("cus_"):]
	wallet := s.Post("/v1/wallets", body).OK()
	require.Equal(t, id, wallet.Text("data.customer_id"))
	require.Equal(t, []any{wallet.Text("data.id")}, s.Get("/v1/customers?id="+id).OK().At("data.wallets"))
	body["customer_id"], body["reference"] = "cus_00000000000000000000000000000000", "nobodys"
	s.Post("/v1/wallets", body).Fails(http.StatusNotFound, "customer_not_found")
}

func TestWhatMayNotChangeIsAcceptedWhenItIsEqual(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	person := newCustomer(1)
	person["bvn"], person["date_of_birth"], person["country"] = goodBVN, "1990-04-17", "NG"
	made := s.Post("/v1/customers", person).OK()
	same := apitest.Object{}
	for _, member := range []string{"type", "first_name", "last_name", "name", "status", "identity_status", "date_of_birth", "country", "email", "phone"} {
		same[member] = made.Text("data." + member)
	}
	same["city"] = "Kano"
	require.Equal(t, "Kano", s.Patch("/v1/customers?id="+made.Text("data.id"), same).OK().Text("data.city"))
	same["bvn"] = goodBVN
	same["customer_id"] = made.Text("data.id")
	s.Post("/v1/customers/update", same).OK()

	company := newCompany(1)
	company["tax_id"], company["industry"] = "T-1", "food"
	company["contact_person"] = apitest.Object{"first_name": "Bola", "email": "Bola@example.com"}
	shop := s.Post("/v1/customers", company).OK()
	delete(company, "email")
	delete(company, "phone")
	company["name"] = company["business_name"]
	s.Patch("/v1/customers?id="+shop.Text("data.id"), company).OK()
}

func TestWhatMayNotChangeIsRefusedByNameWhenItDiffers(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	id := s.Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	const fixed = "This field cannot be changed"
	s.Patch("/v1/customers?id="+id, apitest.Object{
		"type": "business", "first_name": "Bola", "last_name": "Ade", "name": "Bola Ade", "business_name": "Bola Foods",
		"status": "verified", "identity_status": "verified", "date_of_birth": "1990-04-17", "country": "GH",
		"tax_id": "T-1", "industry": "food", "contact_person": apitest.Object{"first_name": "Bola"}, "city": "Kano",
	}).Refuses("type", fixed, "first_name", fixed, "last_name", fixed, "name", fixed, "business_name", fixed,
		"status", fixed, "identity_status", fixed, "date_of_birth", fixed, "country", fixed,
		"tax_id", fixed, "industry", fixed, "contact_person.first_name", fixed)
	require.False(t, s.Get("/v1/customers?id="+id).OK().Has("data.city"))
	s.Patch("/v1/customers?id="+id, apitest.Object{"favourite_colour": "green"}).OK()
}
