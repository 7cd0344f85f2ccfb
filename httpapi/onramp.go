package httpapi

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/wallets"
)

const tagOnramp = "Onramp"

// onrampRoutes are those under /v1/stablecoin/onramp, and the same under
// /v1/stablecoin/wallets/onramp.
func (a *api) onrampRoutes() []route {
	const path, alias = "/v1/stablecoin/onramp", "/v1/stablecoin/wallets/onramp"
	creates := post(path, makes(a.createOnramp, viewOnramp), about{
		id: "createOnramp", scope: business.Collect, tag: tagOnramp,
		summary: "Take naira in at a bank for USDC at an address", message: "Onramp created successfully",
	})
	lists := get(path, query(a.onramps), about{
		id: "getOnramps", tag: tagOnramp,
		summary: "Read one onramp, or list them", message: "Onramps retrieved successfully",
	})
	status := get(path+"/status", query(a.onrampStatus), about{
		id: "getOnrampStatus", tag: tagOnramp,
		summary: "Read how far an onramp is", message: "Onramp retrieved successfully",
	})
	rate := get(path+"/rate", query(a.onrampRate), about{
		id: "getOnrampRate", tag: tagOnramp,
		summary: "Read what one USDC costs now", message: "Rate retrieved successfully",
	})
	return []route{
		creates, lists, status, rate,
		creates.alias("createWalletOnramp", tagOnramp, alias),
		lists.alias("getWalletOnramps", tagOnramp, alias),
		status.alias("getWalletOnrampStatus", tagOnramp, alias+"/status"),
		rate.alias("getWalletOnrampRate", tagOnramp, alias+"/rate"),
	}
}

type onrampInput struct {
	inNaira
	Reference string             `json:"reference" required:"true" doc:"The business's own name for the order: unique for ever" max:"100" eg:"topup-981"`
	Currency  string             `json:"fiat_currency" required:"true" doc:"NGN" eg:"NGN"`
	Amount    strictjson.Literal `json:"amount" required:"true" doc:"Naira to take in, at most 2 decimals; worth at least 1 USDC" eg:"15000"`
	Asset     string             `json:"asset" required:"true" doc:"USDC, or solana:usdc; in any letter case" eg:"USDC"`
	Chain     string             `json:"chain" doc:"SOLANA, in any letter case; required unless asset names it" eg:"SOLANA"`
	Address   string             `json:"address" doc:"Gets the USDC; by default the primary address of the business's wallet default, which is made when there is none" eg:"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"`
	Quote     string             `json:"quote_id" doc:"A quote of an onramp of the same amount, as a visitor's session gives it; by default a new one" eg:"-"`
}

func (in *onrampInput) check(p *ferry.Problems) {
	in.refuse("", p)
	judge(p, in.params)
}

func (in *onrampInput) params(p *ferry.Problems) onramp.Params {
	return onramp.Params{
		Terms: ramp.Terms{
			Reference: in.Reference, Currency: in.Currency, Amount: amountOf(p, "amount", money.AssetNGN, in.Amount),
			Asset: in.Asset, Chain: in.Chain,
		},
		Address: in.Address, Quote: in.Quote,
	}
}

func (a *api) createOnramp(c *call, in onrampInput) ferry.Operation[onramp.Tx, onramp.Order] {
	return after(in.otherCurrency, a.engine.Onramps.CreateOp(c.scope, in.params(new(ferry.Problems))))
}

// onrampName names one onramp.
type onrampName struct {
	ID                string `query:"id" doc:"Reads one onramp, in either form, onr_… or uid_…"`
	UID               string `query:"uid" doc:"As id"`
	ProviderReference string `query:"provider_reference" doc:"As id"`
	Reference         string `query:"reference" doc:"Reads one onramp"`
}

// ref is the name that the fields make up, and whether they can name something.
func (in onrampName) ref() (onramp.Ref, bool) {
	id, ok := optionalID(onramp.Prefix, in.ID, in.UID, in.ProviderReference)
	return onramp.Ref{ID: id, Reference: in.Reference}, ok
}

type onrampsQuery struct {
	onrampName
	Status string `query:"status" doc:"success and completed mean successful" enum:"pending,processing,successful,success,completed,failed"`
	Search string `query:"search" doc:"Part of the reference, in any letter case"`
	rangeQuery
	pageQuery
}

type onrampsOutput = either[onrampView, onrampView]

func (a *api) onramps(ctx context.Context, c *call, in onrampsQuery) (onrampsOutput, error) {
	if in.onrampName != (onrampName{}) {
		ref, ok := in.ref()
		if !ok {
			return onrampsOutput{}, ramp.ErrNotFound
		}
		found, err := a.engine.Onramps.Get(ctx, c.scope, ref)
		return one[onrampView, onrampView](viewOnramp(found)), err
	}
	found, err := a.engine.Onramps.List(ctx, c.scope, onramp.Filter{
		Status: rampStatus(in.Status), Search: in.Search, Range: in.between(),
	}, in.page())
	return onrampsOutput{list: paged(in.page(), found, viewOnramp)}, err
}

