package statement

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// ByTrxID and ByReference find a transaction: by Scope, TrxID and Public, or by Scope and
// Reference.
var (
	ByTrxID     = &records.Unique{Columns: []string{"env", "business", "trx_id"}, Taken: ErrDuplicateTrxID}
	ByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ErrDuplicateTrxID}
)

// Kind is what a transaction is as a row.
var Kind = records.Define(records.Kind[ID, Transaction]{
	Name: "transactions",
	Columns: func(t *Transaction) []records.Column {
		return []records.Column{
			records.ID(&t.ID), records.Owner(&t.Scope), records.Version(&t.Version),
			records.Marked("trx_id", &t.TrxID, &t.Public, PublicMark),
			records.Text("reference", &t.Reference),
			records.Word("direction", &t.Direction, In, Out),
			records.Text("channel", &t.Channel),
			records.Text("status", &t.Status),
			records.Optional("source", &t.Source),
			records.Text("sender_bank", &t.Sender.BankCode),
			records.Text("sender_account", &t.Sender.AccountNumber),
			records.Text("sender_name", &t.Sender.AccountName),
			records.Text("sender_address", &t.Sender.Address),
			records.CreatedAt(&t.CreatedAt), records.Time("updated_at", &t.UpdatedAt),
			records.Money("amount", &t.Amount),
			records.Money("fee", &t.Fee),
			records.Money("price", &t.Order),
			records.Int("refunding", &t.Refunds.Open),
			records.Int("refunded", &t.Refunds.Done),
		}
	},
	Scope:   func(t *Transaction) ferry.Scope { return t.Scope },
	Unique:  []*records.Unique{ByTrxID, ByReference},
	Fixed:   []string{"trx_id", "reference", "source"},
	Lists:   [][]string{{}, {"source"}},
	Search:  []string{"trx_id", "reference", "sender_account", "sender_name"},
	Missing: ErrNotFound,
})

// TransactionNamed is a transaction as ByTrxID finds it.
func TransactionNamed(scope ferry.Scope, n Name) Transaction {
	return Transaction{Scope: scope, TrxID: n.TrxID, Public: n.Public}
}

// Query selects the transactions that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(
		records.Is("source", f.Source), records.Is("direction", f.Direction), records.Is("status", f.Status),
		records.Is("channel", f.Channel), records.IsAsset("amount_asset", f.Asset),
	).During(f.Range).Searching(f.Search)
}
