package httpapi

import (
	"cmp"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/wallets"
)

// cryptoBillRowView is a bill that USDC pays, without its deposits.
type cryptoBillRowView struct {
	ID               offramp.ID     `json:"id" eg:"ofr_019cadd46e0878ec834189614d3d15ce"`
	UID              string         `json:"uid" doc:"The legacy form of id" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	Reference        string         `json:"reference" eg:"power-march"`
	Status           ramp.Status    `json:"status" enum:"pending,processing,successful,failed" eg:"pending"`
	Stage            ramp.Stage     `json:"stage" enum:"awaiting_deposit,funds_received,payment_submitted,purchase_refused,done,expired,refunded" eg:"awaiting_deposit"`
	Service          biller.Service `json:"service" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Provider         string         `json:"provider" eg:"ikeja-electric"`
	Product          string         `json:"product" eg:"ikeja-electric-prepaid"`
	ProductName      string         `json:"product_name" eg:"Ikeja Electric prepaid"`
	VendType         optionalText   `json:"vend_type" doc:"Of electricity: PREPAID or POSTPAID" eg:"PREPAID"`
	Number           string         `json:"number" doc:"A phone in its national form" eg:"45012345670"`
	CustomerName     optionalText   `json:"customer_name" doc:"Whom the number belongs to, as far as the biller told" eg:"Ada Obi"`
	Phone            optionalText   `json:"phone" eg:"08031234567"`
	Amount           number         `json:"amount" doc:"Naira of the bill" eg:"15000"`
	Fee              number         `json:"fee" doc:"Naira; the USDC pays it too" eg:"0"`
	Currency         string         `json:"currency" enum:"NGN" eg:"NGN"`
	AmountUnit       string         `json:"amount_unit" enum:"major" eg:"major"`
	AmountStablecoin number         `json:"amount_stablecoin" doc:"USDC to be sent, at the rate of the quote" eg:"10"`
	AmountReceived   number         `json:"amount_received" doc:"USDC that came and counts" eg:"0"`
	AmountDue        number         `json:"amount_due" doc:"USDC that is still asked for" eg:"10"`
	Rate             json.Number    `json:"rate" doc:"Naira for one USDC, with the spread in it" eg:"1500"`
	RateExpiresAt    timestamp      `json:"rate_expires_at" doc:"USDC of later blocks counts at the rate of its moment" eg:"2026-03-02T09:30:00.120Z"`
	QuoteID          ramp.QuoteID   `json:"quote_id" eg:"qte_019cadd46e0878ec834189614d3d15ce"`
	Network          string         `json:"network" enum:"solana" eg:"solana"`
	Chain            string         `json:"chain" enum:"SOLANA" eg:"SOLANA"`
	Asset            string         `json:"asset" enum:"USDC" eg:"USDC"`
	DepositAddress   optionalText   `json:"deposit_address" doc:"Null when it is not that of its key" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	BillUID          optionalText   `json:"bill_uid" doc:"The newest attempt to buy: a bill of the history, by whose id the biller knows it; null until all USDC is there" eg:"null"`
	Attempts         int            `json:"attempts" doc:"How often it was tried to buy" eg:"0"`
	BillerReference  optionalText   `json:"biller_reference" doc:"The biller's own id; null until it is delivered" eg:"null"`
	Token            optionalText   `json:"token" doc:"What is typed into a prepaid meter; null until it is delivered" eg:"null"`
	Units            optionalText   `json:"units" doc:"What the token is worth" eg:"null"`
	LastError        optionalText   `json:"last_error" doc:"Why it failed, or was refused" eg:"null"`
	ExpiresAt        timestamp      `json:"expires_at" doc:"USDC of later blocks goes back" eg:"2026-03-02T09:30:00.120Z"`
	RetryUntil       optionalTime   `json:"retry_until" doc:"Until when the USDC of a refused bill is held for a retry; null before the first refusal" eg:"null"`
	FundedAt         optionalTime   `json:"funded_at" doc:"When all USDC was there" eg:"null"`
	DeliveredAt      optionalTime   `json:"delivered_at" eg:"null"`
	CreatedAt        timestamp      `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt        timestamp      `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewCryptoBillRow(o offramp.Order) cryptoBillRowView {
	fee, _ := o.Fees.Total() // it was added up when the order was made
	return cryptoBillRowView{
		ID: o.ID, UID: ferry.UID(string(o.ID)), Reference: o.Reference, Status: o.Status, Stage: o.Stage,
		Service: o.Service, Provider: o.Provider, Product: o.Product, ProductName: o.ProductName, VendType: optionalText(o.VendType),
		Number: o.Number, CustomerName: optionalText(o.Customer), Phone: optionalText(o.Phone),
		Amount: number(o.Goods.Amount), Fee: number(fee), Currency: "NGN", AmountUnit: "major",
		AmountStablecoin: number(o.Crypto), AmountReceived: number(o.Received), AmountDue: number(o.Due()),
		Rate: json.Number(cmp.Or(o.Rate, "0")), RateExpiresAt: timestamp(o.RateUntil), QuoteID: o.Quote,
		Network: wallets.Network, Chain: rampChain, Asset: wallets.Asset.String(), DepositAddress: optionalText(o.Deposit),
		BillUID: optionalText(o.Bill), Attempts: o.Tries, BillerReference: optionalText(o.SessionID),
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