type onrampStatusQuery struct {
	onrampName
	Refresh *bool `query:"refresh" doc:"Asks the bank first"`
}

func (a *api) onrampStatus(ctx context.Context, c *call, in onrampStatusQuery) (onrampView, error) {
	if in.onrampName == (onrampName{}) {
		return onrampView{}, ferry.ErrValidation.About("reference", missing)
	}
	ref, ok := in.ref()
	if !ok {
		return onrampView{}, ramp.ErrNotFound
	}
	read := a.engine.Onramps.Get
	if in.Refresh != nil && *in.Refresh {
		read = a.engine.Onramps.Refresh
	}
	found, err := read(ctx, c.scope, ref)
	return viewOnramp(found), err
}

func (a *api) onrampRate(ctx context.Context, c *call, in rampRateQuery) (rampRateView, error) {
	return a.rampRate(ctx, c, ramp.Onramp, in)
}

type paymentAccountView struct {
	BankCode      string `json:"bank_code" eg:"999"`
	BankName      string `json:"bank_name" eg:"Sandbox Bank"`
	AccountName   string `json:"account_name" eg:"Demo Business"`
	AccountNumber string `json:"account_number" eg:"9000000002"`
}

type onrampView struct {
	ID                onramp.ID          `json:"id" eg:"onr_019cadd46e0878ec834189614d3d15ce"`
	UID               string             `json:"uid" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	Reference         string             `json:"reference" eg:"topup-981"`
	ProviderReference onramp.ID          `json:"provider_reference" doc:"Equals id" eg:"onr_019cadd46e0878ec834189614d3d15ce"`
	Status            ramp.Status        `json:"status" enum:"pending,processing,successful,failed" eg:"pending"`
	Stage             ramp.Stage         `json:"stage" enum:"awaiting_funds,funds_received,payment_submitted,done,expired,refunded" eg:"awaiting_funds"`
	Currency          string             `json:"fiat_currency" enum:"NGN" eg:"NGN"`
	Amount            number             `json:"amount" doc:"Naira to be paid" eg:"15000"`
	AmountUnit        string             `json:"amount_unit" enum:"major" eg:"major"`
	AmountReceived    number             `json:"amount_received" doc:"Naira that came in time" eg:"0"`
	AmountStablecoin  number             `json:"amount_stablecoin" doc:"USDC that the address gets" eg:"10"`
	Rate              json.Number        `json:"rate" doc:"Naira for one USDC" eg:"1500"`
	QuoteID           ramp.QuoteID       `json:"quote_id" eg:"qte_019cadd46e0878ec834189614d3d15ce"`
	Asset             string             `json:"asset" enum:"USDC" eg:"USDC"`
	Chain             string             `json:"chain" enum:"SOLANA" eg:"SOLANA"`
	WalletAddress     string             `json:"wallet_address" eg:"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"`
	PaymentAccount    paymentAccountView `json:"payment_account"`
	TransactionHash   optionalText       `json:"transaction_hash" doc:"Null until the USDC were sent, and for ever when the address is one of this server: then nothing moves on the chain" eg:"null"`
	LastError         optionalText       `json:"last_error" doc:"Why it failed" eg:"null"`
	ExpiresAt         timestamp          `json:"expires_at" eg:"2026-03-02T09:30:00.120Z"`
	FundedAt          optionalTime       `json:"funded_at" eg:"null"`
	CompletedAt       optionalTime       `json:"completed_at" eg:"null"`
	CreatedAt         timestamp          `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt         timestamp          `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewOnramp(o onramp.Order) onrampView {
	return onrampView{
		ID: o.ID, UID: ferry.UID(string(o.ID)), Reference: o.Reference, ProviderReference: o.ID, Status: o.Status, Stage: o.Stage,
		Currency: money.AssetNGN.String(), Amount: number(o.Amount), AmountUnit: "major", AmountReceived: number(o.Received),
		AmountStablecoin: number(o.Crypto), Rate: json.Number(cmp.Or(o.Rate, "0")), QuoteID: o.Quote, Asset: wallets.Asset.String(),
		Chain: onramp.ChainName, WalletAddress: string(o.Address),
		PaymentAccount:  paymentAccountView{o.Bank.BankCode, o.Bank.BankName, o.Bank.AccountName, o.Bank.AccountNumber},
		TransactionHash: optionalText(o.Signature), LastError: optionalText(o.Failure),
		ExpiresAt: timestamp(o.ExpiresAt), FundedAt: optionalTime(o.FundedAt), CompletedAt: optionalTime(o.EndedAt),
		CreatedAt: timestamp(o.CreatedAt), UpdatedAt: timestamp(o.UpdatedAt),
	}
}
