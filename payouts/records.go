package payouts

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/records"
)

// ByReference finds a payout by Scope and Reference, and ItemByReference an item.
var (
	ByReference     = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ErrDuplicateReference}
	ItemByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ErrDuplicateReference}
)

// Kind is what a payout is as a row.
var Kind = records.Define(records.Kind[ID, Payout]{
	Name: "payouts",
	Columns: func(p *Payout) []records.Column {
		return []records.Column{
			records.ID(&p.ID), records.Owner(&p.Scope), records.Version(&p.Version),
			records.Text("reference", &p.Reference),
			records.Word("type", &p.Type, Single, Bulk),
			records.Text("source", &p.Source),
			records.Text("narration", &p.Narration),
			records.Word("status", &p.Status, Statuses()...),
			records.Word("stage", &p.Stage, outflow.Stages()...),
			records.Amount("total", &p.Total, money.AssetNGN),
			records.Amount("fee", &p.Fee, money.AssetNGN),
			records.Amount("reserved", &p.Reserved, money.AssetNGN),
			records.Int("slices", &p.Slices),
			records.Int("pending", &p.Counts.Pending),
			records.Int("processing", &p.Counts.Processing),
			records.Int("successful", &p.Counts.Successful),
			records.Int("failed", &p.Counts.Failed),
			records.Int("cancelled", &p.Counts.Cancelled),
			records.CreatedAt(&p.CreatedAt), records.Time("updated_at", &p.UpdatedAt),
		}
	},
	Scope:   func(p *Payout) ferry.Scope { return p.Scope },
	Unique:  []*records.Unique{ByReference},
	Fixed:   []string{"reference", "type", "source", "narration", "total", "fee"},
	Lists:   [][]string{{}, {"type"}, {"status"}, {"type", "status"}},
	Groups:  []records.Group{{By: []string{"env"}, When: outflow.Waits}},
	Missing: ErrNotFound,
})

// ItemKind is what an item is as a row.
var ItemKind = records.Define(records.Kind[ItemID, Item]{
	Name: "payout_items",
	Columns: func(i *Item) []records.Column {
		return append([]records.Column{
			records.ID(&i.ID), records.Owner(&i.Scope), records.Version(&i.Version),
			records.Text("payout", &i.Payout),
			records.Int("number", &i.Number),
			records.Text("reference", &i.Reference),
			records.Word("status", &i.Status, ItemLifecycle.States()...),
			records.Amount("amount", &i.Amount, money.AssetNGN),
			records.Amount("platform_fee", &i.Fees.Platform, money.AssetNGN),
			records.Amount("processing_fee", &i.Fees.Processing, money.AssetNGN),
			records.Text("bank_code", &i.To.BankCode),
			records.Text("account_number", &i.To.AccountNumber),
			records.Text("account_name", &i.To.AccountName),
			records.Text("source", &i.Source),
			records.Text("narration", &i.Narration),
			records.Text("bank_session", &i.SessionID),
			records.Text("failure", &i.Failure),
			records.Time("paid_at", &i.PaidAt),
			records.Time("returned_at", &i.ReturnedAt),
			records.CreatedAt(&i.CreatedAt),
		}, disburse.PayingColumns(&i.Progress)...)
	},
	Scope:  func(i *Item) ferry.Scope { return i.Scope },
	Unique: []*records.Unique{ItemByReference},
	Fixed: []string{
		"payout", "number", "reference", "amount", "platform_fee", "processing_fee", "bank_code", "account_number", "source", "narration",
	},
	Lists:   [][]string{{"payout"}, {"payout", "status"}},
	Groups:  []records.Group{{By: []string{"env", "business", "bank_session"}}},
	Missing: ErrNotFound,
})
