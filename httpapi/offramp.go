package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
)

const tagOfframp = "Offramp"

// offrampRoutes are those under /v1/stablecoin/offramp, and the same under
// /v1/stablecoin/wallets/offramp.
func (a *api) offrampRoutes() []route {
	const path, alias = "/v1/stablecoin/offramp", "/v1/stablecoin/wallets/offramp"
	creates := post(path, makes(a.createOfframp, viewOfframp), about{
		id: "createOfframp", scope: business.PayOut, tag: tagOfframp, limit: addressBucket,
		summary: "Take USDC in at an address for naira at a bank account", message: "Offramp created successfully",
	})
	lists := get(path, query(a.offramps), about{
		id: "getOfframps", tag: tagOfframp,
		summary: "Read one offramp, or list them", message: "Offramps retrieved successfully",
	})
	status := get(path+"/status", query(a.offrampStatus), about{
		id: "getOfframpStatus", tag: tagOfframp,
		summary: "Read how far an offramp is", message: "Offramp retrieved successfully",
	})
	rate := get(path+"/rate", query(a.offrampRate), about{
		id: "getOfframpRate", tag: tagOfframp,
		summary: "Read what is paid for one USDC now", message: "Rate retrieved successfully",
	})
	quotes := post(path+"/quote", makes(a.quoteOfframp, viewRampQuote), about{
		id: "quoteOfframp", scope: business.PayOut, tag: tagOfframp,
		summary: "Get a price that an offramp may name while it stands", message: "Quote created successfully",
	})
	return []route{
		creates, lists, status, rate, quotes,
		creates.alias("createWalletOfframp", tagOfframp, alias),
		lists.alias("getWalletOfframps", tagOfframp, alias),
		status.alias("getWalletOfframpStatus", tagOfframp, alias+"/status"),
		rate.alias("getWalletOfframpRate", tagOfframp, alias+"/rate"),
		quotes.alias("quoteWalletOfframp", tagOfframp, alias+"/quote"),
	}
}

type offrampInput struct {
	inNaira
	Reference     string             `json:"reference" required:"true" doc:"The business's own name for the order: unique for ever" max:"100" eg:"cashout-981"`
	Currency      string             `json:"fiat_currency" required:"true" doc:"NGN" eg:"NGN"`
	Amount        strictjson.Literal `json:"amount" required:"true" doc:"Naira that the account gets, at most 2 decimals; worth at least 1 USDC" eg:"15000"`
	Asset         string             `json:"asset" required:"true" doc:"USDC, or solana:usdc; in any letter case" eg:"USDC"`
	Chain         string             `json:"chain" doc:"SOLANA, in any letter case; required unless asset names it" eg:"SOLANA"`
	BankCode      string             `json:"bank_code" required:"true" doc:"3 or 6 digits" eg:"058"`
	AccountNumber string             `json:"account_number" required:"true" doc:"10 digits" eg:"0123456780"`
	AccountName   string             `json:"account_name" doc:"Counts while the bank does not tell the name of the holder" max:"100" eg:"Ada Obi"`
	Quote         string             `json:"quote_id" doc:"A quote of an offramp of the same amount; by default a new one" eg:"-"`
}

func (in *offrampInput) check(p *ferry.Problems) {
	in.refuse("", p)
	judge(p, in.params)
}

func (in *offrampInput) params(p *ferry.Problems) offramp.Params {
	return offramp.Params{
		Terms: ramp.Terms{
			Reference: in.Reference, Currency: in.Currency, Amount: amountOf(p, "amount", money.AssetNGN, in.Amount),
			Asset: in.Asset, Chain: in.Chain,
		},
		Quote: in.Quote, BankCode: in.BankCode, AccountNumber: in.AccountNumber, AccountName: in.AccountName,
	}
}

func (a *api) createOfframp(c *call, in offrampInput) ferry.Operation[offramp.Tx, offramp.Details] {
	return after(in.otherCurrency, a.engine.Offramps.CreateOp(c.scope, in.params(new(ferry.Problems))))
}

