package business

import (
	"cmp"
	"context"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Kind is what a business is as a row: one for each scope.
var Kind = records.Define(records.Kind[ferry.BusinessID, Business]{
	Name: "businesses",
	Columns: func(b *Business) []records.Column {
		return []records.Column{
			records.Owner(&b.Scope), records.Version(&b.Version),
			records.Text("name", &b.Name),
			records.Word("api_variant", &b.APIVariant, DialectA, DialectB),
			records.Bool("customer_pays_fee", &b.CustomerPaysFee),
			records.Word("crypto_settlement", &b.CryptoSettlement, Hold, Convert),
			records.Document("payment_methods", &b.PaymentMethods),
			records.Document("redirect_hosts", &b.RedirectHosts),
			records.Word("mismatch_policy", &b.MismatchPolicy, Strict, Accept),
			records.Text("support_email", &b.Support.Email),
			records.Text("support_phone", &b.Support.Phone),
			records.Text("support_url", &b.Support.URL),
			records.Text("logo_url", &b.Branding.LogoURL),
			records.Text("icon_url", &b.Branding.IconURL),
			records.Text("accent_color", &b.Branding.AccentColor),
			records.Document("source_accounts", &b.SourceAccounts),
			records.CreatedAt(&b.CreatedAt), records.Time("updated_at", &b.UpdatedAt),
		}
	},
	Key:     []string{"env", "business"},
	Scope:   func(b *Business) ferry.Scope { return b.Scope },
	Groups:  []records.Group{{By: []string{"env"}}},
	Missing: ErrNotFound,
	Exists:  ErrExists,
})

// Of returns the business of a scope, or ErrNotFound.
func Of(ctx context.Context, tx records.Tx, scope ferry.Scope) (Business, error) {
	return Kind.Get(ctx, tx, scope, scope.Business)
}

// byDigest finds a key of any business by Digest.
var byDigest = &records.Unique{Columns: []string{"digest"}, Taken: ErrKeyTaken}

// KeyKind is what an API key is as a row.
var KeyKind = records.Define(records.Kind[KeyID, Key]{
	Name: "api_keys",
	Columns: func(k *Key) []records.Column {
		return []records.Column{
			records.ID(&k.ID), records.Owner(&k.Scope), records.Version(&k.Version),
			records.Word("type", &k.Type, SecretKey, PublicKey, WidgetKey),
			records.Text("label", &k.Label),
			records.Text("line", &k.Line),
			records.Document("scopes", &k.Scopes),
			records.Text("digest", &k.Digest),
			records.Text("text", &k.Text),
			records.Text("prefix", &k.Prefix),
			records.Text("last_four", &k.LastFour),
			records.Time("valid_until", &k.ValidUntil),
			records.Time("revoked_at", &k.RevokedAt),
			records.CreatedAt(&k.CreatedAt),
		}
	},
	Scope:   func(k *Key) ferry.Scope { return k.Scope },
	Unique:  []*records.Unique{byDigest},
	Fixed:   []string{"line", "digest"},
	Groups:  []records.Group{{By: []string{"env", "business"}}},
	Missing: ErrKeyNotFound,
	Exists:  ErrKeyTaken,
})

// keysOf returns all keys of a scope, newest first. They are few.
func keysOf(ctx context.Context, tx Tx, scope ferry.Scope) ([]Key, error) {
	all, own := []Key{}, records.Where(records.Is("env", scope.Env), records.Is("business", scope.Business))
	for k, err := range KeyKind.Walk(ctx, tx, own) {
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b Key) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return all, nil
}
