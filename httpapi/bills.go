package httpapi

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
)

const tagBills = "Bills"

// billRoutes are those under /v1/bill but for the catalogue.
func (a *api) billRoutes() []route {
	return []route{
		post("/v1/bill/verify", outside(a.verifyBill), about{
			id: "verifyBillNumber", scope: business.PayOut, tag: tagBills,
			summary: "Read whom the number of a bill belongs to", message: "Number verified successfully",
		}),
		post("/v1/bill/airtime", makes(a.buyAirtime, viewBill), buys("buyAirtime", "Buy airtime for a phone")),
		post("/v1/bill/data", makes(a.buyData, viewBill), buys("buyData", "Buy data for a phone")),
		post("/v1/bill/cable", makes(a.buyCable, viewBill), buys("buyCable", "Buy a subscription of television")),
		post("/v1/bill/electricity", makes(a.buyElectricity, viewBill), buys("buyElectricity", "Buy electricity for a meter")),
		get("/v1/bill/history", query(a.bills), about{
			id: "getBills", tag: tagBills, summary: "Read one bill, or list them", message: "Bills retrieved successfully",
		}),
	}
}

// buys is what a route that buys a bill says of itself.
func buys(id, summary string) about {
	return about{id: id, scope: business.PayOut, tag: tagBills, summary: summary, message: "Bill initiated"}
}

