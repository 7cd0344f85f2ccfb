package httpapi

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
)

type holderView struct {
	BankCode      string       `json:"bank_code" eg:"058"`
	AccountNumber string       `json:"account_number" eg:"0123456780"`
	AccountName   string       `json:"account_name" eg:"Ada Obi"`
	SessionID     optionalText `json:"session_id" doc:"The bank's own id of the enquiry" eg:"999001260302091500000000000001"`
	Status        string       `json:"status" enum:"verified" eg:"verified"`
}

// payoutRowView is a payout without its items.
type payoutRowView struct {
	ID              payouts.ID     `json:"id" eg:"pout_019cadd46e0878ec834189614d3d15ce"`
	UID             string         `json:"uid" doc:"The legacy form of id" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	Reference       string         `json:"reference" eg:"salaries-march"`
	Status          payouts.Status `json:"status" enum:"pending,processing,successful,partially_successful,failed,cancelled" eg:"pending"`
	Type            payouts.Type   `json:"type" enum:"single,bulk" eg:"bulk"`
	Currency        string         `json:"currency" enum:"NGN" eg:"NGN"`
	Source          string         `json:"source_account_number" eg:"9000000001"`
	Narration       string         `json:"narration" eg:"Salary"`
	Stage           outflow.Stage  `json:"stage,omitempty" doc:"What it waits for before the bank is asked; left out when that is nothing" enum:"pending_approval" eg:"-"`
	TotalAmount     number         `json:"total_amount" doc:"Naira, like all amounts here" eg:"250000"`
	TotalFee        number         `json:"total_fee" eg:"0"`
	ReservedAmount  number         `json:"reserved_amount" doc:"Set aside for items that are not final, with their fees" eg:"250000"`
	AmountUnit      string         `json:"amount_unit" enum:"major" eg:"major"`
	ItemCount       int            `json:"item_count" eg:"1"`
	SuccessCount    int            `json:"success_count" eg:"0"`
	FailedCount     int            `json:"failed_count" eg:"0"`
	ProcessingCount int            `json:"processing_count" eg:"0"`
	PendingCount    int            `json:"pending_count" eg:"1"`
	CancelledCount  int            `json:"cancelled_count" eg:"0"`
	CreatedAt       timestamp      `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt       timestamp      `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

// payoutView is a payout with its items.
type payoutView struct {
	payoutRowView
	Items []payoutItemView `json:"items"`
}

type payoutItemView struct {
	ID          payouts.ItemID     `json:"id" eg:"pitem_019cadd46e0878ec834189614d3d15cf"`
	UID         string             `json:"uid" doc:"The legacy form of id" eg:"uid_019cadd46e0878ec834189614d3d15cf"`
	Reference   string             `json:"reference" eg:"ada-march"`
	Status      payouts.ItemStatus `json:"status" enum:"pending,processing,successful,failed,cancelled" eg:"pending"`
	Amount      number             `json:"amount" eg:"250000"`
	Fee         number             `json:"fee" eg:"0"`
	Beneficiary beneficiaryView    `json:"beneficiary"`
	SessionID   optionalText       `json:"session_id" doc:"The bank's own id of the payment; null until it is paid" eg:"null"`
	LastError   optionalText       `json:"last_error" doc:"Why it failed, or why the money came back" eg:"null"`
	PaidAt      optionalTime       `json:"paid_at" eg:"null"`
	ReturnedAt  optionalTime       `json:"returned_at" doc:"When the money came back after success" eg:"null"`
	CreatedAt   timestamp          `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt   timestamp          `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

type beneficiaryView struct {
	BankCode      string       `json:"bank_code" eg:"058"`
	AccountNumber string       `json:"account_number" eg:"0123456780"`
	AccountName   optionalText `json:"account_name" doc:"Null until the bank has told it" eg:"Ada Obi"`
}

// payoutSummaryBeside stands beside the data of a reconciliation.
type payoutSummaryBeside struct {
	Summary payoutSummaryView `json:"summary"`
}

type payoutSummaryView struct {
	Reference       string                 `json:"reference" eg:"salaries-march"`
	Status          payouts.Status         `json:"status" enum:"pending,processing,successful,partially_successful,failed,cancelled" eg:"processing"`
	Type            payouts.Type           `json:"type" enum:"single,bulk" eg:"bulk"`
	ItemCount       int                    `json:"item_count" eg:"1"`
	SuccessCount    int                    `json:"success_count" eg:"0"`
	FailedCount     int                    `json:"failed_count" eg:"0"`
	ProcessingCount int                    `json:"processing_count" eg:"1"`
	PendingCount    int                    `json:"pending_count" eg:"0"`
	CancelledCount  int                    `json:"cancelled_count" eg:"0"`
	TotalAmount     number                 `json:"total_amount" eg:"250000"`
	TotalFee        number                 `json:"total_fee" eg:"0"`
	ReservedAmount  number                 `json:"reserved_amount" eg:"250000"`
	AmountUnit      string                 `json:"amount_unit" enum:"major" eg:"major"`
	Refreshed       *bool                  `json:"refreshed" doc:"With refresh: whether the bank has answered about every item in progress; else null" eg:"null"`
	Items           []reconciledPayoutView `json:"items"`
}

// reconciledPayoutView is an item with what is known of its payment at the bank.
type reconciledPayoutView struct {
	payoutItemView
	ProviderReference payouts.ItemID `json:"provider_reference" doc:"By what the bank knows the payment; it never changes" eg:"pitem_019cadd46e0878ec834189614d3d15cf"`
	ProviderSessionID optionalText   `json:"provider_session_id" doc:"As session_id" eg:"null"`
	ProviderAnswer    optionalText   `json:"provider_answer" doc:"The last answer of the bank while it had not paid: unavailable, in_progress, not_as_paid, unknown_key or declined" eg:"in_progress"`
	Attempts          int            `json:"attempts" doc:"How often that answer came in a row" eg:"1"`
	Submissions       int            `json:"submissions" doc:"How often the bank was asked to pay, always under the provider_reference" eg:"1"`
}

func viewPayout(p payouts.Details) payoutView {
	view := payoutView{viewPayoutRow(p.Payout), make([]payoutItemView, 0, len(p.Items))}
	for _, i := range p.Items {
		view.Items = append(view.Items, viewPayoutItem(i))
	}
	return view
}

func viewPayoutRow(p payouts.Payout) payoutRowView {
	return payoutRowView{
		ID: p.ID, UID: ferry.UID(string(p.ID)), Reference: p.Reference, Status: p.Status, Type: p.Type,
		Currency: p.Total.Asset().String(), Source: p.Source, Narration: p.Narration, Stage: p.Stage,
		TotalAmount: number(p.Total), TotalFee: number(p.Fee), ReservedAmount: number(p.Reserved), AmountUnit: "major",
		ItemCount: p.Counts.Total(), SuccessCount: p.Counts.Successful, FailedCount: p.Counts.Failed,
		ProcessingCount: p.Counts.Processing, PendingCount: p.Counts.Pending, CancelledCount: p.Counts.Cancelled,
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
	}
}

func viewPayoutItem(i payouts.Item) payoutItemView {
	fee, _ := i.Fees.Total() // they were added up when the item was made
	return payoutItemView{
		ID: i.ID, UID: ferry.UID(string(i.ID)), Reference: i.Reference, Status: i.Status, Amount: number(i.Amount), Fee: number(fee),
		Beneficiary: beneficiaryView{i.To.BankCode, i.To.AccountNumber, optionalText(i.To.AccountName)},
		SessionID:   optionalText(i.SessionID), LastError: optionalText(i.Failure),
		PaidAt: optionalTime(i.PaidAt), ReturnedAt: optionalTime(i.ReturnedAt),
		CreatedAt: timestamp(i.CreatedAt), UpdatedAt: timestamp(i.UpdatedAt),
	}
}

// summaryOf is what a reconciliation says of a payout. Refreshed is nil unless the bank was
// asked for it.
func summaryOf(p payouts.Details, refreshed *bool) payoutSummaryView {
	summary := payoutSummaryView{
		Reference: p.Reference, Status: p.Status, Type: p.Type,
		ItemCount: p.Counts.Total(), SuccessCount: p.Counts.Successful, FailedCount: p.Counts.Failed,
		ProcessingCount: p.Counts.Processing, PendingCount: p.Counts.Pending, CancelledCount: p.Counts.Cancelled,
		TotalAmount: number(p.Total), TotalFee: number(p.Payout.Fee), ReservedAmount: number(p.Reserved), AmountUnit: "major",
		Refreshed: refreshed, Items: make([]reconciledPayoutView, 0, len(p.Items)),
	}
	for _, i := range p.Items {
		summary.Items = append(summary.Items, reconciledPayoutView{
			payoutItemView: viewPayoutItem(i), ProviderReference: i.ID, ProviderSessionID: optionalText(i.SessionID),
			ProviderAnswer: optionalText(i.Answer), Attempts: i.Attempts, Submissions: i.Submissions,
		})
	}
	return summary
}
