package customers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
)

func TestANewIndividualIsPendingAndKeptInItsNormalForms(t *testing.T) {
	b := setup(t)
	p := person(1)
	p.FirstName, p.Email, p.Phone = "  Zoe\u0308 ", " Ada@Example.COM ", "+234 801-234 5678"
	p.BVN, p.NIN, p.DateOfBirth, p.Country = goodBVN, goodNIN, "1990-04-17", "ng"
	p.Address, p.City, p.State = "12 Marina Road", "Lagos", "Lagos"
	p.Metadata = ferry.Metadata{"tier": "gold", "gone": nil, "n": json.Number("1.50")}
	made := b.create(p)

	require.Regexp(t, `^cus_[0-9a-f]{32}$`, made.ID)
	c := b.customer(made.ID)
	require.Equal(t, home, c.Scope)
	require.Equal(t, customers.PendingVerification, c.Status)
	require.Equal(t, "Zoë", c.FirstName)
	require.Equal(t, "Zoë Obi", c.Name())
	require.Equal(t, "ada@example.com", c.Email)
	require.Equal(t, "+2348012345678", c.Phone)
	require.Equal(t, "NG", c.Country)
	require.Equal(t, "1990-04-17", c.DateOfBirth)
	require.Equal(t, []string{"12 Marina Road", "Lagos", "Lagos"}, []string{c.Address, c.City, c.State})
	require.Equal(t, ferry.Metadata{"tier": "gold", "n": json.Number("1.50")}, c.Metadata)
	require.Equal(t, b.clock.Now(), c.CreatedAt)
	require.Equal(t, b.clock.Now(), c.UpdatedAt)
	require.Zero(t, c.Verification)
	masks, err := b.Masks(c)
	require.NoError(t, err)
	require.Equal(t, customers.Masks{BVN: maskGoodBVN, NIN: "555123****0"}, masks)
	require.Empty(t, b.events(home), "creating tells nothing")
}

func TestANewCompanyIsPendingAndNigerianUnlessItSaysOtherwise(t *testing.T) {
	b := setup(t)
	p := company(1)
	p.TaxID, p.Industry = "T-1", "Food"
	p.Contact = customers.ContactPerson{FirstName: "Bola", LastName: "Ade", Email: "Bola@Example.com", Phone: "+234 803 000 0000"}
	c := b.create(p)
	require.Equal(t, customers.PendingVerification, c.Status)
	require.Equal(t, "NG", c.Country)
	require.Equal(t, "Obi Foods Limited", c.Name())
	require.Equal(t, customers.ContactPerson{FirstName: "Bola", LastName: "Ade", Email: "bola@example.com", Phone: "+2348030000000"}, c.Contact)

	p = company(2)
	p.Country = "GH"
	require.Equal(t, "GH", b.create(p).Country)
	require.Empty(t, b.create(person(3)).Country, "an individual has no default country")
}