type verifyBillInput struct {
	Service  string `json:"service" required:"true" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Provider string `json:"provider" required:"true" doc:"The code of a provider of the service" eg:"ikeja-electric"`
	Number   string `json:"number" required:"true" doc:"That of the phone, the smart card or the meter" eg:"45012345670"`
	VendType string `json:"vend_type" doc:"How the meter pays: for electricity, and required there" enum:"PREPAID,POSTPAID" eg:"PREPAID"`
}

func (in *verifyBillInput) check(p *ferry.Problems) {
	if in.Service == string(biller.Utility) && in.VendType == "" {
		p.Add("vend_type", missing)
	}
	judge(p, in.params)
}

func (in *verifyBillInput) params(*ferry.Problems) bills.Params {
	return bills.Params{Service: biller.Service(in.Service), Provider: in.Provider, Number: in.Number, VendType: in.VendType}
}

func (a *api) verifyBill(ctx context.Context, c *call, in verifyBillInput) (billerCustomerView, error) {
	found, err := a.engine.Bills.Verify(ctx, c.scope.Env, in.params(nil))
	return billerCustomerView{
		Service: found.Service, Provider: found.Provider, Number: found.Number, VendType: optionalText(in.VendType),
		Name: optionalText(found.Name), Address: optionalText(found.Address), Status: "verified",
	}, err
}

// anyBillInput is what all bills have in common.
type anyBillInput struct {
	bodyKey
	inNaira
	Reference string `json:"reference" doc:"The business's own name for the bill: unique for ever; by default its id" max:"100" eg:"power-march"`
}

type airtimeInput struct {
	anyBillInput
	Provider string             `json:"provider" required:"true" doc:"The code of a provider" eg:"mtn"`
	Number   string             `json:"number" required:"true" doc:"A Nigerian mobile number, as in 08031234567 or +2348031234567" eg:"08031234567"`
	Amount   strictjson.Literal `json:"amount" required:"true" doc:"Naira, at most 2 decimals" eg:"500"`
}

func (in *airtimeInput) check(p *ferry.Problems) { in.refuse("", p); judge(p, in.params) }

func (in *airtimeInput) params(p *ferry.Problems) bills.Params {
	return bills.Params{
		Service: biller.Airtime, Provider: in.Provider, Number: in.Number, Reference: in.Reference,
		Amount: amountOf(p, "amount", money.AssetNGN, in.Amount),
	}
}

func (a *api) buyAirtime(c *call, in airtimeInput) ferry.Operation[bills.Tx, bills.Bill] {
	return a.buy(c, in.anyBillInput, in.params)
}

// buy makes a bill of the parameters of an input.
func (a *api) buy(c *call, in anyBillInput, params func(*ferry.Problems) bills.Params) ferry.Operation[bills.Tx, bills.Bill] {
	return after(in.otherCurrency, a.engine.Bills.CreateOp(c.scope, params(new(ferry.Problems))))
}

// planInput is what purchases of a product with a price have in common.
type planInput struct {
	anyBillInput
	Amount strictjson.Literal `json:"amount" doc:"Naira; when it is sent, it must be the price of the plan"`
	Phone  string             `json:"phone" doc:"Who may be told of the delivery"`
}

func (in *planInput) paramsOf(p *ferry.Problems, s biller.Service, provider, product, number string) bills.Params {
	params := bills.Params{Service: s, Provider: provider, Product: product, Number: number, Phone: in.Phone, Reference: in.Reference}
	if in.Amount != "" {
		params.Amount = amountOf(p, "amount", money.AssetNGN, in.Amount)
	}
	return params
}

type dataInput struct {
	planInput
	Provider string `json:"provider" required:"true" doc:"The code of a provider" eg:"mtn"`
	Product  string `json:"product" required:"true" doc:"The code of one of its plans" eg:"mtn-10gb-monthly"`
	Number   string `json:"number" required:"true" doc:"A Nigerian mobile number, as in 08031234567 or +2348031234567" eg:"08031234567"`
}

func (in *dataInput) check(p *ferry.Problems) { in.refuse("", p); judge(p, in.params) }

func (in *dataInput) params(p *ferry.Problems) bills.Params {
	return in.paramsOf(p, biller.Data, in.Provider, in.Product, in.Number)
}

func (a *api) buyData(c *call, in dataInput) ferry.Operation[bills.Tx, bills.Bill] {
	return a.buy(c, in.anyBillInput, in.params)
}

type cableInput struct {
	planInput
	Provider string `json:"provider" required:"true" doc:"The code of a provider" eg:"dstv"`
	Product  string `json:"product" required:"true" doc:"The code of one of its plans" eg:"dstv-basic"`
	Number   string `json:"number" required:"true" doc:"The 10 or 11 digits of the smart card" eg:"7023456780"`
}

func (in *cableInput) check(p *ferry.Problems) { in.refuse("", p); judge(p, in.params) }

func (in *cableInput) params(p *ferry.Problems) bills.Params {
	return in.paramsOf(p, biller.CableTV, in.Provider, in.Product, in.Number)
}

func (a *api) buyCable(c *call, in cableInput) ferry.Operation[bills.Tx, bills.Bill] {
	return a.buy(c, in.anyBillInput, in.params)
}

type electricityInput struct {
	anyBillInput
	Provider string             `json:"provider" required:"true" doc:"The code of a provider" eg:"ikeja-electric"`
	VendType string             `json:"vend_type" doc:"How the meter pays; this or product" enum:"PREPAID,POSTPAID" eg:"PREPAID"`
	Product  string             `json:"product" doc:"The code of one of its products"`
	Number   string             `json:"number" required:"true" doc:"That of the meter" eg:"45012345670"`
	Amount   strictjson.Literal `json:"amount" required:"true" doc:"Naira, at most 2 decimals" eg:"5000"`
	Phone    string             `json:"phone" doc:"Who may be told of the delivery" eg:"08031234567"`
}

func (in *electricityInput) check(p *ferry.Problems) {
	in.refuse("", p)
	if in.VendType == "" && in.Product == "" {
		p.Add("vend_type", missing)
	}
	judge(p, in.params)
}

func (in *electricityInput) params(p *ferry.Problems) bills.Params {
	return bills.Params{
		Service: biller.Utility, Provider: in.Provider, Product: in.Product, VendType: in.VendType, Number: in.Number, Phone: in.Phone,
		Reference: in.Reference, Amount: amountOf(p, "amount", money.AssetNGN, in.Amount),
	}
}

func (a *api) buyElectricity(c *call, in electricityInput) ferry.Operation[bills.Tx, bills.Bill] {
	return a.buy(c, in.anyBillInput, in.params)
}

type billsQuery struct {
	ID        string `query:"id" doc:"Reads one bill, in either form, bill_… or uid_…"`
	UID       string `query:"uid" doc:"As id"`
	Reference string `query:"reference" doc:"Reads one bill"`
	Status    string `query:"status" enum:"pending,processing,successful,failed"`
	Service   string `query:"service" enum:"AIRTIME,DATA,CABLETV,UTILITY"`
	Search    string `query:"search" doc:"Part of the reference or the number, in any letter case"`
	rangeQuery
	pageQuery
}

type billsOutput = either[billView, billView]

func (a *api) bills(ctx context.Context, c *call, in billsQuery) (billsOutput, error) {
	if cmp.Or(in.ID, in.UID, in.Reference) != "" {
		id, ok := optionalID(bills.Prefix, in.ID, in.UID)
		if !ok {
			return billsOutput{}, bills.ErrNotFound
		}
		found, err := a.engine.Bills.Get(ctx, c.scope, bills.Ref{ID: id, Reference: in.Reference})
		return one[billView, billView](viewBill(found)), err
	}
	found, err := a.engine.Bills.List(ctx, c.scope, bills.Filter{
		Status: bills.Status(in.Status), Service: biller.Service(in.Service), Search: in.Search, Range: in.between(),
	}, in.page())
	return billsOutput{list: paged(in.page(), found, viewBill)}, err
}
