package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

const tagRefunds = "Refunds"

func (a *api) refundRoutes() []route {
	return []route{
		post("/v1/refunds", unit(a.createRefund), about{
			id: "createRefund", scope: business.PayOut, tag: tagRefunds, prose: []string{"reason"},
			summary: "Refund a transaction, or a part of it", message: "Refund created successfully",
		}),
		get("/v1/refunds", query(a.refunds), about{
			id: "getRefunds", tag: tagRefunds,
			summary: "Read one refund, or list refunds", message: "Refunds retrieved successfully",
		}),
		post("/v1/refunds/process", unit(a.processRefund), about{
			id: "processRefund", scope: business.PayOut, tag: tagRefunds, prose: []string{"note"},
			summary: "Say that a refund is being paid", message: "Refund is being processed",
		}),
		post("/v1/refunds/finalize", unit(a.finalizeRefund), about{
			id: "finalizeRefund", scope: business.PayOut, tag: tagRefunds, prose: []string{"note", "provider_response"},
			summary: "Say how a refund ended", message: "Refund finalized successfully",
		}),
	}
}

type refundInput struct {
	AmountType           *string             `json:"amount_type" doc:"Refused: amounts are in the unit of the transaction"`
	TransactionID        string              `json:"transaction_id" doc:"trx_… or pay_…; this, trx_id or transaction_reference"`
	TrxID                string              `json:"trx_id" doc:"Instead: the trx_id of the order" eg:"order-981"`
	TransactionReference string              `json:"transaction_reference" doc:"Instead: the reference of the transaction"`
	Amount               *strictjson.Literal `json:"amount" doc:"Kobo, or full units of USDC; all that is left by default" eg:"500000" form:"price"`
	AmountUnit           *string             `json:"amount_unit" doc:"The unit of the transaction: minor for naira, major for USDC" enum:"minor,major"`
	Currency             string              `json:"currency" doc:"That of the transaction; required with an amount when the order was in another one" eg:"NGN"`
	Reference            string              `json:"reference" required:"true" doc:"The business's own name for the refund: unique for ever" max:"100" eg:"refund-981"`
	Reason               string              `json:"reason" doc:"For people" max:"500" eg:"One item was sold out"`
	ExecutionMode        string              `json:"execution_mode" doc:"manual by default; auto_sender sends it to the bank account or address that the money came from" enum:"manual,auto_sender" eg:"manual"`
	ScheduledAt          instantText         `json:"scheduled_at" doc:"When auto_sender sends it, with an offset; 10 minutes after creation by default"`
}

func (in *refundInput) check(p *ferry.Problems) {
	if in.AmountType != nil {
		p.Add("amount_type", "Belongs to POST /v1/checkout: amounts are in the unit of the transaction here")
	}
	params := in.params(p)
	params.Check(p)
	in.checkAmount(p)
}

// checkAmount refuses an amount that is one in no currency: that of the transaction is known
// once it is read. An empty text is no way to leave it out, for then all would go back.
func (in *refundInput) checkAmount(p *ferry.Problems) {
	if in.Amount != nil && *in.Amount == "" {
		p.Add("amount", "Must not be empty")
	}
	var naira, usdc ferry.Problems
	in.amount(&naira, money.AssetNGN)
	in.amount(&usdc, money.AssetUSDC)
	if naira.Err() != nil && usdc.Err() != nil {
		in.amount(p, money.AssetUSDC)
	}
}

// amount is what is asked for in an asset, or the zero value when nothing is.
func (in *refundInput) amount(p *ferry.Problems, asset money.Asset) money.Amount {
	if in.Amount == nil {
		return money.Amount{}
	}
	return priceOf(p, "amount", asset.String(), *in.Amount)
}

