package customers

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/records"
)

// byEmail and byPhone find a customer by Scope and Email, or Phone.
var (
	byEmail = &records.Unique{Columns: []string{"env", "business", "email"}, Taken: ErrDuplicate}
	byPhone = &records.Unique{Columns: []string{"env", "business", "phone"}, Taken: ErrDuplicate}
)

// CustomerKind is what a customer is as a row.
var CustomerKind = records.Define(records.Kind[ID, Customer]{
	Name: "customers",
	Columns: func(c *Customer) []records.Column {
		return []records.Column{
			records.ID(&c.ID), records.Owner(&c.Scope), records.Version(&c.Version),
			records.Word("type", &c.Type, Individual, Company),
			records.Word("status", &c.Status, Lifecycle.States()...),
			records.Text("first_name", &c.FirstName),
			records.Text("last_name", &c.LastName),
			records.Text("business_name", &c.BusinessName),
			records.Text("email", &c.Email),
			records.Text("phone", &c.Phone),
			records.Bytes("bvn_sealed", &c.BVN.Sealed),
			records.Text("bvn_digest", &c.BVN.Digest),
			records.Bytes("nin_sealed", &c.NIN.Sealed),
			records.Text("nin_digest", &c.NIN.Digest),
			records.Text("date_of_birth", &c.DateOfBirth),
			records.Text("cac_number", &c.CACNumber),
			records.Text("tax_id", &c.TaxID),
			records.Text("industry", &c.Industry),
			records.Text("contact_first_name", &c.Contact.FirstName),
			records.Text("contact_last_name", &c.Contact.LastName),
			records.Text("contact_email", &c.Contact.Email),
			records.Text("contact_phone", &c.Contact.Phone),
			records.Text("address", &c.Address),
			records.Text("city", &c.City),
			records.Text("state", &c.State),
			records.Text("country", &c.Country),
			records.Document("metadata", &c.Metadata),
			records.Word("verification_method", &c.Verification.Method, "", kyc.BVN, kyc.NIN, kyc.CAC),
			records.Time("verified_at", &c.Verification.VerifiedAt),
			records.Text("verified_name", &c.Verification.VerifiedName),
			records.Made("search", func() string { return text.Searchable(c.Name(), c.Email) }),
			records.CreatedAt(&c.CreatedAt), records.Time("updated_at", &c.UpdatedAt),
		}
	},
	Scope:   func(c *Customer) ferry.Scope { return c.Scope },
	Unique:  []*records.Unique{byEmail, byPhone},
	Fixed:   []string{"type"},
	Lists:   [][]string{{}, {"status"}},
	Search:  []string{"search"},
	Missing: ErrNotFound,
})

// Query selects the customers that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(
		records.Is("type", f.Type), records.Is("status", f.Status), records.Is("email", f.Email), records.Is("phone", f.Phone),
	).During(f.Range).Searching(f.Search)
}

// ByEmail returns the customer of a scope who has an email, in lower case, or
// ErrNotFound.
func ByEmail(ctx context.Context, tx records.Tx, scope ferry.Scope, email string) (Customer, error) {
	return CustomerKind.Find(ctx, tx, byEmail, Customer{Scope: scope, Email: email})
}

// IdentityKind is what an identity is as a row.
var IdentityKind = records.Define(records.Kind[IdentityID, Identity]{
	Name: "identities",
	Columns: func(i *Identity) []records.Column {
		return []records.Column{
			records.ID(&i.ID), records.Owner(&i.Scope), records.Version(&i.Version),
			records.Word("type", &i.Type, kyc.BVN, kyc.NIN, kyc.CAC),
			records.Bytes("number_sealed", &i.Number.Sealed),
			records.Text("number_digest", &i.Number.Digest),
			records.Optional("customer", &i.CustomerID),
			records.Word("status", &i.Status, IdentityLifecycle.States()...),
			records.Text("challenge", &i.Challenge),
			records.Time("expires_at", &i.ExpiresAt),
			records.Time("asked_until", &i.AskedUntil),
			records.Document("attempts", &i.Attempts),
			records.Text("verified_name", &i.VerifiedName),
			records.Time("verified_at", &i.VerifiedAt),
			records.CreatedAt(&i.CreatedAt), records.Time("updated_at", &i.UpdatedAt),
		}
	},
	Scope:   func(i *Identity) ferry.Scope { return i.Scope },
	Missing: ErrIdentityNotFound,
})

// errNoInitiations is the absence of a log: nothing was initiated under the key.
var errNoInitiations = ferry.NewError(ferry.NotFound, "identity_not_found", "Nothing was initiated")

// InitiationLogKind is what a log is as a row: one for each key of a scope.
var InitiationLogKind = records.Define(records.Kind[RateKey, InitiationLog]{
	Name: "identity_trails",
	Columns: func(t *InitiationLog) []records.Column {
		return []records.Column{
			records.Text("subject", &t.RateKey), records.Owner(&t.Scope), records.Version(&t.Version),
			records.Document("marks", &t.Initiations),
		}
	},
	Key:     []string{"env", "business", "subject"},
	Scope:   func(t *InitiationLog) ferry.Scope { return t.Scope },
	Missing: errNoInitiations,
})

// initiationsOf returns the log of a key, or an empty one of version 0.
func initiationsOf(ctx context.Context, tx Tx, scope ferry.Scope, key RateKey) (InitiationLog, error) {
	return InitiationLogKind.GetOr(ctx, tx, InitiationLog{Scope: scope, RateKey: key})
}

// put writes a log that initiationsOf returned: ferry.ErrStale.
func (t InitiationLog) put(ctx context.Context, tx Tx) error {
	return InitiationLogKind.Put(ctx, tx, t)
}
