package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/store"
)

func testCustomers(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("optional fields", func(t *testing.T) { testOptionalFields(t, open) })
	t.Run("contacts", func(t *testing.T) { testContacts(t, open) })
	t.Run("filters", func(t *testing.T) { testCustomerFilters(t, open) })
}

// customer is the n-th customer of a scope, with no field empty.
func customer(scope ferry.Scope, n int) customers.Customer {
	return customers.Customer{
		ID: customers.ID(idOf("cus_", n)), Scope: scope, Type: customers.Individual,
		FirstName: "Ada", LastName: "Obi", BusinessName: "Obi Foods",
		Email: fmt.Sprintf("ada%d@example.com", n), Phone: fmt.Sprintf("+23480%08d", n),
		BVN:         customers.SealedNumber{Sealed: []byte{0, 1, 255}, Digest: "d1"},
		NIN:         customers.SealedNumber{Sealed: []byte{2}, Digest: "d2"},
		DateOfBirth: "1990-04-17", CACNumber: "RC1", TaxID: "T", Industry: "food",
		Contact: customers.ContactPerson{FirstName: "Bola", LastName: "Ade", Email: "bola@example.com", Phone: "+2348000000000"},
		Address: "12 Marina Road", City: "Lagos", State: "Lagos", Country: "NG",
		Metadata:     ferry.Metadata{"tier": "gold", "vip": true, "score": json.Number("12.50")},
		Status:       customers.PendingVerification,
		Verification: customers.Verification{Method: kyc.BVN, VerifiedAt: after(n), VerifiedName: "ADA OBI"},
		CreatedAt:    after(n), UpdatedAt: after(n),
	}
}

var customerCase = caseOf(kindCase[customers.ID, customers.Customer]{
	kind: customers.CustomerKind, row: customer,
	change: func(c *customers.Customer) {
		c.Status, c.Verification.Method, c.Metadata = customers.Rejected, kyc.NIN, ferry.Metadata{"tier": "silver"}
	},
	vary: func(c *customers.Customer, n int) {
		if n%2 == 0 {
			c.Type, c.Status, c.BVN = customers.Company, customers.Verified, customers.SealedNumber{}
		}
		if n == 5 {
			c.NIN, c.Verification = customers.SealedNumber{}, customers.Verification{}
		}
	},
	made: []string{"email", "first_name"},
})

// identity is the n-th identity of a scope, with no field empty.
func identity(scope ferry.Scope, n int) customers.Identity {
	return customers.Identity{
		ID: customers.IdentityID(idOf("idn_", n)), Scope: scope, Type: kyc.NIN,
		Number:     customers.SealedNumber{Sealed: []byte{0, 1, 255}, Digest: "d1"},
		CustomerID: customer(scope, n).ID, Status: customers.IdentitySent, Challenge: "otp_1",
		ExpiresAt: after(n + 1), AskedUntil: after(n + 2),
		Attempts: []customers.Attempt{
			{Number: 1, At: after(n), OTP: "d3", Judged: true, Reason: customers.ReasonInvalidOTP},
			{Number: 3, At: after(n), OTP: "d4"},
		},
		VerifiedName: "ADA OBI", VerifiedAt: after(n), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var identityCase = caseOf(kindCase[customers.IdentityID, customers.Identity]{
	kind: customers.IdentityKind, row: identity,
	change: func(i *customers.Identity) {
		i.Type, i.Status, i.Attempts = kyc.CAC, customers.IdentityVerified, i.Attempts[:1]
	},
	vary: func(i *customers.Identity, n int) {
		if n%2 == 0 {
			i.Type, i.CustomerID, i.VerifiedAt = kyc.BVN, "", time.Time{}
		}
	},
})

// initiations is the log of the n-th key of a scope, with no field empty.
func initiations(scope ferry.Scope, n int) customers.InitiationLog {
	return customers.InitiationLog{Scope: scope, RateKey: customers.RateKey(fmt.Sprintf("number/bvn/d%d", n)), Initiations: []customers.Initiation{
		{Identity: identity(scope, 1).ID, Customer: customer(scope, 1).ID, At: after(1)},
		{Identity: identity(scope, 2).ID, At: after(2)},
	}}
}

var _ = caseOf(kindCase[customers.RateKey, customers.InitiationLog]{
	kind: customers.InitiationLogKind, row: initiations, key: "RateKey",
	change: func(t *customers.InitiationLog) { t.Initiations = t.Initiations[1:] },
})

func putInitiations(initiations customers.InitiationLog) body {
	return func(ctx context.Context, p store.Ports) error {
		return customers.InitiationLogKind.Put(ctx, p, initiations)
	}
}

// fails drops what a look-up finds and keeps its error.
func fails[R any](find func(context.Context, store.Ports) (R, error)) body {
	return func(ctx context.Context, p store.Ports) error {
		_, err := find(ctx, p)
		return err
	}
}

// testOptionalFields is about rows that come back without what they went in without.
func testOptionalFields(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a customer", func(t *testing.T) {
		b, o := open(t), customerCase.owned()
		want := customers.Customer{
			ID: customer(home, 1).ID, Scope: home, Type: customers.Company, BusinessName: "Obi Foods", CACNumber: "RC1",
			Email: "ada@example.com", Phone: "+2348012345678", Status: customers.PendingVerification,
			Metadata: ferry.Metadata{}, CreatedAt: start, UpdatedAt: start, Version: 1,
		}
		write(t, b, o.inserted(want))
		require.Equal(t, want, look(t, b, o.in(home, want)))
	})
	t.Run("an identity", func(t *testing.T) {
		b, o := open(t), identityCase.owned()
		want := customers.Identity{
			ID: identity(home, 1).ID, Scope: home, Type: kyc.BVN, Number: identity(home, 1).Number,
			Status: customers.IdentityRequested, CreatedAt: start, UpdatedAt: start, Version: 1,
		}
		write(t, b, o.inserted(want))
		require.Equal(t, want, look(t, b, o.in(home, want)))
	})
}