// amountOf is what of a transaction is asked for, or the zero value for all that is left. It
// reads no other unit than the caller means: an amount of an order that was paid in another
// currency needs the currency beside it.
func (in *refundInput) amountOf(line statement.Transaction, p *ferry.Problems) (money.Amount, error) {
	asset := line.Amount.Asset()
	if !isCurrency(in.Currency, asset) {
		return money.Amount{}, errCurrency.Saying("The currency must be that of the transaction, " + asset.String())
	}
	if unit := refunds.UnitOf(asset); in.AmountUnit != nil && *in.AmountUnit != unit {
		p.Add("amount_unit", "Must be "+unit+": the transaction is in "+asset.String())
	}
	if order := line.Order.Asset(); in.Amount != nil && in.Currency == "" && order != 0 && order != asset {
		p.Add("currency", "Say "+asset.String()+": the order was in "+order.String()+", and paid in "+asset.String())
	}
	amount := in.amount(p, asset)
	return amount, p.Err()
}

// params are all but the amount, which is in the currency of the transaction.
func (in *refundInput) params(p *ferry.Problems) refunds.Params {
	return refunds.Params{
		Transaction: statement.Ref{ID: in.TransactionID, TrxID: in.TrxID, Reference: in.TransactionReference},
		Reference:   in.Reference, Reason: in.Reason, Mode: refunds.Mode(in.ExecutionMode), ScheduledAt: in.ScheduledAt.readExact(p, "scheduled_at"),
	}
}

func (a *api) createRefund(ctx context.Context, tx store.Tx, c *call, in refundInput) (refundView, error) {
	var problems ferry.Problems
	params := in.params(&problems)
	line, err := refunds.TransactionIn(ctx, tx, c.scope, params.Transaction)
	if err != nil {
		return refundView{}, err
	}
	if params.Amount, err = in.amountOf(line, &problems); err != nil {
		return refundView{}, err
	}
	made, err := a.engine.Refunds.CreateIn(ctx, tx, c.scope, params)
	if err != nil {
		return refundView{}, err
	}
	return viewRefund(made), nil
}

type refundsQuery struct {
	ID        string `query:"id" doc:"Reads one: rfd_…, in either form"`
	UID       string `query:"uid" doc:"As id"`
	Reference string `query:"reference" doc:"Reads one: its reference"`
	Status    string `query:"status" enum:"pending,processing,successful,failed"`
	rangeQuery
	pageQuery
}

func (a *api) refunds(ctx context.Context, c *call, in refundsQuery) (either[refundView, refundView], error) {
	if in.ID != "" || in.UID != "" || in.Reference != "" {
		id, ok := optionalID(refunds.Prefix, in.ID, in.UID)
		if !ok {
			return either[refundView, refundView]{}, refunds.ErrNotFound
		}
		found, err := a.engine.Refunds.Get(ctx, c.scope, refunds.Ref{ID: id, Reference: in.Reference})
		if err != nil {
			return either[refundView, refundView]{}, err
		}
		return one[refundView, refundView](viewRefund(found)), nil
	}
	found, err := a.engine.Refunds.List(ctx, c.scope, refunds.Filter{Status: refunds.Status(in.Status), Range: in.between()}, in.page())
	return either[refundView, refundView]{list: paged(in.page(), found, viewRefund)}, err
}

type processRefundInput struct {
	Reference string `json:"reference" required:"true" doc:"The reference of the refund" eg:"refund-981"`
	Note      string `json:"note" doc:"For people" max:"500" eg:"Called her"`
}

func (a *api) processRefund(ctx context.Context, tx store.Tx, c *call, in processRefundInput) (refundView, error) {
	r, err := a.engine.Refunds.ProcessIn(ctx, tx, c.scope, refunds.ProcessParams{Refund: refunds.Ref{Reference: in.Reference}, Note: in.Note})
	if err != nil {
		return refundView{}, err
	}
	return viewRefund(r), nil
}

type finalizeRefundInput struct {
	Reference         string `json:"reference" required:"true" doc:"The reference of the refund" eg:"refund-981"`
	Status            string `json:"status" required:"true" doc:"How it ended; failed also cancels a pending one" enum:"successful,failed" eg:"successful"`
	ProviderReference string `json:"provider_reference" doc:"What the payment is called by who made it" max:"200" eg:"slip-17"`
	ProviderResponse  string `json:"provider_response" doc:"What they said" max:"2000" eg:"Paid"`
	Note              string `json:"note" doc:"For people" max:"500" eg:"Paid in cash"`
}