type offrampQuoteInput struct {
	inNairaForUSDC
	Amount strictjson.Literal `json:"amount" required:"true" doc:"Naira that the account is to get, at most 2 decimals; worth at least 1 USDC" eg:"15000"`
}

func (in *offrampQuoteInput) check(p *ferry.Problems) {
	in.refuse("", p)
	judge(p, in.fiat)
}

// quotedFiat is an amount of naira to be quoted.
type quotedFiat struct{ money.Amount }

// Check adds what is wrong with the amount.
func (f quotedFiat) Check(p *ferry.Problems) { ramp.CheckFiat(f.Amount, p) }

func (in *offrampQuoteInput) fiat(p *ferry.Problems) quotedFiat {
	return quotedFiat{amountOf(p, "amount", money.AssetNGN, in.Amount)}
}

func (a *api) quoteOfframp(c *call, in offrampQuoteInput) ferry.Operation[ramp.Tx, ramp.Quote] {
	return after(in.otherPair, a.engine.Quotes.QuoteOp(c.scope, ramp.Offramp, in.fiat(new(ferry.Problems)).Amount))
}

// offrampName names one offramp.
type offrampName struct {
	ID                string `query:"id" doc:"Reads one offramp, in either form, ofr_… or uid_…"`
	UID               string `query:"uid" doc:"As id"`
	ProviderReference string `query:"provider_reference" doc:"As id"`
	Reference         string `query:"reference" doc:"Reads one offramp"`
}

// ref is the name that the fields make up, and whether they can name something.
func (in offrampName) ref() (offramp.Ref, bool) {
	id, ok := optionalID(offramp.Prefix, in.ID, in.UID, in.ProviderReference)
	return offramp.Ref{ID: id, Reference: in.Reference, Pays: offramp.ToAccount}, ok
}

type offrampsQuery struct {
	offrampName
	Status string `query:"status" doc:"success and completed mean successful" enum:"pending,processing,successful,success,completed,failed"`
	Search string `query:"search" doc:"Part of a reference, or of the number or name of an account, in any letter case"`
	rangeQuery
	pageQuery
}

type offrampsOutput = either[offrampView, offrampRowView]

func (a *api) offramps(ctx context.Context, c *call, in offrampsQuery) (offrampsOutput, error) {
	if in.offrampName != (offrampName{}) {
		ref, ok := in.ref()
		if !ok {
			return offrampsOutput{}, ramp.ErrNotFound
		}
		found, err := a.engine.Offramps.Get(ctx, c.scope, ref)
		return one[offrampView, offrampRowView](viewOfframp(found)), err
	}
	found, err := a.engine.Offramps.List(ctx, c.scope, offramp.Filter{
		Pays: offramp.ToAccount, Status: rampStatus(in.Status), Search: in.Search, Range: in.between(),
	}, in.page())
	return offrampsOutput{list: paged(in.page(), found, viewOfframpRow)}, err
}

type offrampStatusQuery struct {
	offrampName
	Refresh *bool `query:"refresh" doc:"Looks at chain and bank first"`
}

func (a *api) offrampStatus(ctx context.Context, c *call, in offrampStatusQuery) (offrampView, error) {
	if in.offrampName == (offrampName{}) {
		return offrampView{}, ferry.ErrValidation.About("reference", missing)
	}
	ref, ok := in.ref()
	if !ok {
		return offrampView{}, ramp.ErrNotFound
	}
	read := a.engine.Offramps.Get
	if in.Refresh != nil && *in.Refresh {
		read = a.engine.Offramps.Refresh
	}
	found, err := read(ctx, c.scope, ref)
	return viewOfframp(found), err
}

func (a *api) offrampRate(ctx context.Context, c *call, in rampRateQuery) (rampRateView, error) {
	return a.rampRate(ctx, c, ramp.Offramp, in)
}
