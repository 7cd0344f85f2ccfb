package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/store"
)

const tagCryptoBills = "Crypto bills"

// cryptoBillRoutes are those of bills that USDC pays.
func (a *api) cryptoBillRoutes() []route {
	const path = "/v1/bill/crypto"
	return []route{
		post(path, makes(a.createCryptoBill, viewCryptoBill), about{
			id: "createCryptoBill", scope: business.PayOut, tag: tagCryptoBills, limit: addressBucket,
			summary: "Take USDC in at an address for a bill", message: "Crypto bill created successfully",
		}),
		get(path, query(a.cryptoBills), about{
			id: "getCryptoBills", tag: tagCryptoBills,
			summary: "Read one bill that USDC pays, or list them", message: "Crypto bills retrieved successfully",
		}),
		get(path+"/reconcile", query(a.reconcileCryptoBill), about{
			id: "reconcileCryptoBill", tag: tagCryptoBills,
			summary: "Read how far a bill that USDC pays is", message: "Crypto bill reconciled successfully",
		}),
		post(path+"/retry", unit(a.retryCryptoBill), about{
			id: "retryCryptoBill", scope: business.PayOut, tag: tagCryptoBills,
			summary: "Try a refused bill again with the USDC that is held for it", message: "Crypto bill is tried again",
		}),
	}
}

type cryptoBillInput struct {
	anyBillInput
	Service  string             `json:"service" required:"true" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Provider string             `json:"provider" required:"true" doc:"The code of a provider of the service" eg:"ikeja-electric"`
	Product  string             `json:"product" doc:"The code of one of its products; not needed where it sells one only, or beside vend_type"`
	VendType string             `json:"vend_type" doc:"Of electricity: how the meter pays; this or product" enum:"PREPAID,POSTPAID" eg:"PREPAID"`
	Number   string             `json:"number" required:"true" doc:"That of the phone, the smart card or the meter" eg:"45012345670"`
	Amount   strictjson.Literal `json:"amount" doc:"Naira of the bill, at most 2 decimals; with the fee worth at least 1 USDC. Not needed for a product with a price, and that price when it is sent" eg:"15000"`
	Phone    string             `json:"phone" doc:"Who may be told of the delivery" eg:"08031234567"`
	Currency string             `json:"fiat_currency" doc:"NGN; by default that" eg:"NGN"`
	Asset    string             `json:"asset" doc:"USDC, or solana:usdc; by default that" eg:"USDC"`
	Chain    string             `json:"chain" doc:"SOLANA; by default that" eg:"SOLANA"`
}

func (in *cryptoBillInput) check(p *ferry.Problems) {
	in.refuse("", p)
	if in.Service == string(biller.Utility) && in.VendType == "" && in.Product == "" {
		p.Add("vend_type", missing)
	}
	judge(p, in.params)
}

func (in *cryptoBillInput) params(p *ferry.Problems) offramp.BillParams {
	params := offramp.BillParams{
		Params: bills.Params{
			Service: biller.Service(in.Service), Provider: in.Provider, Product: in.Product, VendType: in.VendType,
			Number: in.Number, Phone: in.Phone, Reference: in.Reference,
		},
		Currency: in.Currency, Asset: in.Asset, Chain: in.Chain,
	}
	if in.Amount != "" {
		params.Amount = amountOf(p, "amount", money.AssetNGN, in.Amount)
	}
	return params
}

func (a *api) createCryptoBill(c *call, in cryptoBillInput) ferry.Operation[offramp.Tx, offramp.Details] {
	return after(in.otherCurrency, a.engine.Offramps.CreateBillOp(c.scope, in.params(new(ferry.Problems))))
}

// cryptoBillName names one bill that USDC pays.
type cryptoBillName struct {
	ID        string `query:"id" doc:"Reads one, in either form, ofr_… or uid_…"`
	UID       string `query:"uid" doc:"As id"`
	Reference string `query:"reference" doc:"Reads one"`
}

// cryptoBillRef is the name that fields make up, and whether they can name something.
func cryptoBillRef(id, uid, reference string) (offramp.Ref, bool) {
	id, ok := optionalID(offramp.Prefix, id, uid)
	return offramp.Ref{ID: id, Reference: reference, Pays: offramp.ToBill}, ok
}

type cryptoBillsQuery struct {
	cryptoBillName
	Status string `query:"status" doc:"success and completed mean successful" enum:"pending,processing,successful,success,completed,failed"`
	Search string `query:"search" doc:"Part of the reference or the number, in any letter case"`
	rangeQuery
	pageQuery
}

type cryptoBillsOutput = either[cryptoBillView, cryptoBillRowView]

func (a *api) cryptoBills(ctx context.Context, c *call, in cryptoBillsQuery) (cryptoBillsOutput, error) {
	if in.cryptoBillName != (cryptoBillName{}) {
		ref, ok := cryptoBillRef(in.ID, in.UID, in.Reference)
		if !ok {
			return cryptoBillsOutput{}, bills.ErrNotFound
		}
		found, err := a.engine.Offramps.Get(ctx, c.scope, ref)
		return one[cryptoBillView, cryptoBillRowView](viewCryptoBill(found)), err
	}
	found, err := a.engine.Offramps.List(ctx, c.scope, offramp.Filter{
		Pays: offramp.ToBill, Status: rampStatus(in.Status), Search: in.Search, Range: in.between(),
	}, in.page())
	return cryptoBillsOutput{list: paged(in.page(), found, viewCryptoBillRow)}, err
}

type cryptoBillReconcileQuery struct {
	cryptoBillName
	Refresh *bool `query:"refresh" doc:"Looks at chain and biller first, and books what they say"`
}

func (in *cryptoBillReconcileQuery) check(p *ferry.Problems) {
	if in.cryptoBillName == (cryptoBillName{}) {
		p.Add("id", oneCryptoBill)
	}
}

const oneCryptoBill = "Give one of id, uid and reference"

func (a *api) reconcileCryptoBill(ctx context.Context, c *call, in cryptoBillReconcileQuery) (cryptoBillView, error) {
	ref, ok := cryptoBillRef(in.ID, in.UID, in.Reference)
	if !ok {
		return cryptoBillView{}, bills.ErrNotFound
	}
	read := a.engine.Offramps.Get
	if in.Refresh != nil && *in.Refresh {
		read = a.engine.Offramps.Refresh
	}
	found, err := read(ctx, c.scope, ref)
	return viewCryptoBill(found), err
}

type cryptoBillRetryInput struct {
	ID        string `json:"id" doc:"The crypto bill, in either form, ofr_… or uid_…; this, uid or reference" eg:"ofr_019cadd46e0878ec834189614d3d15ce"`
	UID       string `json:"uid" doc:"As id"`
	Reference string `json:"reference" doc:"Its reference"`
}

func (in *cryptoBillRetryInput) check(p *ferry.Problems) {
	if *in == (cryptoBillRetryInput{}) {
		p.Add("id", oneCryptoBill)
	}
}

func (a *api) retryCryptoBill(ctx context.Context, tx store.Tx, c *call, in cryptoBillRetryInput) (cryptoBillView, error) {
	ref, ok := cryptoBillRef(in.ID, in.UID, in.Reference)
	if !ok {
		return cryptoBillView{}, bills.ErrNotFound
	}
	found, err := a.engine.Offramps.RetryIn(ctx, tx, c.scope, ref)
	return viewCryptoBill(found), err
}
