package refunds

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/records"
)

// ByReference finds a refund by Scope and Reference.
var ByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ErrDuplicateReference}

// Kind is what a refund is as a row.
var Kind = records.Define(records.Kind[ID, Refund]{
	Name: "refunds",
	Columns: func(r *Refund) []records.Column {
		return append([]records.Column{
			records.ID(&r.ID), records.Owner(&r.Scope), records.Version(&r.Version),
			records.Text("transaction_id", &r.Transaction),
			records.Text("trx_id", &r.TrxID),
			records.Text("paid", &r.Paid),
			records.Text("reference", &r.Reference),
			records.Word("status", &r.Status, Lifecycle.States()...),
			records.Word("stage", &r.Stage, outflow.Stages()...),
			records.Word("mode", &r.Mode, Manual, AutoSender),
			records.Money("amount", &r.Amount),
			records.Money("platform_fee", &r.Fees.Platform),
			records.Money("processing_fee", &r.Fees.Processing),
			records.Text("reason", &r.Reason),
			records.Text("bank_code", &r.To.BankCode),
			records.Text("account_number", &r.To.AccountNumber),
			records.Text("account_name", &r.To.AccountName),
			records.Text("source", &r.Source),
			records.Text("transfer", &r.Transfer),
			records.Text("provider_reference", &r.ProviderReference),
			records.Text("provider_response", &r.ProviderResponse),
			records.Text("note", &r.Note),
			records.Time("scheduled_at", &r.ScheduledAt),
			records.Time("processed_at", &r.ProcessedAt),
			records.Time("finalized_at", &r.FinalizedAt),
			records.Time("returned_at", &r.ReturnedAt),
			records.CreatedAt(&r.CreatedAt),
		}, disburse.PayingColumns(&r.Progress)...)
	},
	Scope:  func(r *Refund) ferry.Scope { return r.Scope },
	Unique: []*records.Unique{ByReference},
	Fixed: []string{
		"transaction_id", "trx_id", "paid", "reference", "mode", "amount", "platform_fee", "processing_fee", "reason", "bank_code", "account_number",
		"account_name", "source", "scheduled_at",
	},
	Lists:   [][]string{{}, {"status"}, {"transaction_id"}},
	Groups:  []records.Group{{By: []string{"env"}, When: outflow.Waits}},
	Missing: ErrNotFound,
})
