package engine

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// Audit recounts the books of an environment and holds them against the open
// items and the chain. No findings means clean.
func (e *Engine) Audit(ctx context.Context, env ferry.Env) ([]ledger.Finding, error) {
	return ferry.InRead(ctx, e.units.In(env), func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
		books, err := ledger.Audit(ctx, tx.Ledger(), env)
		if err != nil {
			return nil, err
		}
		custody, err := wallets.Audit(ctx, tx, env)
		if err != nil {
			return nil, err
		}
		returns, err := payments.Audit(ctx, tx, env)
		if err != nil {
			return nil, err
		}
		collected, err := checkout.Audit(ctx, tx, env)
		return slices.Concat(books, custody, returns, collected), err
	})
}

// Balances sums what a business has, for every asset, NGN first (docs/api.md,
// "Business").
func (e *Engine) Balances(ctx context.Context, scope ferry.Scope) ([]ledger.Total, error) {
	known, err := ferry.InRead(ctx, e.units.Of(scope), func(ctx context.Context, tx store.Tx) ([]ledger.Total, error) {
		return tx.Ledger().Totals(ctx, scope)
	})
	all := make([]ledger.Total, 0, 2)
	for _, asset := range []money.Asset{money.AssetNGN, money.AssetUSDC} {
		total := ledger.Total{Asset: asset, Posted: money.Of(asset, 0), Reserved: money.Of(asset, 0)}
		for _, t := range known {
			if t.Asset == asset {
				total = t
			}
		}
		all = append(all, total)
	}
	return all, err
}
