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

// keyVault is the keys of addresses.
var keyVault = vault{"address_key",
	func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
		keys, err := wallets.SealedKeyKind.After(ctx, tx, rowsIn(env), wallets.AddressID(after), rewrapPage)
		return rowsOf(keys, func(k wallets.SealedKey) sealedRow {
			return sealedRow{k.Scope, string(k.ID), [][]byte{k.Sealed}}
		}), err
	},
	func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error {
		return e.Wallets.ResealKeyIn(ctx, tx, row.scope, wallets.AddressID(row.id))
	}}

// customerVault is the identity numbers of customers.
var customerVault = vault{"customer",
	func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
		all, err := customers.CustomerKind.After(ctx, tx, rowsIn(env), customers.ID(after), rewrapPage)
		return rowsOf(all, func(c customers.Customer) sealedRow {
			return sealedRow{c.Scope, string(c.ID), numbers(c.BVN, c.NIN)}
		}), err
	},
	func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error {
		return e.Customers.ResealIn(ctx, tx, row.scope, customers.ID(row.id))
	}}

// identityVault is the identity numbers under verification.
var identityVault = vault{"identity",
	func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
		all, err := customers.IdentityKind.After(ctx, tx, rowsIn(env), customers.IdentityID(after), rewrapPage)
		return rowsOf(all, func(i customers.Identity) sealedRow {
			return sealedRow{i.Scope, string(i.ID), numbers(i.Number)}
		}), err
	},
	func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error {
		return e.Customers.ResealIdentityIn(ctx, tx, row.scope, customers.IdentityID(row.id))
	}}

// endpointVault is the secrets of webhook endpoints.
var endpointVault = vault{"webhook_endpoint",
	func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
		all, err := webhook.EndpointKind.After(ctx, tx, rowsIn(env), ferry.BusinessID(after), rewrapPage)
		return rowsOf(all, func(e webhook.Endpoint) sealedRow {
			row := sealedRow{scope: e.Scope, id: string(e.Scope.Business)}
			for _, secret := range e.Secrets {
				row.texts = append(row.texts, secret.Sealed)
			}
			return row
		}), err
	},
	func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error {
		return e.Webhooks.ResealEndpointIn(ctx, tx, row.scope)
	}}

// rowsIn selects the rows of all businesses of an environment.
func rowsIn(env ferry.Env) records.Query { return records.Where(records.Is("env", env)) }

// numbers returns the sealed texts of identity numbers, of those that there are.
func numbers(of ...customers.SealedNumber) (texts [][]byte) {
	for _, n := range of {
		if !n.IsZero() {
			texts = append(texts, n.Sealed)
		}
	}
	return texts
}

func rowsOf[R any](rows []R, row func(R) sealedRow) []sealedRow {
	all := make([]sealedRow, len(rows))
	for i, r := range rows {
		all[i] = row(r)
	}
	return all
}
