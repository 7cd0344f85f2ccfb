package bills

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/records"
)

// ByReference finds a bill by Scope and Reference.
var ByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ErrDuplicateReference}

// Kind is what a bill is as a row.
var Kind = records.Define(records.Kind[ID, Bill]{
	Name: "bills",
	Columns: func(b *Bill) []records.Column {
		return append([]records.Column{
			records.ID(&b.ID), records.Owner(&b.Scope), records.Version(&b.Version),
			records.Text("reference", &b.Reference),
			records.Word("status", &b.Status, Lifecycle.States()...),
			records.Word("stage", &b.Stage, outflow.Stages()...),
			records.Word("service", &b.Service, biller.Services()...),
			records.Text("provider", &b.Provider),
			records.Text("product", &b.Product),
			records.Text("product_name", &b.ProductName),
			records.Text("vend_type", &b.VendType),
			records.Text("number", &b.Number),
			records.Text("customer", &b.Customer),
			records.Text("phone", &b.Phone),
			records.Amount("amount", &b.Amount, money.AssetNGN),
			records.Amount("platform_fee", &b.Fees.Platform, money.AssetNGN),
			records.Amount("processing_fee", &b.Fees.Processing, money.AssetNGN),
			records.Text("biller_ref", &b.BillerRef),
			records.Text("token", &b.Token),
			records.Text("units", &b.Units),
			records.Text("failure", &b.Failure),
			records.Time("delivered_at", &b.DeliveredAt),
			records.CreatedAt(&b.CreatedAt),
		}, disburse.PayingColumns(&b.Progress)...)
	},
	Scope:  func(b Bill) ferry.Scope { return b.Scope },
	Unique: []*records.Unique{ByReference},
	Fixed: []string{
		"reference", "service", "provider", "product", "product_name", "vend_type", "number", "customer", "phone", "amount",
		"platform_fee", "processing_fee",
	},
	Lists:   [][]string{{}, {"status"}, {"service"}},
	Groups:  []records.Group{{By: []string{"env"}, When: outflow.Waits}},
	Missing: ErrNotFound,
})