// testContacts is about an email and a phone that a customer gives up.
func testContacts(t *testing.T, open func(*testing.T) store.Backend) {
	o, taker := customerCase.owned(), customer(home, 2)
	taker.Email = customer(home, 1).Email
	byEmail := func(email string) func(context.Context, store.Ports) (customers.Customer, error) {
		return func(ctx context.Context, p store.Ports) (customers.Customer, error) {
			return customers.ByEmail(ctx, p, home, email)
		}
	}
	t.Run("an email finds nobody any more, in the unit that writes already", func(t *testing.T) {
		b := open(t)
		write(t, b, o.inserted(customer(home, 1)))
		write(t, b, func(ctx context.Context, p store.Ports) error {
			moved, err := byEmail(taker.Email)(ctx, p)
			require.NoError(t, err)
			moved.Email = "new@example.com"
			require.NoError(t, customers.CustomerKind.Update(ctx, p, moved))
			require.ErrorIs(t, fails(byEmail(taker.Email))(ctx, p), customers.ErrNotFound)
			require.NoError(t, customers.CustomerKind.Insert(ctx, p, taker))
			found, err := byEmail(taker.Email)(ctx, p)
			require.Equal(t, taker.ID, found.ID)
			return err
		})
		require.Equal(t, customer(home, 1).ID, look(t, b, byEmail("new@example.com")).ID)
		require.Equal(t, taker.ID, look(t, b, byEmail(taker.Email)).ID)
	})
	t.Run("both are free, and a unit that fails gives up nothing", func(t *testing.T) {
		b := open(t)
		write(t, b, o.inserted(customer(home, 1)))
		moved := o.stored(customer(home, 1), 1)
		moved.Email, moved.Phone = "new@example.com", "+2348099999999"
		refuse(t, b, errFail, func(ctx context.Context, p store.Ports) error {
			require.NoError(t, customers.CustomerKind.Update(ctx, p, moved))
			return errFail
		})
		refuse(t, b, customers.ErrDuplicate, o.inserted(taker))
		write(t, b, o.updated(moved))
		both := taker
		both.Phone = customer(home, 1).Phone
		write(t, b, o.inserted(both))
	})
}

func testCustomerFilters(t *testing.T, open func(*testing.T) store.Backend) {
	b, shop, foreign := open(t), customer(home, 2), customer(away, 3)
	shop.Type, shop.Status, shop.BusinessName = customers.Company, customers.Verified, "100% Ọbí_Foods"
	for _, c := range []customers.Customer{customer(home, 1), shop, foreign} {
		write(t, b, customerCase.owned().inserted(c))
	}
	for name, given := range map[string]struct {
		filter customers.Filter
		want   []int
	}{
		"no filter keeps the scope's":          {customers.Filter{}, []int{2, 1}},
		"type":                                 {customers.Filter{Type: customers.Company}, []int{2}},
		"status":                               {customers.Filter{Status: customers.PendingVerification}, []int{1}},
		"a status that nobody has":             {customers.Filter{Status: customers.Rejected}, nil},
		"type and status":                      {customers.Filter{Type: customers.Individual, Status: customers.Verified}, nil},
		"email":                                {customers.Filter{Email: "ada1@example.com"}, []int{1}},
		"phone":                                {customers.Filter{Phone: shop.Phone}, []int{2}},
		"part of a name":                       {customers.Filter{Search: "da ob"}, []int{1}},
		"part of a business name, not ASCII":   {customers.Filter{Search: "ọbí"}, []int{2}},
		"signs that mean themselves: per cent": {customers.Filter{Search: "0%"}, []int{2}},
		"signs that mean themselves: low line": {customers.Filter{Search: "_"}, []int{2}},
		"part of an email":                     {customers.Filter{Search: "2@exa"}, []int{2}},
		"from":                                 {customers.Filter{Range: ferry.Range{From: after(2)}}, []int{2}},
		"to":                                   {customers.Filter{Range: ferry.Range{To: after(1)}}, []int{1}},
	} {
		t.Run("a filter keeps by "+name, func(t *testing.T) {
			list := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[customers.Customer], error) {
				return customers.CustomerKind.Page(ctx, p, home, given.filter.Query(), ferry.Page{})
			})
			var want []customers.ID
			for _, n := range given.want {
				want = append(want, customer(home, n).ID)
			}
			var got []customers.ID
			for _, c := range list.Data {
				got = append(got, c.ID)
			}
			require.Equal(t, want, got)
			require.Equal(t, len(want), list.Total)
		})
	}
}
