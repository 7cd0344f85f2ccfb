package engine

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// Audit recounts the books of an environment and holds them against the open
// items and the chain. No findings means clean.
func (e *Engine) Audit(ctx context.Context, env ferry.Env) ([]ledger.Finding, error) {
	return e.audit(ctx, env, func(tx store.Tx, _ domain) (store.Tx, error) { return tx, nil })
}

// audit runs the audits of all domains, each on the unit that of returns for it.
func (e *Engine) audit(ctx context.Context, env ferry.Env, of func(store.Tx, domain) (store.Tx, error)) ([]ledger.Finding, error) {
	return ferry.InRead(ctx, e.units.In(env), func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
		var findings []ledger.Finding
		for _, d := range e.domains {
			if d.audit == nil {
				continue
			}
			tx, err := of(tx, d)
			if err != nil {
				return nil, err
			}
			found, err := d.audit(ctx, tx, env)
			if err != nil {
				return nil, err
			}
			findings = append(findings, found...)
		}
		return findings, nil
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