func TestAllRefusedFieldsAreNamedAtOnce(t *testing.T) {
	b := setup(t)
	for name, given := range map[string]struct {
		params customers.CreateParams
		want   map[string]string
	}{
		"nothing at all": {customers.CreateParams{}, map[string]string{
			"type": "Missing required field", "email": "Missing required field", "phone": "Missing required field",
		}},
		"an unknown type": {customers.CreateParams{Type: "person", Email: "a@b.co", Phone: "+2348012345678"}, map[string]string{
			"type": "Must be individual or business",
		}},
		"an individual with nothing": {customers.CreateParams{Type: customers.Individual, FirstName: " "}, map[string]string{
			"first_name": "Missing required field", "last_name": "Missing required field",
			"email": "Missing required field", "phone": "Missing required field",
		}},
		"a business with nothing": {customers.CreateParams{Type: customers.Company}, map[string]string{
			"business_name": "Missing required field", "cac_number": "Missing required field",
			"email": "Missing required field", "phone": "Missing required field",
		}},
		"an individual with everything wrong": {customers.CreateParams{
			Type: customers.Individual, FirstName: "A", LastName: strings.Repeat("b", 51), Email: "ada", Phone: "08012345678",
			BVN: "123", NIN: "1234567890a", DateOfBirth: "17-04-1990", Country: "Nigeria",
			Address: strings.Repeat("x", 251), City: "La\u202egos", State: "La\x00gos",
			Metadata: ferry.Metadata{"deep": map[string]any{}},
		}, map[string]string{
			"first_name": "Must be 2 to 50 characters", "last_name": "Must be 2 to 50 characters",
			"email": "Invalid email format", "phone": "Invalid phone format",
			"bvn": "Invalid BVN format", "nin": "Invalid NIN format", "date_of_birth": "Invalid date, must be YYYY-MM-DD",
			"country": "Must be a two-letter country code", "address": "Must be 1 to 250 characters",
			"city": "Must not contain control or invisible characters", "state": "Must not contain control or invisible characters",
			"metadata.deep": "Must be a string, number or boolean",
		}},
		"a business with everything wrong": {customers.CreateParams{
			Type: customers.Company, BusinessName: "Obi", CACNumber: "1234", Email: "a@b", Phone: "+0123456789",
			Contact: customers.ContactPerson{FirstName: "B", Email: "x", Phone: "1"},
		}, map[string]string{
			"business_name": "Must be 5 to 100 characters", "cac_number": "Invalid CAC number",
			"email": "Invalid email format", "phone": "Invalid phone format",
			"contact_person.first_name": "Must be 2 to 50 characters", "contact_person.email": "Invalid email format",
			"contact_person.phone": "Invalid phone format",
		}},
		"an individual with what belongs to businesses": {func() customers.CreateParams {
			p := person(1)
			p.BusinessName, p.CACNumber, p.TaxID, p.Industry = "Obi Foods", "RC1", "T", "Food"
			p.Contact.FirstName = "Bola"
			return p
		}(), map[string]string{
			"business_name": "Belongs to businesses only", "cac_number": "Belongs to businesses only", "tax_id": "Belongs to businesses only",
			"industry": "Belongs to businesses only", "contact_person": "Belongs to businesses only",
		}},
		"a business with what belongs to individuals": {func() customers.CreateParams {
			p := company(1)
			p.FirstName, p.LastName, p.BVN, p.NIN, p.DateOfBirth = "Ada", "Obi", goodBVN, goodNIN, "1990-04-17"
			return p
		}(), map[string]string{
			"first_name": "Belongs to individuals only", "last_name": "Belongs to individuals only", "bvn": "Belongs to individuals only",
			"nin": "Belongs to individuals only", "date_of_birth": "Belongs to individuals only",
		}},
		"a birth in the future": {func() customers.CreateParams {
			p := person(1)
			p.DateOfBirth = "2026-03-03"
			return p
		}(), map[string]string{"date_of_birth": "Must not be in the future"}},
		"eleven metadata keys": {func() customers.CreateParams {
			p := company(1)
			p.Metadata = keys(11)
			return p
		}(), map[string]string{"metadata": "Must have at most 10 keys"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.Create(b.ctx, home, given.params)
			requireFields(t, err, given.want)
		})
	}
}

func keys(n int) ferry.Metadata {
	m := ferry.Metadata{}
	for i := range n {
		m[fmt.Sprint("key", i)] = true
	}
	return m
}

func TestLengthsAreCountedInCodePointsAfterNFC(t *testing.T) {
	for name, given := range map[string]struct {
		first, business string
		fits            bool
	}{
		"2 and 5 are enough":                {"ọb", "Ọbí F", true},
		"50 and 100 fit":                    {strings.Repeat("ọ", 50), strings.Repeat("ọ", 100), true},
		"combining signs count as composed": {strings.Repeat("e\u0301", 50), strings.Repeat("e\u0301", 100), true},
		"one composed sign is too short":    {"e\u0301", "e\u0301e\u0301e\u0301e\u0301", false},
		"51 and 101 are too long":           {strings.Repeat("ọ", 51), strings.Repeat("ọ", 101), false},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			p := person(1)
			p.FirstName = given.first
			_, err := b.Create(b.ctx, home, p)
			require.Equal(t, given.fits, err == nil, "first name: %v", err)
			p = company(2)
			p.BusinessName = given.business
			_, err = b.Create(b.ctx, home, p)
			require.Equal(t, given.fits, err == nil, "business name: %v", err)
		})
	}
}

