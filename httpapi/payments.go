package httpapi

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

const (
	tagPayments = "Payments"
	tagAll      = "All transactions"
)

func (a *api) paymentRoutes() []route {
	return []route{
		get("/v1/payments", query(a.payment), about{
			id: "getPayment", tag: tagPayments, summary: "Verify a payment by trx_id or id", message: "Payment retrieved successfully",
		}),
		post("/v1/payments/resolve", prepared(a.prepareResolve, a.resolve), about{
			id: "resolvePayment", tag: tagPayments,
			summary: "Decide what becomes of money that is held", message: "Payment resolved",
		}),
		get("/v1/transactions", query(a.allTransactions), about{
			id: "getAllTransactions", tag: tagAll,
			summary: "List all money in and out, or read one", message: "Transactions retrieved successfully",
		}),
	}
}

type paymentQuery struct {
	ID        string `query:"id" doc:"The trx_id"`
	PaymentID string `query:"payment_id" doc:"pay_…"`
}

func (in *paymentQuery) check(p *ferry.Problems) {
	if in.ID == "" && in.PaymentID == "" {
		p.Add("id", missing)
	}
}

func (a *api) payment(ctx context.Context, c *call, in paymentQuery) (paymentView, error) {
	found, err := a.engine.Payments.Get(ctx, c.scope, payments.Ref{Reference: in.ID, ID: in.PaymentID})
	if err != nil {
		return paymentView{}, err
	}
	return a.viewPayment(found)
}

