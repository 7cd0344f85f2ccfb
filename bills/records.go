package bills

import (
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/records"
)

// ByReference finds a bill by Scope and Reference.
var ByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ErrDuplicateReference}

// Kind is what a bill is as a row.
var Kind = records.Define(records.Kind[ID, Bill]{
	Name: "bills",
	Columns: func(b *Bill) []records.Column {
		return slices.Concat([]records.Column{
			records.ID(&b.ID), records.Owner(&b.Scope), records.Version(&b.Version),
			records.Text("reference", &b.Reference),
			records.Word("status", &b.Status, Lifecycle.States()...),
			records.Word("stage", &b.Stage, outflow.Stages()...),
			records.Text("paid_by", &b.PaidBy),
			records.Text("biller_ref", &b.BillerRef),
			records.Text("token", &b.Token),
			records.Text("units", &b.Units),
			records.Text("failure", &b.Failure),
			records.Time("delivered_at", &b.DeliveredAt),
			records.CreatedAt(&b.CreatedAt),
		}, b.Goods.Columns("amount", false), disburse.PayingColumns(&b.Progress))
	},
	Scope:   func(b *Bill) ferry.Scope { return b.Scope },
	Unique:  []*records.Unique{ByReference},
	Fixed:   append(GoodsFixed("amount"), "reference", "paid_by"),
	Lists:   [][]string{{}, {"status"}, {"service"}},
	Groups:  []records.Group{{By: []string{"env"}, When: outflow.Waits}},
	Search:  []string{"reference", "number"},
	Missing: ErrNotFound,
})
