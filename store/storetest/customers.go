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
	t.Run("rows", func(t *testing.T) { testCustomerRows(t, open) })
	t.Run("unique contacts", func(t *testing.T) { testCustomerContacts(t, open) })
	t.Run("list", func(t *testing.T) { testCustomerList(t, open) })
	t.Run("filters", func(t *testing.T) { testCustomerFilters(t, open) })
	t.Run("search", func(t *testing.T) { searchedCustomers.test(t, open) })
	t.Run("identities", func(t *testing.T) { testIdentities(t, open) })
	t.Run("trails", func(t *testing.T) { testTrails(t, open) })
	readOnly(t, open, map[string]body{
		"Insert":         insertCustomer(customer(1)),
		"Update":         updateCustomer(customer(1)),
		"InsertIdentity": insertIdentity(identity(1)),
		"UpdateIdentity": updateIdentity(identity(1)),
		"PutTrail":       putTrail(customers.Trail{Scope: home, Subject: "number/bvn/1"}),
	})
}

// customer is the n-th customer of scope home, with no field empty.
func customer(n int) customers.Customer {
	return customers.Customer{
		ID: customers.ID(idOf("cus_", n)), Scope: home, Type: customers.Individual,
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

func insertCustomer(c customers.Customer) body {
	return func(ctx context.Context, p store.Ports) error { return p.Customers().Insert(ctx, c) }
}

func updateCustomer(c customers.Customer) body {
	return func(ctx context.Context, p store.Ports) error { return p.Customers().Update(ctx, c) }
}

func customerOf(scope ferry.Scope, id customers.ID) func(context.Context, store.Ports) (customers.Customer, error) {
	return func(ctx context.Context, p store.Ports) (customers.Customer, error) {
		return p.Customers().Customer(ctx, scope, id)
	}
}

func customerByEmail(scope ferry.Scope, email string) func(context.Context, store.Ports) (customers.Customer, error) {
	return func(ctx context.Context, p store.Ports) (customers.Customer, error) {
		return p.Customers().ByEmail(ctx, scope, email)
	}
}

// fails drops what a look-up finds and keeps its error.
func fails[R any](find func(context.Context, store.Ports) (R, error)) body {
	return func(ctx context.Context, p store.Ports) error {
		_, err := find(ctx, p)
		return err
	}
}

func testCustomerRows(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a customer comes back as it was inserted, with version 1", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		want := customer(1)
		want.Version = 1
		require.Equal(t, want, look(t, b, customerOf(home, want.ID)))
	})
	t.Run("a customer without optional fields comes back without them", func(t *testing.T) {
		b := open(t)
		want := customers.Customer{
			ID: customer(1).ID, Scope: home, Type: customers.Company, BusinessName: "Obi Foods", CACNumber: "RC1",
			Email: "ada@example.com", Phone: "+2348012345678", Status: customers.PendingVerification,
			Metadata: ferry.Metadata{}, CreatedAt: start, UpdatedAt: start, Version: 1,
		}
		write(t, b, insertCustomer(want))
		require.Equal(t, want, look(t, b, customerOf(home, want.ID)))
	})
	t.Run("a customer is found in its own scope only", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		for _, scope := range []ferry.Scope{away, live} {
			missing(t, b, customers.ErrNotFound, fails(customerOf(scope, customer(1).ID)))
			foreign := customer(1)
			foreign.Scope, foreign.Version = scope, 1
			refuse(t, b, customers.ErrNotFound, updateCustomer(foreign))
		}
		missing(t, b, customers.ErrNotFound, fails(customerOf(home, customer(2).ID)))
	})
	t.Run("an id is inserted once", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		again := customer(2)
		again.ID = customer(1).ID
		require.Error(t, b.Write(t.Context(), insertCustomer(again)))
	})
	t.Run("an update counts the version and refuses a former one", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		row := look(t, b, customerOf(home, customer(1).ID))
		row.City, row.Status, row.Metadata = "Abuja", customers.Rejected, ferry.Metadata{"tier": "silver"}
		write(t, b, updateCustomer(row))
		staleWrite(t, b, updateCustomer(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, customerOf(home, row.ID)))
	})
	t.Run("an update does not change type, scope and creation", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		row := look(t, b, customerOf(home, customer(1).ID))
		row.Type, row.CreatedAt = customers.Company, after(50)
		write(t, b, updateCustomer(row))
		stored := look(t, b, customerOf(home, row.ID))
		require.Equal(t, customers.Individual, stored.Type)
		require.Equal(t, after(1), stored.CreatedAt)
	})
	t.Run("a unit sees the customer that it wrote", func(t *testing.T) {
		b := open(t)
		write(t, b, func(ctx context.Context, p store.Ports) error {
			require.NoError(t, p.Customers().Insert(ctx, customer(1)))
			row, err := p.Customers().Customer(ctx, home, customer(1).ID)
			require.NoError(t, err)
			row.City = "Abuja"
			return p.Customers().Update(ctx, row)
		})
		require.Equal(t, "Abuja", look(t, b, customerOf(home, customer(1).ID)).City)
	})
}