type resolveInput struct {
	ID        string `json:"id" doc:"pay_…; this or reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Reference string `json:"reference" doc:"The trx_id"`
	Action    string `json:"action" required:"true" doc:"accept gives it to the business, refund sends it back" enum:"accept,refund" eg:"accept"`
}

func (in *resolveInput) check(p *ferry.Problems) {
	if in.ID == "" && in.Reference == "" {
		p.Add("id", "Give an id or a reference")
	}
	mustHave(p, "action", in.Action)
}

func (a *api) prepareResolve(ctx context.Context, c *call) (checkout.Resolution, error) {
	in, form, err := decode[resolveInput](c)
	if err != nil || form != nil {
		return checkout.Resolution{}, err
	}
	ref := payments.Ref{ID: in.ID, Reference: in.Reference}
	return a.engine.Checkout.PrepareResolve(ctx, c.scope, ref, checkout.Action(in.Action))
}

func (a *api) resolve(ctx context.Context, tx store.Tx, _ *call, _ resolveInput, made checkout.Resolution) (paymentView, error) {
	p, err := a.engine.Checkout.ResolveIn(ctx, tx, made)
	if err != nil {
		return paymentView{}, err
	}
	return a.viewPayment(p)
}

type allTransactionsQuery struct {
	ID        string `query:"id" doc:"Reads one: trx_…, in either form"`
	UID       string `query:"uid" doc:"As id"`
	TrxID     string `query:"trx_id" doc:"Reads one"`
	Reference string `query:"reference" doc:"Reads one: pay_…, the bank's session, or that of what was accepted"`
	Type      string `query:"type" enum:"IN,OUT"`
	Status    string `query:"status" enum:"success,returned,reversed"`
	Channel   string `query:"channel" enum:"checkout,payment_link,api,virtual_account,reserved_account"`
	Currency  string `query:"currency" doc:"NGN or USDC"`
	Search    string `query:"search" doc:"Part of the trx_id, the reference, or the sender's account number or name"`
	rangeQuery
	pageQuery
}

type allTransactionsOutput = either[moneyView, moneyView]

func (a *api) allTransactions(ctx context.Context, c *call, in allTransactionsQuery) (allTransactionsOutput, error) {
	if in.ID != "" || in.UID != "" || in.TrxID != "" || in.Reference != "" {
		ref := payments.TransactionRef{TrxID: in.TrxID, Reference: in.Reference}
		if in.ID != "" || in.UID != "" {
			id, ok := sameID(payments.TransactionPrefix, in.ID, in.UID)
			if !ok {
				return allTransactionsOutput{}, payments.ErrTransactionNotFound
			}
			ref.ID = id
		}
		found, err := a.engine.Payments.Transaction(ctx, c.scope, ref)
		return one[moneyView, moneyView](viewMoney(found)), err
	}
	asset, err := assetOf(in.Currency)
	if err != nil {
		return allTransactionsOutput{}, err
	}
	found, err := a.engine.Payments.Transactions(ctx, c.scope, payments.TransactionFilter{
		Direction: payments.Direction(in.Type), Status: payments.TransactionStatus(in.Status),
		Channel: in.Channel, Asset: asset, Search: in.Search, Range: in.between(),
	}, in.page())
	return allTransactionsOutput{list: paged(in.page(), found, viewMoney)}, err
}

type paymentView struct {
	ID               payments.ID          `json:"id" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Reference        string               `json:"reference" doc:"The trx_id" eg:"order-981"`
	Status           payments.Status      `json:"status" enum:"pending,success,failed,cancelled,expired,reversed" eg:"success"`
	Amount           price                `json:"amount" doc:"What the payer pays: kobo for NGN, full units for USDC" eg:"1500000"`
	Currency         string               `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	PaymentMethod    optionalText         `json:"payment_method" doc:"Null while nobody tried" enum:"card,bank_transfer,usdc,wallet" eg:"bank_transfer"`
	Channel          payments.Channel     `json:"channel" enum:"checkout,payment_link,api" eg:"checkout"`
	Customer         payerView            `json:"customer"`
	Meta             metadata             `json:"meta" eg:"{\"cart\": 9}"`
	Fields           map[string]string    `json:"fields" doc:"What the link asked for, by label" eg:"{}"`
	Fees             paymentFeesView      `json:"fees"`
	NetAmount        price                `json:"net_amount" doc:"amount minus total_fees" eg:"1500000"`
	PaymentLinkID    optionalText         `json:"payment_link_id" eg:"null"`
	SessionID        optionalText         `json:"session_id" eg:"sess_019cadd46e0878ec834189614d3d15ce"`
	AmountExpected   price                `json:"amount_expected" doc:"In payment_currency" eg:"1500000"`
	AmountReceived   price                `json:"amount_received" doc:"In payment_currency" eg:"1500000"`
	PaymentCurrency  string               `json:"payment_currency" doc:"What is paid in" enum:"NGN,USDC" eg:"NGN"`
	Exceptions       []payments.Exception `json:"exceptions" doc:"A set out of underpaid, overpaid, late, duplicate, wrong_asset" eg:"[]"`
	Settlement       settlementView       `json:"settlement"`
	RefundStatus     string               `json:"refund_status" enum:"none" eg:"none"`
	RefundedAmount   price                `json:"refunded_amount" eg:"0"`
	RefundableAmount price                `json:"refundable_amount" eg:"1500000"`
	FailureReason    optionalText         `json:"failure_reason" eg:"null"`
	PaidAt           optionalTime         `json:"paid_at" eg:"2026-03-02T09:15:09.120Z"`
	CreatedAt        timestamp            `json:"created_at" eg:"2026-03-02T09:15:06.120Z"`
	UpdatedAt        timestamp            `json:"updated_at" eg:"2026-03-02T09:15:09.120Z"`
}

type payerView struct {
	ID    optionalText `json:"id" eg:"null"`
	Email optionalText `json:"email" eg:"ada@example.com"`
	Phone optionalText `json:"phone" eg:"08012345678"`
	Name  optionalText `json:"name" eg:"Ada Obi"`
}

// DefaultPlatformFee is what the platform's fee is called among the fees of a
// payment, as in the specification.
const DefaultPlatformFee = "tsara_fee"

// paymentFeesView is the fees of a payment, the platform's under the name that the
// operator gave it.
type paymentFeesView struct {
	Platform   price `json:"tsara_fee" eg:"0"`
	Processing price `json:"processing_fee" eg:"0"`
	Total      price `json:"total_fees" eg:"0"`
	name       string
}

// MarshalJSON writes the fees in the order of the specification.
func (v paymentFeesView) MarshalJSON() ([]byte, error) {
	type plain paymentFeesView // without this method
	body, err := json.Marshal(plain(v))
	return bytes.Replace(body, quoted(DefaultPlatformFee), quoted(v.name), 1), err
}

// quoted is a name of a member as JSON has it.
func quoted(name string) []byte { return []byte(`"` + name + `"`) }

// settlementView is what the business was credited.
type settlementView struct {
	Amount   price  `json:"amount" eg:"1500000"`
	Currency string `json:"currency" enum:"NGN,USDC" eg:"NGN"`
}

func (a *api) viewPayment(p payments.Payment) (paymentView, error) {
	total, err := p.Fees.Total()
	if err != nil {
		return paymentView{}, err
	}
	net, err := p.Net()
	nothing := money.Of(p.Amount.Asset(), 0)
	view := paymentView{
		ID: p.ID, Reference: p.Reference, Status: p.Status, Amount: price(p.Amount), Currency: p.Amount.Asset().String(),
		PaymentMethod: optionalText(p.Method), Channel: p.Channel,
		Customer: payerView{
			optionalText(p.Customer.ID), optionalText(p.Customer.Email), optionalText(p.Customer.Phone), optionalText(p.Customer.Name),
		},
		Meta: metadata(p.Metadata), Fields: map[string]string{},
		Fees:      paymentFeesView{price(p.Fees.Platform), price(p.Fees.Processing), price(total), a.config.PlatformFee},
		NetAmount: price(net), PaymentLinkID: optionalText(p.Link), SessionID: optionalText(p.Session),
		AmountExpected: price(p.Expected), AmountReceived: price(p.Received), PaymentCurrency: p.Expected.Asset().String(),
		Exceptions: append([]payments.Exception{}, p.Exceptions...),
		Settlement: settlementView{price(p.Settled), p.Settled.Asset().String()}, RefundStatus: "none", RefundedAmount: price(nothing), RefundableAmount: price(nothing),
		FailureReason: optionalText(p.Failure), PaidAt: optionalTime(p.PaidAt),
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
	}
	for label, answer := range p.Collected {
		view.Fields[label] = answer
	}
	if p.Status == payments.Success {
		view.RefundableAmount = view.Amount
	}
	return view, err
}

// moneyView is a line of all money in and out.
type moneyView struct {
	ID             payments.TransactionID     `json:"id" eg:"trx_019cadd46e0878ec834189614d3d15ce"`
	UID            string                     `json:"uid" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	TrxID          string                     `json:"trx_id" eg:"order-981"`
	Reference      string                     `json:"reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Type           payments.Direction         `json:"type" enum:"IN,OUT" eg:"IN"`
	Channel        string                     `json:"channel" enum:"checkout,payment_link,api,virtual_account,reserved_account" eg:"checkout"`
	Status         payments.TransactionStatus `json:"status" enum:"success,returned,reversed" eg:"success"`
	Amount         number                     `json:"amount" doc:"In full units" eg:"15000"`
	Fee            number                     `json:"fee" eg:"0"`
	NetAmount      number                     `json:"net_amount" eg:"15000"`
	Currency       string                     `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	AmountUnit     string                     `json:"amount_unit" enum:"major" eg:"major"`
	RefundStatus   string                     `json:"refund_status" enum:"none" eg:"none"`
	RefundedAmount number                     `json:"refunded_amount" eg:"0"`
	Sender         *senderView                `json:"sender" doc:"The bank account that it came from, but for payments"`
	CreatedAt      timestamp                  `json:"created_at" eg:"2026-03-02T09:15:06.120Z"`
	UpdatedAt      timestamp                  `json:"updated_at" eg:"2026-03-02T09:15:06.120Z"`
}

type senderView struct {
	BankCode      string `json:"bank_code" eg:"058"`
	AccountNumber string `json:"account_number" eg:"0123456789"`
	AccountName   string `json:"account_name" eg:"Bola Ade"`
}

func viewMoney(t payments.Transaction) moneyView {
	view := moneyView{
		ID: t.ID, UID: ferry.UID(string(t.ID)), TrxID: t.TrxID, Reference: t.Reference, Type: t.Direction,
		Channel: t.Channel, Status: t.Status, Amount: number(t.Amount), Fee: number(t.Fee),
		NetAmount: number(money.Of(t.Amount.Asset(), t.Amount.Minor()-t.Fee.Minor())), Currency: t.Amount.Asset().String(),
		AmountUnit: "major", RefundStatus: "none", RefundedAmount: number(money.Of(t.Amount.Asset(), 0)),
		CreatedAt: timestamp(t.CreatedAt), UpdatedAt: timestamp(t.UpdatedAt),
	}
	if t.Sender.AccountNumber != "" {
		view.Sender = &senderView{t.Sender.BankCode, t.Sender.AccountNumber, t.Sender.AccountName}
	}
	return view
}
