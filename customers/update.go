package customers

import (
	"context"
	"maps"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/provider/kyc"
)

// UpdateParams changes a customer. A nil field is left as it is; an empty
// Address, City or State is cleared.
type UpdateParams struct {
	Email, Phone         *string
	Address, City, State *string
	// Metadata is laid over what is there; a nil value removes its key.
	Metadata ferry.Metadata
	// Number fields may be set while they are not set; after that only an
	// equal value is accepted, or its mask.
	BVN, NIN  *Number
	CACNumber *string
	// Fixed has further fields of the request, which cannot be changed, by name, such
	// as "type" or "first_name". One that is equal to what is stored is accepted.
	Fixed map[string]string
}

// Update changes a customer. Errors: ErrNotFound, ferry.ErrValidation with all
// refused fields, ErrDuplicate, ErrTooManyGuesses.
func (s *Service) Update(ctx context.Context, scope ferry.Scope, id ID, p UpdateParams) (Customer, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Customer, error) {
		return s.UpdateIn(ctx, tx, scope, id, p)
	})
}

// UpdateIn is Update within a unit.
func (s *Service) UpdateIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, p UpdateParams) (Customer, error) {
	c, err := CustomerKind.Get(ctx, tx, scope, id)
	if err != nil {
		return Customer{}, err
	}
	if p, err = s.withoutMasks(c, p); err != nil {
		return Customer{}, err
	}
	if err = s.compared(c, p, tx.Now()); err != nil {
		return Customer{}, err
	}
	if c, err = s.changed(c, p); err != nil {
		return Customer{}, err
	}
	c.UpdatedAt = tx.Now()
	return c, CustomerKind.Update(ctx, tx, c)
}

// withoutMasks returns p without the numbers that are as c shows them: a client may send
// back what it read.
func (s *Service) withoutMasks(c Customer, p UpdateParams) (UpdateParams, error) {
	if !p.BVN.masked() && !p.NIN.masked() {
		return p, nil
	}
	masks, err := s.Masks(c)
	if p.BVN.masked() && string(*p.BVN) == masks.BVN {
		p.BVN = nil
	}
	if p.NIN.masked() && string(*p.NIN) == masks.NIN {
		p.NIN = nil
	}
	return p, err
}

// changed returns c as p makes it.
func (s *Service) changed(c Customer, p UpdateParams) (Customer, error) {
	var f form
	f.replace(&c.Email, "email", p.Email, f.email, f.required)
	f.replace(&c.Phone, "phone", p.Phone, f.phone, f.required)
	f.replace(&c.Address, "address", p.Address, f.text, f.optional)
	f.replace(&c.City, "city", p.City, f.text, f.optional)
	f.replace(&c.State, "state", p.State, f.text, f.optional)
	c.Metadata = c.Metadata.Merge(p.Metadata)
	c.Metadata.Check("metadata", &f.Problems)
	f.keep(c, p.Fixed)
	f.setCAC(&c, p.CACNumber)
	bvn := s.setNumber(&f, c, kyc.BVN, c.BVN, p.BVN, f.bvn)
	nin := s.setNumber(&f, c, kyc.NIN, c.NIN, p.NIN, f.nin)
	if err := f.Err(); err != nil {
		return Customer{}, err
	}
	return s.withNumbers(c, bvn, nin)
}

// replace sets a field of a row to a new value, if there is one.
func (f *form) replace(row *string, field string, value *string, check rule, presence func(string, string, rule) string) {
	if value != nil {
		*row = presence(field, *value, check)
	}
}

// keep refuses fields that cannot change and are not as they are stored.
func (f *form) keep(c Customer, given map[string]string) {
	stored := map[string]string{
		"type": string(c.Type), "status": string(c.Status), "identity_status": string(c.Status),
		"first_name": c.FirstName, "last_name": c.LastName, "business_name": c.BusinessName, "name": c.Name(),
		"date_of_birth": c.DateOfBirth, "tax_id": c.TaxID, "industry": c.Industry, "country": c.Country,
		"contact_person.first_name": c.Contact.FirstName, "contact_person.last_name": c.Contact.LastName,
		"contact_person.email": c.Contact.Email, "contact_person.phone": c.Contact.Phone,
	}
	for _, field := range slices.Sorted(maps.Keys(given)) {
		is, known := stored[field]
		if !known || is != kept(field, given[field]) {
			f.Add(field, unchangeable)
		}
	}
}

// kept is the value of a field in the form in which it is stored.
func kept(field, value string) string {
	switch field {
	case "contact_person.email":
		folded, _ := text.Email(value)
		return folded
	case "contact_person.phone":
		return foldPhone(value)
	}
	return text.Clean(value)
}

func (f *form) setCAC(c *Customer, value *string) {
	switch {
	case value == nil || *value == c.CACNumber:
	case c.Type != Company:
		f.Add("cac_number", onlyCompanies)
	default:
		f.Add("cac_number", unchangeable) // a company has one from the start
	}
}

// setNumber checks a number for a customer that has stored, and returns it when
// it is new: nothing when it is equal or refused.
func (s *Service) setNumber(f *form, c Customer, t kyc.Type, stored SealedNumber, value *Number, check rule) Number {
	switch {
	case value == nil:
		return ""
	case c.Type != Individual:
		f.Add(string(t), onlyIndividuals)
	case stored.IsZero():
		return Number(f.required(string(t), string(*value), check))
	case stored.Digest != s.digest(c.Scope, t, *value):
		f.Add(string(t), unchangeable)
	}
	return ""
}

// withNumbers returns c with the numbers that are not empty.
func (s *Service) withNumbers(c Customer, bvn, nin Number) (Customer, error) {
	var err error
	if bvn != "" {
		if c.BVN, err = s.sealFor(c, kyc.BVN, bvn); err != nil {
			return Customer{}, err
		}
	}
	if nin != "" {
		c.NIN, err = s.sealFor(c, kyc.NIN, nin)
	}
	return c, err
}