func TestFormats(t *testing.T) {
	type format struct {
		field string
		set   func(*customers.CreateParams, string)
		base  func(int) customers.CreateParams
		good  []string
		bad   []string
	}
	for _, f := range []format{
		{"email", func(p *customers.CreateParams, v string) { p.Email = v }, person,
			[]string{"a@b.co", "first.last+tag@sub.example.com", "o'neil@example.ng", "x_1@a-b.io"},
			[]string{"a", "a@", "@b.co", "a@b", "a b@c.de", "a@b..co", ".a@b.co", "a.@b.co", "a..b@c.de", "a@-b.co", "a@b.c", "Ada <a@b.co>", "a@b.co, c@d.co",
				"a@127.0.0.1", "a@[127.0.0.1]", "\"a b\"@c.de", "á@b.co", strings.Repeat("a", 250) + "@b.co", "a@b.co\nx"}},
		{"phone", func(p *customers.CreateParams, v string) { p.Phone = v }, person,
			[]string{"+2348012345678", "+1 202-555-0123", "+4479111", "+123456789012345"},
			[]string{"08012345678", "2348012345678", "+", "+0801234567", "+123456", "+1234567890123456", "+234801234567a", "++2348012345678", "+234(0)8012345678"}},
		{"bvn", func(p *customers.CreateParams, v string) { p.BVN = customers.Number(v) }, person,
			[]string{"22212345670", ""}, []string{"2221234567", "222123456700", "2221234567a", " 22212345670", "２２２１２３４５６７０"}},
		{"nin", func(p *customers.CreateParams, v string) { p.NIN = customers.Number(v) }, person,
			[]string{"22212345670", ""}, []string{"2221234567", "222123456700", "2221234567a"}},
		{"cac_number", func(p *customers.CreateParams, v string) { p.CACNumber = v }, company,
			[]string{"RC1", "RC1234567"}, []string{"1234567", "RC", "rc123", "BN123", "RC12a", "RC 12", "RC" + strings.Repeat("1", 21)}},
		{"date_of_birth", func(p *customers.CreateParams, v string) { p.DateOfBirth = v }, person,
			[]string{"1990-04-17", "2024-02-29", "2026-03-02"}, []string{"1990-4-17", "2023-02-29", "1990-04-17T00:00:00Z", "yesterday", "2026-03-03"}},
		{"country", func(p *customers.CreateParams, v string) { p.Country = v }, person,
			[]string{"NG", "gh"}, []string{"N", "NGA", "N1"}},
	} {
		t.Run(f.field, func(t *testing.T) {
			b := setup(t)
			for i, value := range f.good {
				p := f.base(i)
				f.set(&p, value)
				_, err := b.Create(b.ctx, home, p)
				require.NoError(t, err, "%q", value)
			}
			for i, value := range f.bad {
				p := f.base(100 + i)
				f.set(&p, value)
				_, err := b.Create(b.ctx, home, p)
				require.ErrorIs(t, err, ferry.ErrValidation, "%q", value)
			}
		})
	}
}

func TestAnEmailOrPhoneBelongsToOneCustomerOfABusinessAndEnvironment(t *testing.T) {
	b := setup(t)
	p := person(1)
	p.Email, p.Phone = "Ada@example.com", "+234 801 234 5678"
	b.create(p)

	email := company(2)
	email.Email = "ADA@EXAMPLE.com"
	_, err := b.Create(b.ctx, home, email)
	require.ErrorIs(t, err, customers.ErrDuplicate)
	require.ErrorIs(t, err, ferry.Conflict)
	phone := person(3)
	phone.Phone = "+234-801-234-5678"
	_, err = b.Create(b.ctx, home, phone)
	require.ErrorIs(t, err, customers.ErrDuplicate)

	for _, scope := range []ferry.Scope{away, live} {
		_, err = b.Create(b.ctx, scope, p)
		require.NoError(t, err, "%s is another list of customers", scope)
	}
}

func TestOfManyCustomersCreatedAtOnceWithOneEmailThereIsOne(t *testing.T) {
	b := setup(t)
	requireOne(t, customers.ErrDuplicate, race(16, func(i int) error {
		p := person(i)
		p.Email = "one@example.com"
		_, err := b.Create(b.ctx, home, p)
		return err
	}))
	list, err := b.List(b.ctx, home, customers.Filter{}, ferry.Page{})
	require.NoError(t, err)
	require.Equal(t, 1, list.Total)
}

func TestACustomerOfAnotherBusinessOrEnvironmentIsNotThere(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	for _, scope := range []ferry.Scope{away, live} {
		_, err := b.Customer(b.ctx, scope, c.ID)
		require.ErrorIs(t, err, customers.ErrNotFound)
		_, err = b.Update(b.ctx, scope, c.ID, customers.UpdateParams{City: ptr("Abuja")})
		require.ErrorIs(t, err, customers.ErrNotFound)
	}
}
