package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// anomalyRow is an anomaly with a version, which never changes.
type anomalyRow struct {
	wallets.Anomaly
	version int64
}

var anomalyTable = define(table[anomalyRow]{
	name: "wallet_anomalies",
	key:  []string{"address", "signature", "mint"},
	fields: func(a *anomalyRow) []field {
		return []field{
			col("env", &a.Scope.Env),
			col("business", &a.Scope.Business),
			col("wallet", &a.Wallet),
			col("address", &a.Address),
			col("signature", &a.Signature),
			col("mint", &a.Mint),
			col("kind", &a.Kind),
			col("delta", usdc(&a.Delta)),
			col("created_at", instant(&a.CreatedAt)),
		}
	},
	version: func(a *anomalyRow) *int64 { return &a.version },
	missing: wallets.ErrTransactionNotFound,
	exists:  wallets.ErrDeposited,
})

func (s walletStore) InsertAnomaly(_ context.Context, a wallets.Anomaly) error {
	return anomalyTable.insert(s.unit, anomalyRow{Anomaly: a})
}

func (s walletStore) Anomaly(ctx context.Context, id wallets.AddressID, signature chain.Signature, mint string) (wallets.Anomaly, error) {
	a, err := anomalyTable.get(ctx, s.unit, id, signature, mint)
	return a.Anomaly, err
}

func (s walletStore) Anomalies(ctx context.Context, id wallets.AddressID) ([]wallets.Anomaly, error) {
	rows, err := anomalyTable.read(ctx, s.unit, "address = ? ORDER BY created_at, signature, mint", []any{id})
	anomalies := make([]wallets.Anomaly, len(rows))
	for i, a := range rows {
		anomalies[i] = a.Anomaly
	}
	return anomalies, err
}
