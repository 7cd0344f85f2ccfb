package transfers

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/records"
)

// ByReference finds a transfer by Scope and Reference.
var ByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ErrDuplicateReference}

// Kind is what a transfer is as a row.
var Kind = records.Define(records.Kind[ID, Transfer]{
	Name: "fiat_transfers",
	Columns: func(t *Transfer) []records.Column {
		return append([]records.Column{
			records.ID(&t.ID), records.Owner(&t.Scope), records.Version(&t.Version),
			records.Text("reference", &t.Reference),
			records.Word("status", &t.Status, Lifecycle.States()...),
			records.Word("stage", &t.Stage, outflow.Stages()...),
			records.Amount("amount", &t.Amount, money.AssetNGN),
			records.Amount("platform_fee", &t.Fees.Platform, money.AssetNGN),
			records.Amount("processing_fee", &t.Fees.Processing, money.AssetNGN),
			records.Word("channel", &t.Channel, FromAccount, FromWallet),
			records.Text("source", &t.Source),
			records.Text("source_number", &t.SourceNumber),
			records.Text("bank_code", &t.To.BankCode),
			records.Text("account_number", &t.To.AccountNumber),
			records.Text("account_name", &t.To.AccountName),
			records.Text("narration", &t.Narration),
			records.Amount("balance_before", &t.BalanceBefore, money.AssetNGN),
			records.Amount("balance_after", &t.BalanceAfter, money.AssetNGN),
			records.Text("bank_session", &t.SessionID),
			records.Text("failure", &t.Failure),
			records.Time("paid_at", &t.PaidAt),
			records.Time("returned_at", &t.ReturnedAt),
			records.CreatedAt(&t.CreatedAt),
		}, disburse.PayingColumns(&t.Progress)...)
	},
	Scope:  func(t *Transfer) ferry.Scope { return t.Scope },
	Unique: []*records.Unique{ByReference},
	Fixed: []string{
		"reference", "amount", "platform_fee", "processing_fee", "channel", "source", "source_number", "bank_code", "account_number",
		"narration", "balance_before", "balance_after",
	},
	Lists:   [][]string{{}, {"status"}},
	Groups:  []records.Group{{By: []string{"env"}, When: outflow.Waits}},
	Missing: ErrNotFound,
})
