package httpapi

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/store"
)

const tagPayouts = "Payouts"

// maxBulkBody is the greatest length of the body of a bulk payout.
const maxBulkBody = 1 << 20

func (a *api) payoutRoutes() []route {
	return []route{
		post("/v1/payouts/name-enquiry", outside(a.enquire), about{
			id: "enquirePayoutAccount", scope: business.PayOut, tag: tagPayouts,
			summary: "Read who a bank account belongs to", message: "Account verified successfully",
		}),
		post("/v1/payouts", makes(a.createPayout, viewPayout), about{
			id: "createPayout", scope: business.PayOut, tag: tagPayouts, prose: []string{"narration"},
			summary: "Send naira to one bank account", message: "Payout created successfully",
		}),
		post("/v1/payouts/bulk", makes(a.createBulkPayout, viewPayout), about{
			id: "createBulkPayout", scope: business.PayOut, tag: tagPayouts, prose: []string{"narration"}, maxBody: maxBulkBody,
			summary: "Send naira to as many as 1,000 bank accounts", message: "Bulk payout created successfully",
		}),
		get("/v1/payouts", query(a.payouts), about{
			id: "getPayouts", tag: tagPayouts,
			summary: "Read one payout with its items, or list payouts", message: "Payouts retrieved successfully",
		}),
		get("/v1/payouts/bulk", query(a.bulkPayouts), about{
			id: "getBulkPayouts", tag: tagPayouts,
			summary: "Read one bulk payout with its items, or list them", message: "Bulk payouts retrieved successfully",
		}),
		get("/v1/payouts/reconcile", query(a.reconcilePayout), about{
			id: "reconcilePayout", tag: tagPayouts,
			summary: "Read how far each item of a payout is", message: "Payout reconciled successfully",
		}),
		post("/v1/payouts/process", unit(a.processPayout), about{
			id: "processPayout", scope: business.PayOut, tag: tagPayouts,
			summary: "Send a payout to the bank without the pause", message: "Payout is being processed",
		}),
		post("/v1/payouts/cancel", unit(a.cancelPayout), about{
			id: "cancelPayout", scope: business.PayOut, tag: tagPayouts,
			summary: "Cancel the items that are still pending", message: "Payout cancelled successfully",
		}),
	}
}

// beneficiaryInput is an account at any bank.
type beneficiaryInput struct {
	BankCode      string `json:"bank_code" required:"true" doc:"3 or 6 digits" eg:"058"`
	AccountNumber string `json:"account_number" required:"true" doc:"10 digits" eg:"0123456780"`
}

type enquiryInput struct{ beneficiaryInput }

func (in *enquiryInput) check(p *ferry.Problems) {
	payouts.CheckAccount("", in.BankCode, in.AccountNumber, p)
}

func (a *api) enquire(ctx context.Context, c *call, in enquiryInput) (holderView, error) {
	holder, err := a.engine.Payouts.Enquire(ctx, c.scope.Env, in.BankCode, in.AccountNumber)
	return holderView{
		in.BankCode, in.AccountNumber, holder.AccountName, optionalText(holder.SessionID), "verified",
	}, err
}

type payoutInput struct {
	bodyKey
	majorUnits
	Reference   string             `json:"reference" required:"true" doc:"The business's own name for the payout: unique for ever" max:"100" eg:"rent-march"`
	Source      string             `json:"source_account_number" required:"true" doc:"A source account of the business" eg:"9000000001"`
	Narration   string             `json:"narration" doc:"What the receiver reads" max:"200" eg:"Rent"`
	Amount      strictjson.Literal `json:"amount" required:"true" doc:"Naira, at most 2 decimals" eg:"25000.50"`
	Currency    string             `json:"currency" doc:"NGN" eg:"NGN"`
	Beneficiary beneficiaryInput   `json:"beneficiary" required:"true"`
}

func (in *payoutInput) check(p *ferry.Problems) {
	in.refuse("", p)
	judge(p, in.params)
}

func (in *payoutInput) params(p *ferry.Problems) payouts.Params {
	return payouts.Params{
		Type: payouts.Single, Reference: in.Reference, Source: in.Source, Narration: in.Narration,
		Items: []payouts.Destination{{
			BankCode: in.Beneficiary.BankCode, AccountNumber: in.Beneficiary.AccountNumber,
			Amount: amountOf(p, "amount", money.AssetNGN, in.Amount),
		}},
	}
}