func testCustomerContacts(t *testing.T, open func(*testing.T) store.Backend) {
	sharing := func(scope ferry.Scope, email, phone bool) customers.Customer {
		c := customer(2)
		c.Scope = scope
		if email {
			c.Email = customer(1).Email
		}
		if phone {
			c.Phone = customer(1).Phone
		}
		return c
	}
	t.Run("an email and a phone belong to one customer of a scope", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		refuse(t, b, customers.ErrDuplicate, insertCustomer(sharing(home, true, false)))
		refuse(t, b, customers.ErrDuplicate, insertCustomer(sharing(home, false, true)))
		missing(t, b, customers.ErrNotFound, fails(customerOf(home, customer(2).ID)))
	})
	t.Run("scopes do not share contacts", func(t *testing.T) {
		for _, scope := range []ferry.Scope{away, live} {
			b := open(t)
			write(t, b, insertCustomer(customer(1)))
			write(t, b, insertCustomer(sharing(scope, true, true)))
		}
	})
	t.Run("an update to the contact of another customer is refused", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		write(t, b, insertCustomer(customer(2)))
		for _, c := range []customers.Customer{sharing(home, true, false), sharing(home, false, true)} {
			c.Version = 1
			refuse(t, b, customers.ErrDuplicate, updateCustomer(c))
		}
	})
	t.Run("an email finds its customer, in the scope only", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		foreign := sharing(away, true, true)
		write(t, b, insertCustomer(foreign))
		require.Equal(t, customer(1).ID, look(t, b, customerByEmail(home, customer(1).Email)).ID)
		require.Equal(t, foreign.ID, look(t, b, customerByEmail(away, customer(1).Email)).ID)
		missing(t, b, customers.ErrNotFound, fails(customerByEmail(live, customer(1).Email)))
		missing(t, b, customers.ErrNotFound, fails(customerByEmail(home, customer(2).Email)))
	})
	t.Run("an email that was given up finds nobody, in the unit that writes already", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		write(t, b, func(ctx context.Context, p store.Ports) error {
			moved, err := p.Customers().ByEmail(ctx, home, customer(1).Email)
			require.NoError(t, err)
			moved.Email = "new@example.com"
			require.NoError(t, p.Customers().Update(ctx, moved))
			_, err = p.Customers().ByEmail(ctx, home, customer(1).Email)
			require.ErrorIs(t, err, customers.ErrNotFound)
			require.NoError(t, p.Customers().Insert(ctx, sharing(home, true, false)))
			found, err := p.Customers().ByEmail(ctx, home, customer(1).Email)
			require.Equal(t, customer(2).ID, found.ID)
			return err
		})
		require.Equal(t, customer(1).ID, look(t, b, customerByEmail(home, "new@example.com")).ID)
		require.Equal(t, customer(2).ID, look(t, b, customerByEmail(home, customer(1).Email)).ID)
	})
	t.Run("a contact that was given up is free, and a unit that fails gives up nothing", func(t *testing.T) {
		b := open(t)
		write(t, b, insertCustomer(customer(1)))
		moved := look(t, b, customerOf(home, customer(1).ID))
		moved.Email, moved.Phone = "new@example.com", "+2348099999999"
		refuse(t, b, errFail, func(ctx context.Context, p store.Ports) error {
			require.NoError(t, p.Customers().Update(ctx, moved))
			return errFail
		})
		refuse(t, b, customers.ErrDuplicate, insertCustomer(sharing(home, true, false)))
		write(t, b, updateCustomer(moved))
		write(t, b, insertCustomer(sharing(home, true, true)))
	})
	t.Run("of many that race for a contact one gets it", func(t *testing.T) {
		for name, share := range map[string]func(i int) customers.Customer{
			"email": func(i int) customers.Customer { c := customer(i); c.Email = "one@example.com"; return c },
			"phone": func(i int) customers.Customer { c := customer(i); c.Phone = "+2348011111111"; return c },
		} {
			b, won := open(t), 0
			for _, err := range race(8, func(i int) error { return b.Write(t.Context(), insertCustomer(share(i))) }) {
				if err == nil {
					won++
				} else {
					require.ErrorIs(t, err, customers.ErrDuplicate)
				}
			}
			require.Equal(t, 1, won, name)
		}
	})
}

