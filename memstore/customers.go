package memstore

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
)

type customerTables struct {
	customers  table[customers.ID, customers.Customer]
	byScope    index[customerGroup, customers.ID] // with and without status
	byEmail    table[contactKey, customers.ID]
	byPhone    table[contactKey, customers.ID]
	identities table[customers.IdentityID, customers.Identity]
	trails     table[trailKey, customers.Trail]
}

// customerGroup is one list: all customers of a scope, or those of a status.
type customerGroup struct {
	scope  ferry.Scope
	status customers.Status
}

// contactKey is an email or a phone number within a scope.
type contactKey struct {
	scope   ferry.Scope
	contact string
}

type trailKey struct {
	scope   ferry.Scope
	subject customers.Subject
}

type customerStore struct{ *unit }

var _ customers.Store = customerStore{}

// Customers returns the port of customers and their identities.
func (u *unit) Customers() customers.Store { return customerStore{u} }

func (s customerStore) Insert(_ context.Context, c customers.Customer) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.customers
	if t.customers.has(c.ID) {
		return fmt.Errorf("memstore: customer %s exists", c.ID)
	}
	if s.taken(c) {
		return customers.ErrDuplicate
	}
	c.Version = 1
	t.customers.insert(s.undo, c.ID, c)
	s.enter(c)
	return nil
}

// taken reports whether another customer has the email or phone of c.
func (s customerStore) taken(c customers.Customer) bool {
	t := &s.tables.customers
	email, emailTaken := t.byEmail.get(contactKey{c.Scope, c.Email})
	phone, phoneTaken := t.byPhone.get(contactKey{c.Scope, c.Phone})
	return emailTaken && email != c.ID || phoneTaken && phone != c.ID
}

// enter makes a customer known by its email, phone and lists; leave takes that
// back.
func (s customerStore) enter(c customers.Customer) {
	t := &s.tables.customers
	t.byEmail.put(s.undo, contactKey{c.Scope, c.Email}, c.ID)
	t.byPhone.put(s.undo, contactKey{c.Scope, c.Phone}, c.ID)
	p := placeOf(c.CreatedAt, c.ID)
	t.byScope.add(s.undo, customerGroup{scope: c.Scope}, p)
	t.byScope.add(s.undo, customerGroup{c.Scope, c.Status}, p)
}

func (s customerStore) leave(c customers.Customer) {
	t := &s.tables.customers
	t.byEmail.delete(s.undo, contactKey{c.Scope, c.Email})
	t.byPhone.delete(s.undo, contactKey{c.Scope, c.Phone})
	p := placeOf(c.CreatedAt, c.ID)
	t.byScope.drop(s.undo, customerGroup{scope: c.Scope}, p)
	t.byScope.drop(s.undo, customerGroup{c.Scope, c.Status}, p)
}

func (s customerStore) Customer(_ context.Context, scope ferry.Scope, id customers.ID) (customers.Customer, error) {
	c, found := s.tables.customers.customers.get(id)
	if !found || c.Scope != scope {
		return customers.Customer{}, customers.ErrNotFound
	}
	return c, nil
}

func (s customerStore) ByEmail(ctx context.Context, scope ferry.Scope, email string) (customers.Customer, error) {
	id, found := s.tables.customers.byEmail.get(contactKey{scope, email})
	if !found {
		return customers.Customer{}, customers.ErrNotFound
	}
	return s.Customer(ctx, scope, id)
}

func (s customerStore) Update(ctx context.Context, c customers.Customer) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Customer(ctx, c.Scope, c.ID)
	if err != nil {
		return err
	}
	if stored.Version != c.Version {
		return ferry.ErrStale
	}
	if s.taken(c) {
		return customers.ErrDuplicate
	}
	c.Version++
	c.Type, c.CreatedAt = stored.Type, stored.CreatedAt
	s.tables.customers.customers.put(s.undo, c.ID, c)
	s.leave(stored)
	s.enter(c)
	return nil
}

func (s customerStore) SealedCustomers(_ context.Context, env ferry.Env, after customers.ID, limit int) ([]customers.Customer, error) {
	return walk(&s.tables.customers.customers, after, limit, func(c customers.Customer) bool {
		return c.Scope.Env == env && (!c.BVN.IsZero() || !c.NIN.IsZero())
	}), nil
}

func (s customerStore) List(_ context.Context, scope ferry.Scope, f customers.Filter, page ferry.Page) (ferry.List[customers.Customer], error) {
	t := &s.tables.customers
	get := func(id customers.ID) (customers.Customer, time.Time) {
		c := t.customers.row(id)
		return c, c.CreatedAt
	}
	keep := f.Matches
	if f.OnlyStatus() {
		keep = nil
	}
	return pageOf(t.byScope.of(customerGroup{scope, f.Status}), page, get, keep), nil
}

func (s customerStore) InsertIdentity(_ context.Context, i customers.Identity) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.customers
	if t.identities.has(i.ID) {
		return fmt.Errorf("memstore: identity %s exists", i.ID)
	}
	i.Version = 1
	t.identities.insert(s.undo, i.ID, i)
	return nil
}

func (s customerStore) Identity(_ context.Context, scope ferry.Scope, id customers.IdentityID) (customers.Identity, error) {
	i, found := s.tables.customers.identities.get(id)
	if !found || i.Scope != scope {
		return customers.Identity{}, customers.ErrIdentityNotFound
	}
	return i, nil
}

func (s customerStore) UpdateIdentity(ctx context.Context, i customers.Identity) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Identity(ctx, i.Scope, i.ID)
	if err != nil {
		return err
	}
	if stored.Version != i.Version {
		return ferry.ErrStale
	}
	i.Version++
	i.CreatedAt = stored.CreatedAt
	s.tables.customers.identities.put(s.undo, i.ID, i)
	return nil
}

func (s customerStore) SealedIdentities(_ context.Context, env ferry.Env, after customers.IdentityID, limit int) ([]customers.Identity, error) {
	return walk(&s.tables.customers.identities, after, limit, func(i customers.Identity) bool {
		return i.Scope.Env == env && !i.Number.IsZero()
	}), nil
}

func (s customerStore) Trail(_ context.Context, scope ferry.Scope, subject customers.Subject) (customers.Trail, error) {
	trail, found := s.tables.customers.trails.get(trailKey{scope, subject})
	if !found {
		return customers.Trail{Scope: scope, Subject: subject}, nil
	}
	return trail, nil
}

func (s customerStore) PutTrail(_ context.Context, trail customers.Trail) error {
	if err := s.writable(); err != nil {
		return err
	}
	t, key := &s.tables.customers, trailKey{trail.Scope, trail.Subject}
	if t.trails.row(key).Version != trail.Version {
		return ferry.ErrStale
	}
	trail.Version++
	t.trails.put(s.undo, key, trail)
	return nil
}