// otherCurrency refuses a payout in a currency that is not naira.
func (in *payoutInput) otherCurrency(context.Context, string) error {
	if !isCurrency(in.Currency, money.AssetNGN) {
		return errCurrency
	}
	return nil
}

func (a *api) createPayout(c *call, in payoutInput) ferry.Operation[payouts.Tx, payouts.Details] {
	return after(in.otherCurrency, a.engine.Payouts.CreateOp(c.scope, in.params(new(ferry.Problems))))
}

type bulkPayoutInput struct {
	bodyKey
	majorUnits
	Reference string            `json:"reference" required:"true" doc:"The business's own name for the payout: unique for ever" max:"100" eg:"salaries-march"`
	Source    string            `json:"source_account_number" required:"true" doc:"A source account of the business" eg:"9000000001"`
	Narration string            `json:"narration" doc:"What the receivers read" max:"200" eg:"Salary"`
	Currency  string            `json:"currency" doc:"NGN" eg:"NGN"`
	Items     []payoutItemInput `json:"items" required:"true" doc:"1 to 1,000"`
}

type payoutItemInput struct {
	majorUnits
	Reference     string             `json:"reference" required:"true" doc:"The business's own name for the item: unique for ever" max:"100" eg:"ada-march"`
	BankCode      string             `json:"bank_code" required:"true" doc:"3 or 6 digits" eg:"058"`
	AccountNumber string             `json:"account_number" required:"true" doc:"10 digits" eg:"0123456780"`
	Amount        strictjson.Literal `json:"amount" required:"true" doc:"Naira, at most 2 decimals" eg:"250000"`
	Currency      string             `json:"currency" doc:"NGN" eg:"NGN"`
}

func (in *bulkPayoutInput) check(p *ferry.Problems) {
	in.refuse("", p)
	for i, item := range in.Items {
		item.refuse(fmt.Sprintf("items.%d.", i), p)
	}
	judge(p, in.params)
}

// otherCurrency refuses a bulk payout or items of it in a currency that is not naira.
func (in *bulkPayoutInput) otherCurrency(context.Context, string) error {
	refused := errCurrency
	if !isCurrency(in.Currency, money.AssetNGN) {
		refused = refused.About("currency", errCurrency.Message)
	}
	for i, item := range in.Items {
		if !isCurrency(item.Currency, money.AssetNGN) {
			refused = refused.About(fmt.Sprintf("items.%d.currency", i), errCurrency.Message)
		}
	}
	if len(refused.Fields) == 0 {
		return nil
	}
	return refused
}

func (in *bulkPayoutInput) params(p *ferry.Problems) payouts.Params {
	params := payouts.Params{
		Type: payouts.Bulk, Reference: in.Reference, Source: in.Source, Narration: in.Narration,
		Items: make([]payouts.Destination, 0, len(in.Items)),
	}
	for i, item := range in.Items {
		params.Items = append(params.Items, payouts.Destination{
			Reference: item.Reference, BankCode: item.BankCode, AccountNumber: item.AccountNumber,
			Amount: amountOf(p, fmt.Sprintf("items.%d.amount", i), money.AssetNGN, item.Amount),
		})
	}
	return params
}

func (a *api) createBulkPayout(c *call, in bulkPayoutInput) ferry.Operation[payouts.Tx, payouts.Details] {
	return after(in.otherCurrency, a.engine.Payouts.CreateOp(c.scope, in.params(new(ferry.Problems))))
}

type payoutNameInput struct {
	Identifier string `json:"identifier" required:"true" doc:"pout_… or uid_…, or the reference" eg:"salaries-march"`
}

func (a *api) processPayout(ctx context.Context, tx store.Tx, c *call, in payoutNameInput) (payoutView, error) {
	p, err := a.engine.Payouts.ProcessIn(ctx, tx, c.scope, payouts.Ref{Name: in.Identifier})
	return viewPayout(p), err
}

func (a *api) cancelPayout(ctx context.Context, tx store.Tx, c *call, in payoutNameInput) (payoutView, error) {
	p, err := a.engine.Payouts.CancelIn(ctx, tx, c.scope, payouts.Ref{Name: in.Identifier})
	return viewPayout(p), err
}
