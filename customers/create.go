package customers

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
)

// defaultCountry is the country of a company that names none.
const defaultCountry = "NG"

// CreateParams describes a new customer. Which fields are required depends on
// Type (docs/api.md, "Customers").
type CreateParams struct {
	// Type is required.
	Type Type
	// FirstName and LastName are required of individuals, BusinessName and
	// CACNumber of companies.
	FirstName, LastName string
	BusinessName        string
	CACNumber           string
	// Email and Phone are required and unique among the customers of a scope.
	Email, Phone string
	// BVN, NIN and DateOfBirth (YYYY-MM-DD) are optional, for individuals.
	BVN, NIN    Number
	DateOfBirth string
	// TaxID, Industry and Contact are optional, for companies.
	TaxID, Industry string
	Contact         ContactPerson
	// Address, City and State are optional. Country is a two-letter code, NG
	// for a company that names none.
	Address, City, State string
	Country              string
	Metadata             ferry.Metadata
}

// Create adds a customer with status PendingVerification. Errors:
// ferry.ErrValidation with all refused fields, ErrDuplicate.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p CreateParams) (Customer, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Customer, error) {
		return s.CreateIn(ctx, tx, scope, p)
	})
}

// CreateIn is Create within a unit.
func (s *Service) CreateIn(ctx context.Context, tx Tx, scope ferry.Scope, p CreateParams) (Customer, error) {
	c, err := p.customer(tx.Now())
	if err != nil {
		return Customer{}, err
	}
	c.ID, c.Scope, c.Status = ID(tx.NewID(idPrefix)), scope, Lifecycle.Initial
	c.CreatedAt, c.UpdatedAt = tx.Now(), tx.Now()
	if c, err = s.withNumbers(c, p.BVN, p.NIN); err != nil {
		return Customer{}, err
	}
	return c, CustomerKind.Insert(ctx, tx, c)
}

// customer checks p and returns the customer it describes, without what only
// the service knows. The numbers stay in p, as they are to be sealed.
func (p *CreateParams) customer(now time.Time) (Customer, error) {
	var f form
	c := Customer{Type: p.Type}
	switch p.Type {
	case Individual:
		f.individual(&c, p, now)
	case Company:
		f.company(&c, p)
	case "":
		f.Add("type", missing)
	default:
		f.Add("type", unknownType)
	}
	c.Email = f.required("email", p.Email, f.email)
	c.Phone = f.required("phone", p.Phone, f.phone)
	c.Address = f.optional("address", p.Address, f.text)
	c.City = f.optional("city", p.City, f.text)
	c.State = f.optional("state", p.State, f.text)
	c.Country = f.optional("country", p.Country, f.country)
	if c.Type == Company && c.Country == "" {
		c.Country = defaultCountry
	}
	c.Metadata = ferry.Metadata(nil).Merge(p.Metadata)
	c.Metadata.Check("metadata", &f.Problems)
	return c, f.Err()
}

func (f *form) individual(c *Customer, p *CreateParams, now time.Time) {
	c.FirstName = f.required("first_name", p.FirstName, f.name)
	c.LastName = f.required("last_name", p.LastName, f.name)
	p.BVN = Number(f.optional("bvn", string(p.BVN), f.bvn))
	p.NIN = Number(f.optional("nin", string(p.NIN), f.nin))
	c.DateOfBirth = f.optional("date_of_birth", p.DateOfBirth, f.pastDate(now))
	f.absent("business_name", p.BusinessName, onlyCompanies)
	f.absent("cac_number", p.CACNumber, onlyCompanies)
	f.absent("tax_id", p.TaxID, onlyCompanies)
	f.absent("industry", p.Industry, onlyCompanies)
	if p.Contact != (ContactPerson{}) {
		f.Add("contact_person", onlyCompanies)
	}
}

func (f *form) company(c *Customer, p *CreateParams) {
	c.BusinessName = f.required("business_name", p.BusinessName, f.businessName)
	c.CACNumber = f.required("cac_number", p.CACNumber, f.cac)
	c.TaxID = f.optional("tax_id", p.TaxID, f.text)
	c.Industry = f.optional("industry", p.Industry, f.text)
	c.Contact = ContactPerson{
		FirstName: f.optional("contact_person.first_name", p.Contact.FirstName, f.name),
		LastName:  f.optional("contact_person.last_name", p.Contact.LastName, f.name),
		Email:     f.optional("contact_person.email", p.Contact.Email, f.email),
		Phone:     f.optional("contact_person.phone", p.Contact.Phone, f.phone),
	}
	f.absent("first_name", p.FirstName, onlyIndividuals)
	f.absent("last_name", p.LastName, onlyIndividuals)
	f.absent("bvn", string(p.BVN), onlyIndividuals)
	f.absent("nin", string(p.NIN), onlyIndividuals)
	f.absent("date_of_birth", p.DateOfBirth, onlyIndividuals)
}
