package customers

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Customers() Store
	Outbox() webhook.Outbox
	Leases() lease.Store
}

// Store keeps customers and identities within a unit of work. Rows go out as
// they came in; times have the precision of milliseconds.
type Store interface {
	// Insert adds a customer. Email and phone are unique in a scope:
	// ErrDuplicate.
	Insert(context.Context, Customer) error
	// Customer returns a customer of the scope, or ErrNotFound.
	Customer(ctx context.Context, scope ferry.Scope, id ID) (Customer, error)
	// ByEmail returns the customer of the scope who has an email, in lower case,
	// or ErrNotFound. It is a read by key.
	ByEmail(ctx context.Context, scope ferry.Scope, email string) (Customer, error)
	// Update replaces a customer whose Version is still the stored one:
	// ferry.ErrStale. Errors: ErrNotFound, ErrDuplicate. ID, Scope, Type and
	// CreatedAt never change.
	Update(context.Context, Customer) error
	// SealedCustomers returns the customers of all businesses of an
	// environment that have a sealed number, in order of id after the given
	// one, at most limit.
	SealedCustomers(ctx context.Context, env ferry.Env, after ID, limit int) ([]Customer, error)
	// List lists customers, newest first. A page costs the same however many
	// there are when the filter is empty or has only a Status.
	List(context.Context, ferry.Scope, Filter, ferry.Page) (ferry.List[Customer], error)

	// InsertIdentity adds an identity.
	InsertIdentity(context.Context, Identity) error
	// Identity returns an identity of the scope, or ErrIdentityNotFound.
	Identity(ctx context.Context, scope ferry.Scope, id IdentityID) (Identity, error)
	// UpdateIdentity replaces an identity whose Version is still the stored
	// one: ferry.ErrStale. Errors: ErrIdentityNotFound.
	UpdateIdentity(context.Context, Identity) error
	// SealedIdentities returns the identities of all businesses of an
	// environment that have a sealed number, in order of id after the given
	// one, at most limit.
	SealedIdentities(ctx context.Context, env ferry.Env, after IdentityID, limit int) ([]Identity, error)

	// Trail returns the trail of a subject, or an empty one of Version 0
	// when there is none. It is a read by key.
	Trail(ctx context.Context, scope ferry.Scope, subject Subject) (Trail, error)
	// PutTrail writes a trail, new when its Version is 0, else compared with
	// the stored one: ferry.ErrStale.
	PutTrail(context.Context, Trail) error
}

// Subject is what initiations are remembered by: a customer, a number, or an API key.
type Subject string

func customerSubject(id ID) Subject { return Subject("customer/" + string(id)) }

func keySubject(key string) Subject { return Subject("key/" + key) }

func numberSubject(t kyc.Type, digest string) Subject {
	return Subject("number/" + string(t) + "/" + digest)
}

// Trail is the recent initiations of one subject. It is one row, so that the
// limit and the newest initiation are decided from a key.
type Trail struct {
	Scope   ferry.Scope
	Subject Subject
	// Marks are oldest first. The newest stays for good; others go once they
	// count no more.
	Marks   []Mark
	Version int64
}

// Mark is one initiation in a trail.
type Mark struct {
	Identity IdentityID
	// Customer is whom the initiation named, or empty.
	Customer ID
	At       time.Time
}
