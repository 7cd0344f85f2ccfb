package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

var custodyTable = define(table[wallets.Custody]{
	name: "custodies",
	key:  []string{"id"},
	fields: func(c *wallets.Custody) []field {
		return []field{
			col("id", &c.ID),
			col("env", &c.Scope.Env),
			col("business", &c.Scope.Business),
			col("wallet", &c.Wallet),
			col("address", &c.Address),
			col("cursor", &c.Cursor),
			col("mark", &c.Mark),
			col("doubt", &c.Doubt),
			col("looks", &c.Looks),
			col("scanned_at", instant(&c.ScannedAt)),
			col("on_chain", usdc(&c.OnChain)),
			col("committed", usdc(&c.Committed)),
		}
	},
	version: func(c *wallets.Custody) *int64 { return &c.Version },
	scope:   func(c wallets.Custody) ferry.Scope { return c.Scope },
	missing: wallets.ErrAddressNotFound,
	keep: func(stored wallets.Custody, c *wallets.Custody) {
		c.Wallet, c.Address = stored.Wallet, stored.Address // whose money it is never changes
	},
})

func (s walletStore) Custody(ctx context.Context, env ferry.Env, id wallets.AddressID) (wallets.Custody, error) {
	c, err := custodyTable.get(ctx, s.unit, id)
	if err == nil && c.Scope.Env != env {
		return wallets.Custody{}, wallets.ErrAddressNotFound
	}
	return c, err
}

func (s walletStore) UpdateCustody(ctx context.Context, c wallets.Custody) error {
	return custodyTable.update(ctx, s.unit, c)
}

func (s walletStore) Custodies(ctx context.Context, env ferry.Env, after wallets.AddressID, limit int) ([]wallets.Custody, error) {
	return custodyTable.read(ctx, s.unit, "env = ? AND id > ? ORDER BY id LIMIT ?", []any{env, after, limit})
}

func (s walletStore) Surpluses(ctx context.Context, scope ferry.Scope, limit int) ([]wallets.Custody, error) {
	f := (&filter{}).and("env = ?", scope.Env).and("on_chain > committed")
	if scope.Business != "" {
		f.and("business = ?", scope.Business)
	}
	return custodyTable.read(ctx, s.unit, f.where()+" ORDER BY on_chain - committed DESC, id DESC LIMIT ?", append(f.args, limit))
}
