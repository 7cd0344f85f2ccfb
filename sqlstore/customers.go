package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
)

const customerRows = "customers"

// customerByEmail is the unique index of customers by email.
const customerByEmail = 0

var customerTable = define(table[customers.Customer]{
	name: customerRows,
	key:  []string{"id"},
	fields: func(c *customers.Customer) []field {
		return []field{
			col("id", &c.ID),
			col("env", &c.Scope.Env),
			col("business", &c.Scope.Business),
			col("type", &c.Type),
			col("status", &c.Status),
			col("first_name", &c.FirstName),
			col("last_name", &c.LastName),
			col("business_name", &c.BusinessName),
			col("email", &c.Email),
			col("phone", &c.Phone),
			col("bvn_sealed", &c.BVN.Sealed),
			col("bvn_digest", &c.BVN.Digest),
			col("nin_sealed", &c.NIN.Sealed),
			col("nin_digest", &c.NIN.Digest),
			col("date_of_birth", &c.DateOfBirth),
			col("cac_number", &c.CACNumber),
			col("tax_id", &c.TaxID),
			col("industry", &c.Industry),
			col("contact_first_name", &c.Contact.FirstName),
			col("contact_last_name", &c.Contact.LastName),
			col("contact_email", &c.Contact.Email),
			col("contact_phone", &c.Contact.Phone),
			col("address", &c.Address),
			col("city", &c.City),
			col("state", &c.State),
			col("country", &c.Country),
			col("metadata", document(&c.Metadata)),
			col("verification_method", &c.Verification.Method),
			col("verified_at", instant(&c.Verification.VerifiedAt)),
			col("verified_name", &c.Verification.VerifiedName),
			col("search", computed(func() string { return c.SearchText() })),
			col("created_at", instant(&c.CreatedAt)),
			col("updated_at", instant(&c.UpdatedAt)),
		}
	},
	version: func(c *customers.Customer) *int64 { return &c.Version },
	scope:   func(c customers.Customer) ferry.Scope { return c.Scope },
	unique: []unique[customers.Customer]{
		customerByEmail: {columns: []string{"env", "business", "email"}, taken: customers.ErrDuplicate},
		{columns: []string{"env", "business", "phone"}, taken: customers.ErrDuplicate},
	},
	lists: func(c customers.Customer) []string {
		return []string{listName(customerRows, c.Scope), listName(customerRows, c.Scope, string(c.Status))}
	},
	missing: customers.ErrNotFound,
	keep: func(stored customers.Customer, c *customers.Customer) {
		c.Type, c.CreatedAt = stored.Type, stored.CreatedAt
	},
})

type customerStore struct{ *unit }

var _ customers.Store = customerStore{}

// Customers returns the port of customers and their identities.
func (u *unit) Customers() customers.Store { return customerStore{u} }

func (s customerStore) Insert(_ context.Context, c customers.Customer) error {
	return customerTable.insert(s.unit, c)
}

func (s customerStore) Customer(ctx context.Context, scope ferry.Scope, id customers.ID) (customers.Customer, error) {
	return customerTable.owned(ctx, s.unit, scope, id)
}

func (s customerStore) ByEmail(ctx context.Context, scope ferry.Scope, email string) (customers.Customer, error) {
	return customerTable.find(ctx, s.unit, customerByEmail, scope.Env, scope.Business, email)
}

func (s customerStore) Update(ctx context.Context, c customers.Customer) error {
	return customerTable.update(ctx, s.unit, c)
}

func (s customerStore) SealedCustomers(ctx context.Context, env ferry.Env, after customers.ID, limit int) ([]customers.Customer, error) {
	return customerTable.read(ctx, s.unit, "env = ? AND id > ? AND (bvn_digest <> '' OR nin_digest <> '') ORDER BY id LIMIT ?", []any{env, after, limit})
}

func (s customerStore) List(ctx context.Context, scope ferry.Scope, f customers.Filter, page ferry.Page) (ferry.List[customers.Customer], error) {
	return customerTable.page(ctx, s.unit, customersOf(scope, f), page)
}

// customersOf returns the filter of a list of customers.
func customersOf(scope ferry.Scope, f customers.Filter) *filter {
	rows := inScope(scope).equal("type", string(f.Type)).equal("status", string(f.Status)).
		equal("email", f.Email).equal("phone", f.Phone).contains("search", f.Search)
	switch {
	case !f.OnlyStatus():
		return rows.within(f.Range)
	case f.Status == "":
		return rows.counted(listName(customerRows, scope))
	}
	return rows.counted(listName(customerRows, scope, string(f.Status)))
}
