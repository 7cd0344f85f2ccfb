package engine

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// sealedRow is a row and its sealed texts. Its id is what its vault is ordered by.
type sealedRow struct {
	scope ferry.Scope
	id    string
	texts [][]byte
}

// empty reports whether nothing of the row is sealed.
func (r sealedRow) empty() bool { return len(r.texts) == 0 }

// vault is a kind of rows that may have sealed texts.
type vault struct {
	kind   string
	page   func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error)
	reseal func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error
}

// vaultOf is the vault of a kind of records.
func vaultOf[K ~string, R any](
	name string, kind *records.Kind[K, R], texts func(R) [][]byte,
	reseal func(ctx context.Context, e *Engine, tx store.Tx, scope ferry.Scope, id K) error,
) vault {
	return vault{name,
		func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
			rows, err := kind.After(ctx, tx, records.Where(records.Is("env", env)), K(after), rewrapPage)
			all := make([]sealedRow, len(rows))
			for i, row := range rows {
				all[i] = sealedRow{kind.Owner(&row), string(kind.IDOf(row)), texts(row)}
			}
			return all, err
		},
		func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error {
			return reseal(ctx, e, tx, row.scope, K(row.id))
		}}
}

// keyVault is the keys of addresses.
var keyVault = vaultOf("address_key", wallets.SealedKeyKind,
	func(k wallets.SealedKey) [][]byte { return [][]byte{k.Sealed} },
	func(ctx context.Context, e *Engine, tx store.Tx, scope ferry.Scope, id wallets.AddressID) error {
		return e.Wallets.ResealKeyIn(ctx, tx, scope, id)
	})

// customerVault is the identity numbers of customers.
var customerVault = vaultOf("customer", customers.CustomerKind,
	func(c customers.Customer) [][]byte { return numbers(c.BVN, c.NIN) },
	func(ctx context.Context, e *Engine, tx store.Tx, scope ferry.Scope, id customers.ID) error {
		return e.Customers.ResealIn(ctx, tx, scope, id)
	})

// identityVault is the identity numbers under verification.
var identityVault = vaultOf("identity", customers.IdentityKind,
	func(i customers.Identity) [][]byte { return numbers(i.Number) },
	func(ctx context.Context, e *Engine, tx store.Tx, scope ferry.Scope, id customers.IdentityID) error {
		return e.Customers.ResealIdentityIn(ctx, tx, scope, id)
	})

// endpointVault is the secrets of webhook endpoints.
var endpointVault = vaultOf("webhook_endpoint", webhook.EndpointKind,
	func(e webhook.Endpoint) (texts [][]byte) {
		for _, secret := range e.Secrets {
			texts = append(texts, secret.Sealed)
		}
		return texts
	},
	func(ctx context.Context, e *Engine, tx store.Tx, scope ferry.Scope, _ ferry.BusinessID) error {
		return e.Webhooks.ResealEndpointIn(ctx, tx, scope)
	})

// numbers returns the sealed texts of identity numbers, of those that there are.
func numbers(of ...customers.SealedNumber) (texts [][]byte) {
	for _, n := range of {
		if !n.IsZero() {
			texts = append(texts, n.Sealed)
		}
	}
	return texts
}
