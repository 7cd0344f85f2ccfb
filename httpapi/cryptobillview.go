package httpapi

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
)

// cryptoBillRowView is a bill that USDC pays, without its deposits.
type cryptoBillRowView struct {
	ID        offramp.ID  `json:"id" eg:"ofr_019cadd46e0878ec834189614d3d15ce"`
	UID       string      `json:"uid" doc:"The legacy form of id" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	Reference string      `json:"reference" eg:"power-march"`
	Status    ramp.Status `json:"status" enum:"pending,processing,successful,failed" eg:"pending"`
	Stage     ramp.Stage  `json:"stage" enum:"awaiting_deposit,funds_received,payment_submitted,purchase_refused,done,expired,refunded" eg:"awaiting_deposit"`
	goodsView
	Amount     number `json:"amount" doc:"Naira of the bill" eg:"15000"`
	Fee        number `json:"fee" doc:"Naira; the USDC pays it too" eg:"0"`
	Currency   string `json:"currency" enum:"NGN" eg:"NGN"`
	AmountUnit string `json:"amount_unit" enum:"major" eg:"major"`
	askedView
	BillUID         optionalText `json:"bill_uid" doc:"The newest attempt to buy: a bill of the history, by whose id the biller knows it; null until all USDC is there" eg:"null"`
	Attempts        int          `json:"attempts" doc:"How often it was tried to buy" eg:"0"`
	BillerReference optionalText `json:"biller_reference" doc:"The biller's own id; null until it is delivered" eg:"null"`
	Token           optionalText `json:"token" doc:"What is typed into a prepaid meter; null until it is delivered" eg:"null"`
	Units           optionalText `json:"units" doc:"What the token is worth" eg:"null"`
	LastError       optionalText `json:"last_error" doc:"Why it failed, or was refused" eg:"null"`
	ExpiresAt       timestamp    `json:"expires_at" doc:"USDC of later blocks goes back" eg:"2026-03-02T09:30:00.120Z"`
	RetryUntil      optionalTime `json:"retry_until" doc:"Until when the USDC of a refused bill is held for a retry; null before the first refusal" eg:"null"`
	FundedAt        optionalTime `json:"funded_at" doc:"When all USDC was there" eg:"null"`
	DeliveredAt     optionalTime `json:"delivered_at" eg:"null"`
	CreatedAt       timestamp    `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt       timestamp    `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewCryptoBillRow(o offramp.Order) cryptoBillRowView {
	fee, _ := o.Fees.Total() // it was added up when the order was made
	return cryptoBillRowView{
		ID: o.ID, UID: ferry.UID(string(o.ID)), Reference: o.Reference, Status: o.Status, Stage: o.Stage,
		goodsView: viewGoods(o.Goods), Amount: number(o.Goods.Amount), Fee: number(fee), Currency: "NGN", AmountUnit: "major",
		askedView: viewAsked(o),
		BillUID:   optionalText(o.Bill), Attempts: o.Tries, BillerReference: optionalText(o.SessionID),
		Token: optionalText(o.Token), Units: optionalText(o.Units), LastError: optionalText(o.Failure),
		ExpiresAt: timestamp(o.ExpiresAt), RetryUntil: optionalTime(o.RetryUntil),
		FundedAt: optionalTime(o.FundedAt), DeliveredAt: optionalTime(o.PaidAt),
		CreatedAt: timestamp(o.CreatedAt), UpdatedAt: timestamp(o.UpdatedAt),
	}
}

// cryptoBillView is a bill that USDC pays, with its deposits, the oldest first.
type cryptoBillView struct {
	cryptoBillRowView
	Deposits []offrampDepositView `json:"deposits"`
}

func viewCryptoBill(d offramp.Details) cryptoBillView {
	return cryptoBillView{viewCryptoBillRow(d.Order), viewDeposits(d.Deposits)}
}
