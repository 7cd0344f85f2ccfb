package business

import (
	"context"

	"github.com/ferrypay/ferry"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Businesses() Store
}

// Store keeps businesses and keys within a unit of work.
type Store interface {
	// Insert adds a business to one environment; ErrExists when it is there.
	Insert(context.Context, Business) error
	// Business returns the business of a scope, or ErrNotFound.
	Business(context.Context, ferry.Scope) (Business, error)
	// Update replaces a business whose Version is still the stored one:
	// ferry.ErrStale.
	Update(context.Context, Business) error
	// Businesses returns the businesses of an environment in order of id
	// after the given one, at most limit.
	Businesses(ctx context.Context, env ferry.Env, after ferry.BusinessID, limit int) ([]Business, error)

	// InsertKey adds a key; ErrKeyTaken when any business has one of its id
	// or digest.
	InsertKey(context.Context, Key) error
	// Key returns a key of the scope, or ErrKeyNotFound.
	Key(ctx context.Context, scope ferry.Scope, id KeyID) (Key, error)
	// KeyByDigest finds a key of any business, or ErrKeyNotFound.
	KeyByDigest(ctx context.Context, digest string) (Key, error)
	// UpdateKey replaces a key whose Version is still the stored one:
	// ferry.ErrStale.
	UpdateKey(context.Context, Key) error
	// Keys returns all keys of a scope, newest first. They are few.
	Keys(context.Context, ferry.Scope) ([]Key, error)
}
