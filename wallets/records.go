package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// byReference finds a wallet by Scope and Reference.
var byReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ErrDuplicateReference}

// WalletKind is what a wallet is as a row.
var WalletKind = records.Define(records.Kind[ID, Wallet]{
	Name: "wallets",
	Columns: func(w *Wallet) []records.Column {
		return []records.Column{
			records.ID(&w.ID), records.Owner(&w.Scope), records.Version(&w.Version),
			records.Text("reference", &w.Reference),
			records.Text("label", &w.Label),
			records.Word("status", &w.Status, Lifecycle.States()...),
			records.Word("suspended_by", &w.SuspendedBy, ByNobody, ByBusiness, ByAlarm, ByBoth),
			records.Text("primary_id", &w.Primary),
			records.Text("primary_address", &w.PrimaryAddress),
			records.Optional("customer", &w.CustomerID),
			records.Document("metadata", &w.Metadata),
			records.CreatedAt(&w.CreatedAt), records.Time("updated_at", &w.UpdatedAt),
		}
	},
	Scope:   func(w *Wallet) ferry.Scope { return w.Scope },
	Unique:  []*records.Unique{byReference},
	Fixed:   []string{"reference", "customer"},
	Lists:   [][]string{{}, {"status"}, {"customer"}, {"status", "customer"}},
	Search:  []string{"reference", "label"},
	Missing: ErrWalletNotFound,
})

// ByReference returns the wallet of a reference, or ErrWalletNotFound.
func ByReference(ctx context.Context, tx records.Tx, scope ferry.Scope, reference string) (Wallet, error) {
	return WalletKind.Find(ctx, tx, byReference, Wallet{Scope: scope, Reference: reference})
}

// Query selects the wallets that the filter keeps.
func (f WalletFilter) Query() records.Query {
	return records.Where(records.Is("status", f.Status), records.Is("customer", f.CustomerID)).
		During(f.Range).Searching(f.Search)
}
