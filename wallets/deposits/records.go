package deposits

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

// byMovement finds an anomaly by Address, Signature and Mint.
var byMovement = &records.Unique{Columns: []string{"address", "signature", "mint"}, Taken: wallets.ErrDeposited}

// AnomalyKind is what an anomaly is as a row, which never changes.
var AnomalyKind = records.Define(records.Kind[AnomalyID, Anomaly]{
	Name: "wallet_anomalies",
	Columns: func(a *Anomaly) []records.Column {
		return []records.Column{
			records.ID(&a.ID), records.Owner(&a.Scope), records.Version(&a.Version),
			records.Text("wallet", &a.Wallet),
			records.Text("address", &a.Address),
			records.Text("signature", &a.Signature),
			records.Text("mint", &a.Mint),
			records.Word("kind", &a.Reason, Unsupported, Unexplained),
			records.Amount("delta", &a.Delta, wallets.Asset),
			records.CreatedAt(&a.CreatedAt),
		}
	},
	Scope:   func(a *Anomaly) ferry.Scope { return a.Scope },
	Unique:  []*records.Unique{byMovement},
	Fixed:   []string{"wallet", "address", "signature", "mint", "kind", "delta"},
	Groups:  []records.Group{{By: []string{"address"}}, {By: []string{"signature"}}},
	Missing: wallets.ErrTransactionNotFound,
})

// anomalyAt returns the anomaly of a movement, or ErrTransactionNotFound.
func anomalyAt(ctx context.Context, tx wallets.Tx, id wallets.AddressID, signature chain.Signature, mint string) (Anomaly, error) {
	return AnomalyKind.Find(ctx, tx, byMovement, Anomaly{Address: id, Signature: signature, Mint: mint})
}

// AnomaliesOf selects the anomalies of an address. They are few.
func AnomaliesOf(id wallets.AddressID) records.Query { return records.Where(records.Is("address", id)) }

// anomaliesBy selects what a transaction on the chain did, on whatever addresses.
func anomaliesBy(signature chain.Signature) records.Query {
	return records.Where(records.Is("signature", signature))
}
