package engine

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// sealedRow is a row with sealed texts. Its id is what its vault is ordered by.
type sealedRow struct {
	scope ferry.Scope
	id    string
	texts [][]byte
}

// vault is a kind of rows with sealed texts.
type vault struct {
	kind   string
	page   func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error)
	reseal func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error
}

// vaults are all of them.
var vaults = []vault{
	{"address_key",
		func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
			keys, err := tx.Wallets().SealedKeys(ctx, env, wallets.AddressID(after), rewrapPage)
			return rowsOf(keys, func(k wallets.SealedKey) sealedRow {
				return sealedRow{k.Scope, string(k.ID), [][]byte{k.Sealed}}
			}), err
		},
		func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error {
			return e.Wallets.ResealKeyIn(ctx, tx, row.scope, wallets.AddressID(row.id))
		}},
	{"customer",
		func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
			all, err := tx.Customers().SealedCustomers(ctx, env, customers.ID(after), rewrapPage)
			return rowsOf(all, func(c customers.Customer) sealedRow {
				row := sealedRow{scope: c.Scope, id: string(c.ID)}
				for _, n := range []customers.SealedNumber{c.BVN, c.NIN} {
					if !n.IsZero() {
						row.texts = append(row.texts, n.Sealed)
					}
				}
				return row
			}), err
		},
		func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error {
			return e.Customers.ResealIn(ctx, tx, row.scope, customers.ID(row.id))
		}},
	{"identity",
		func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
			all, err := tx.Customers().SealedIdentities(ctx, env, customers.IdentityID(after), rewrapPage)
			return rowsOf(all, func(i customers.Identity) sealedRow {
				return sealedRow{i.Scope, string(i.ID), [][]byte{i.Number.Sealed}}
			}), err
		},
		func(ctx context.Context, e *Engine, tx store.Tx, row sealedRow) error {
			return e.Customers.ResealIdentityIn(ctx, tx, row.scope, customers.IdentityID(row.id))
		}},
	{"webhook_endpoint",
		func(ctx context.Context, tx store.Tx, env ferry.Env, after string) ([]sealedRow, error) {
			all, err := tx.Webhooks().Endpoints(ctx, env, ferry.BusinessID(after), rewrapPage)
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
		}},
}

func rowsOf[R any](rows []R, row func(R) sealedRow) []sealedRow {
	all := make([]sealedRow, len(rows))
	for i, r := range rows {
		all[i] = row(r)
	}
	return all
}