func testCustomerList(t *testing.T, open func(*testing.T) store.Backend) {
	list := func(f customers.Filter) func(context.Context, store.Ports, ferry.Page) (ferry.List[customers.Customer], error) {
		return func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[customers.Customer], error) {
			return p.Customers().List(ctx, home, f, page)
		}
	}
	for name, filter := range map[string]customers.Filter{
		"by status": {Status: customers.Verified},
		"by search": {Search: "match"},
	} {
		t.Run(name, func(t *testing.T) {
			testListing(t, open, listing[customers.Customer]{
				insert: func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error {
					c := customer(0)
					c.ID, c.CreatedAt = customers.ID(id), at
					c.Email, c.Phone = id+"@example.com", "+"+id
					if match {
						c.Status, c.FirstName = customers.Verified, "Matching"
					}
					return p.Customers().Insert(ctx, c)
				},
				all: list(customers.Filter{}), matching: list(filter),
				prefix: "cus_", id: func(c customers.Customer) string { return string(c.ID) },
			})
		})
	}
}

func testCustomerFilters(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	shop := customer(2)
	shop.Type, shop.Status, shop.BusinessName = customers.Company, customers.Verified, "100% Ọbí_Foods"
	foreign := customer(3)
	foreign.Scope = away
	for _, c := range []customers.Customer{customer(1), shop, foreign} {
		write(t, b, insertCustomer(c))
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
				return p.Customers().List(ctx, home, given.filter, ferry.Page{})
			})
			var want []customers.ID
			for _, n := range given.want {
				want = append(want, customer(n).ID)
			}
			var got []customers.ID
			for _, c := range list.Data {
				got = append(got, c.ID)
			}
			require.Equal(t, want, got)
			require.Equal(t, len(want), list.Total)
		})
	}
	t.Run("a customer that changes its status changes lists", func(t *testing.T) {
		row := look(t, b, customerOf(home, customer(1).ID))
		row.Status = customers.Rejected
		write(t, b, updateCustomer(row))
		for status, want := range map[customers.Status]int{customers.PendingVerification: 0, customers.Rejected: 1, "": 2} {
			list := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[customers.Customer], error) {
				return p.Customers().List(ctx, home, customers.Filter{Status: status}, ferry.Page{})
			})
			require.Equal(t, want, list.Total, "status %q", status)
			require.Len(t, list.Data, want)
		}
	})
}