func (a *api) finalizeRefund(ctx context.Context, tx store.Tx, c *call, in finalizeRefundInput) (refundView, error) {
	r, err := a.engine.Refunds.FinalizeIn(ctx, tx, c.scope, refunds.FinalizeParams{
		Refund: refunds.Ref{Reference: in.Reference}, Status: refunds.Status(in.Status),
		ProviderReference: in.ProviderReference, ProviderResponse: in.ProviderResponse, Note: in.Note,
	})
	if err != nil {
		return refundView{}, err
	}
	return viewRefund(r), nil
}

type refundView struct {
	ID                refunds.ID     `json:"id" eg:"rfd_019cadd46e0878ec834189614d3d15ce"`
	UID               string         `json:"uid" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	Reference         string         `json:"reference" eg:"refund-981"`
	Transaction       refundedView   `json:"transaction"`
	Amount            price          `json:"amount" doc:"Kobo, or full units of USDC" eg:"500000" form:"price"`
	Currency          string         `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	AmountUnit        string         `json:"amount_unit" doc:"minor: kobo; major: full units of USDC" enum:"minor,major" eg:"minor"`
	Fee               price          `json:"fee" doc:"Paid on top of the amount" eg:"0"`
	Status            refunds.Status `json:"status" enum:"pending,processing,successful,failed" eg:"pending"`
	Stage             outflow.Stage  `json:"stage,omitempty" doc:"What it waits for before it is processed; left out when that is nothing" enum:"pending_approval" eg:"-"`
	Reason            optionalText   `json:"reason" eg:"One item was sold out"`
	ExecutionMode     refunds.Mode   `json:"execution_mode" enum:"manual,auto_sender" eg:"manual"`
	ScheduledAt       optionalTime   `json:"scheduled_at" doc:"When it is sent; null for a manual one" eg:"null"`
	ProviderReference optionalText   `json:"provider_reference" eg:"null"`
	ProviderResponse  optionalText   `json:"provider_response" eg:"null"`
	Note              optionalText   `json:"note" eg:"null"`
	CreatedAt         timestamp      `json:"created_at" eg:"2026-03-02T09:15:06.120Z"`
	UpdatedAt         timestamp      `json:"updated_at" eg:"2026-03-02T09:15:06.120Z"`
	ProcessedAt       optionalTime   `json:"processed_at" eg:"null"`
	FinalizedAt       optionalTime   `json:"finalized_at" eg:"null"`
	ReturnedAt        optionalTime   `json:"returned_at" doc:"When its money came back" eg:"null"`
}

// refundedView names the transaction of a refund.
type refundedView struct {
	ID        statement.ID `json:"id" eg:"trx_019cadd46e0878ec834189614d3d15ce"`
	TrxID     string       `json:"trx_id" eg:"order-981"`
	Reference string       `json:"reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
}

func viewRefund(r refunds.Refund) refundView {
	return refundView{
		ID: r.ID, UID: ferry.UID(string(r.ID)), Reference: r.Reference, Transaction: refundedView{r.Transaction, r.TrxID, r.Paid},
		Amount: price(r.Amount), Currency: r.Amount.Asset().String(), AmountUnit: r.AmountUnit(), Fee: price(r.Fee()), Status: r.Status, Stage: r.Stage,
		Reason: optionalText(r.Reason), ExecutionMode: r.Mode, ScheduledAt: optionalTime(r.ScheduledAt),
		ProviderReference: optionalText(r.ProviderReference), ProviderResponse: optionalText(r.ProviderResponse), Note: optionalText(r.Note),
		CreatedAt: timestamp(r.CreatedAt), UpdatedAt: timestamp(r.UpdatedAt), ProcessedAt: optionalTime(r.ProcessedAt),
		FinalizedAt: optionalTime(r.FinalizedAt), ReturnedAt: optionalTime(r.ReturnedAt),
	}
}
