package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

var businessTable = define(table[business.Business]{
	name: "businesses",
	key:  []string{"env", "business"},
	fields: func(b *business.Business) []field {
		return []field{
			col("env", &b.Scope.Env),
			col("business", &b.Scope.Business),
			col("name", &b.Name),
			col("api_variant", &b.APIVariant),
			col("customer_pays_fee", &b.CustomerPaysFee),
			col("crypto_settlement", &b.CryptoSettlement),
			col("payment_methods", document(&b.PaymentMethods)),
			col("redirect_hosts", document(&b.RedirectHosts)),
			col("mismatch_policy", &b.MismatchPolicy),
			col("source_accounts", document(&b.SourceAccounts)),
			col("created_at", instant(&b.CreatedAt)),
			col("updated_at", instant(&b.UpdatedAt)),
		}
	},
	version: func(b *business.Business) *int64 { return &b.Version },
	missing: business.ErrNotFound,
	exists:  business.ErrExists,
})

var apiKeyTable = define(table[business.Key]{
	name: "api_keys",
	key:  []string{"id"},
	fields: func(k *business.Key) []field {
		return []field{
			col("id", &k.ID),
			col("env", &k.Scope.Env),
			col("business", &k.Scope.Business),
			col("type", &k.Type),
			col("label", &k.Label),
			col("scopes", document(&k.Scopes)),
			col("digest", &k.Digest),
			col("text", &k.Text),
			col("prefix", &k.Prefix),
			col("last_four", &k.LastFour),
			col("valid_until", instant(&k.ValidUntil)),
			col("revoked_at", instant(&k.RevokedAt)),
			col("created_at", instant(&k.CreatedAt)),
		}
	},
	version: func(k *business.Key) *int64 { return &k.Version },
	scope:   func(k business.Key) ferry.Scope { return k.Scope },
	unique:  []unique[business.Key]{byDigest: {columns: []string{"digest"}, taken: business.ErrKeyTaken}},
	missing: business.ErrKeyNotFound,
	exists:  business.ErrKeyTaken,
	keep: func(stored business.Key, k *business.Key) {
		k.Digest, k.CreatedAt = stored.Digest, stored.CreatedAt // what the key is found by never changes
	},
})

// byDigest is the unique index of API keys that authentication uses.
const byDigest = 0

type businessStore struct{ *unit }

var _ business.Store = businessStore{}

// Businesses returns the port of tenants and their keys.
func (u *unit) Businesses() business.Store { return businessStore{u} }

func (s businessStore) Insert(_ context.Context, b business.Business) error {
	return businessTable.insert(s.unit, b)
}

func (s businessStore) Business(ctx context.Context, scope ferry.Scope) (business.Business, error) {
	return businessTable.get(ctx, s.unit, scope.Env, scope.Business)
}

func (s businessStore) Update(ctx context.Context, b business.Business) error {
	return businessTable.update(ctx, s.unit, b)
}

func (s businessStore) Businesses(ctx context.Context, env ferry.Env, after ferry.BusinessID, limit int) ([]business.Business, error) {
	return businessTable.read(ctx, s.unit, "env = ? AND business > ? ORDER BY business LIMIT ?", []any{env, after, limit})
}

func (s businessStore) InsertKey(_ context.Context, k business.Key) error {
	return apiKeyTable.insert(s.unit, k)
}

func (s businessStore) Key(ctx context.Context, scope ferry.Scope, id business.KeyID) (business.Key, error) {
	return apiKeyTable.owned(ctx, s.unit, scope, id)
}

func (s businessStore) KeyByDigest(ctx context.Context, digest string) (business.Key, error) {
	return apiKeyTable.find(ctx, s.unit, byDigest, digest)
}

func (s businessStore) UpdateKey(ctx context.Context, k business.Key) error {
	return apiKeyTable.update(ctx, s.unit, k)
}

func (s businessStore) Keys(ctx context.Context, scope ferry.Scope) ([]business.Key, error) {
	f := inScope(scope)
	return apiKeyTable.read(ctx, s.unit, f.where()+" ORDER BY created_at DESC, id DESC", f.args)
}
