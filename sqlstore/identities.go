package sqlstore

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
)

var identityTable = define(table[customers.Identity]{
	name: "identities",
	key:  []string{"id"},
	fields: func(i *customers.Identity) []field {
		return []field{
			col("id", &i.ID),
			col("env", &i.Scope.Env),
			col("business", &i.Scope.Business),
			col("type", &i.Type),
			col("number_sealed", &i.Number.Sealed),
			col("number_digest", &i.Number.Digest),
			col("customer", optional(&i.CustomerID)),
			col("status", &i.Status),
			col("challenge", &i.Challenge),
			col("expires_at", instant(&i.ExpiresAt)),
			col("asked_until", instant(&i.AskedUntil)),
			col("attempts", document(&i.Attempts)),
			col("verified_name", &i.VerifiedName),
			col("verified_at", instant(&i.VerifiedAt)),
			col("created_at", instant(&i.CreatedAt)),
			col("updated_at", instant(&i.UpdatedAt)),
		}
	},
	version: func(i *customers.Identity) *int64 { return &i.Version },
	scope:   func(i customers.Identity) ferry.Scope { return i.Scope },
	missing: customers.ErrIdentityNotFound,
	keep: func(stored customers.Identity, i *customers.Identity) {
		i.CreatedAt = stored.CreatedAt
	},
})

// errNoTrail is the absence of a trail, which the port shows as an empty one.
var errNoTrail = errors.New("sqlstore: the subject has no trail")

var trailTable = define(table[customers.Trail]{
	name: "identity_trails",
	key:  []string{"env", "business", "subject"},
	fields: func(t *customers.Trail) []field {
		return []field{
			col("env", &t.Scope.Env),
			col("business", &t.Scope.Business),
			col("subject", &t.Subject),
			col("marks", document(&t.Marks)),
		}
	},
	version: func(t *customers.Trail) *int64 { return &t.Version },
	missing: errNoTrail,
})

func (s customerStore) InsertIdentity(_ context.Context, i customers.Identity) error {
	return identityTable.insert(s.unit, i)
}

func (s customerStore) Identity(ctx context.Context, scope ferry.Scope, id customers.IdentityID) (customers.Identity, error) {
	return identityTable.owned(ctx, s.unit, scope, id)
}

func (s customerStore) UpdateIdentity(ctx context.Context, i customers.Identity) error {
	return identityTable.update(ctx, s.unit, i)
}

func (s customerStore) SealedIdentities(ctx context.Context, env ferry.Env, after customers.IdentityID, limit int) ([]customers.Identity, error) {
	return identityTable.read(ctx, s.unit, "env = ? AND id > ? AND number_digest <> '' ORDER BY id LIMIT ?", []any{env, after, limit})
}

func (s customerStore) Trail(ctx context.Context, scope ferry.Scope, subject customers.Subject) (customers.Trail, error) {
	trail, err := trailTable.get(ctx, s.unit, scope.Env, scope.Business, subject)
	if errors.Is(err, errNoTrail) {
		return customers.Trail{Scope: scope, Subject: subject}, nil
	}
	return trail, err
}

func (s customerStore) PutTrail(ctx context.Context, trail customers.Trail) error {
	return trailTable.put(ctx, s.unit, trail)
}
