package httpapi

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

const tagAccounts = "Collection accounts"

func (a *api) accountRoutes() []route {
	virtual, reserved := accountKind{a, accounts.Virtual}, accountKind{a, accounts.Reserved}
	return []route{
		post("/v1/fiat/virtual-accounts", makes(a.createVirtual, viewAccount), about{
			id: "createVirtualAccount", scope: business.Collect, tag: tagAccounts,
			summary: "Issue a temporary account", message: "Virtual account created successfully",
		}),
		get("/v1/fiat/virtual-accounts", query(virtual.list), about{
			id: "getVirtualAccounts", tag: tagAccounts,
			summary: "Read one virtual account, or list them", message: "Virtual accounts retrieved successfully",
		}),
		del("/v1/fiat/virtual-accounts", unit(virtual.close), about{
			id: "deleteVirtualAccount", scope: business.Collect, tag: tagAccounts,
			summary: "Close a virtual account", message: "Virtual account closed",
		}),
		post("/v1/fiat/reserved-accounts", makes(a.createReserved, viewAccount), about{
			id: "createReservedAccount", scope: business.Collect, tag: tagAccounts,
			summary: "Issue an account for a verified identity", message: "Reserved account created successfully",
		}),
		get("/v1/fiat/reserved-accounts", query(reserved.list), about{
			id: "getReservedAccounts", tag: tagAccounts,
			summary: "Read one reserved account, or list them", message: "Reserved accounts retrieved successfully",
		}),
		del("/v1/fiat/reserved-accounts", unit(reserved.close), about{
			id: "deleteReservedAccount", scope: business.Collect, tag: tagAccounts,
			summary: "Close a reserved account", message: "Reserved account closed",
		}),
	}
}

type virtualAccountInput struct {
	Currency  string             `json:"currency" required:"true" doc:"NGN" eg:"NGN"`
	ValidFor  *int64             `json:"validFor" doc:"Seconds, 900 by default" min:"1" max:"86400" eg:"900"`
	Seconds   *int64             `json:"valid_for" as:"validFor" min:"1" max:"86400"`
	Amount    strictjson.Literal `json:"amount" doc:"Naira; any sum by default" eg:"5000"`
	Reference string             `json:"reference" required:"true" max:"100" eg:"invoice-17"`
}

func (in *virtualAccountInput) check(p *ferry.Problems) {
	if in.ValidFor != nil && in.Seconds != nil && *in.ValidFor != *in.Seconds {
		p.Add("valid_for", "Must be equal to validFor")
	}
	judge(p, in.params)
}

func (in *virtualAccountInput) params(p *ferry.Problems) accounts.VirtualParams {
	return accounts.VirtualParams{
		Currency: in.Currency, Reference: in.Reference, ValidFor: cmp.Or(in.ValidFor, in.Seconds),
		Amount: amountOf(p, "amount", money.AssetNGN, in.Amount),
	}
}

func (a *api) createVirtual(c *call, in virtualAccountInput) ferry.Operation[accounts.Tx, accounts.Account] {
	return a.engine.Accounts.CreateVirtualOp(c.scope, in.params(new(ferry.Problems)))
}

type reservedAccountInput struct {
	Currency    string `json:"currency" required:"true" doc:"NGN" eg:"NGN"`
	IdentityID  string `json:"identity_id" required:"true" doc:"A verified identity of the business" eg:"idn_019cadd4569875d7a1b61a53693e7f0f"`
	PhoneNumber string `json:"phone_number" required:"true" eg:"+2348012345678"`
	Email       string `json:"email" required:"true" eg:"ada@example.com"`
}

func (in *reservedAccountInput) check(p *ferry.Problems) {
	in.params().Check(p)
}

func (in *reservedAccountInput) params() accounts.ReservedParams {
	return accounts.ReservedParams{Currency: in.Currency, IdentityID: in.IdentityID, Phone: in.PhoneNumber, Email: in.Email}
}

func (a *api) createReserved(c *call, in reservedAccountInput) ferry.Operation[accounts.Tx, accounts.Account] {
	return a.engine.Accounts.CreateReservedOp(c.scope, in.params())
}

// accountKind is the routes that both kinds of account have alike.
type accountKind struct {
	*api
	kind accounts.Kind
}

type accountsQuery struct {
	ID          string `query:"id" doc:"Reads one account, in either form"`
	UID         string `query:"uid" doc:"As id"`
	Transaction *bool  `query:"transaction" doc:"With its transactions, of which page and limit then choose; by default the newest 100"`
	Status      string `query:"status" enum:"active,completed,expired,closed"`
	Reference   string `query:"reference"`
	Search      string `query:"search" doc:"Part of the reference, the account's number or name, or the email"`
	rangeQuery
	pageQuery
}

func (k accountKind) list(ctx context.Context, c *call, in accountsQuery) (either[accountView, accountView], error) {
	if in.ID != "" || in.UID != "" {
		found, err := k.read(ctx, c, in)
		return one[accountView, accountView](found), err
	}
	found, err := k.engine.Accounts.List(ctx, c.scope, accounts.Filter{
		Kind: k.kind, Status: accounts.Status(in.Status), Reference: in.Reference,
		Search: in.Search, Range: in.between(),
	}, in.page())
	return either[accountView, accountView]{list: paged(in.page(), found, viewAccount)}, err
}

func (k accountKind) read(ctx context.Context, c *call, in accountsQuery) (accountView, error) {
	found, err := k.engine.Accounts.Get(ctx, c.scope, k.kind, cmp.Or(in.ID, in.UID))
	view := viewAccount(found)
	if err != nil || in.Transaction == nil || !*in.Transaction {
		return view, err
	}
	page := ferry.Page{Number: in.Page, Limit: cmp.Or(in.Limit, ferry.MaxLimit)}
	lines, err := k.engine.Statement.List(ctx, c.scope, statement.Filter{Source: string(found.ID)}, page)
	shown := paged(page, lines, viewMoney)
	view.Transactions, view.TransactionsPage = &shown.rows, &shown.page
	return view, err
}

type accountQuery struct {
	ID  string `json:"-" query:"id" doc:"In either form"`
	UID string `json:"-" query:"uid" doc:"As id"`
}

func (in *accountQuery) check(p *ferry.Problems) {
	if in.ID == "" && in.UID == "" {
		p.Add("id", missing)
	}
}

func (k accountKind) close(ctx context.Context, tx store.Tx, c *call, in accountQuery) (accountView, error) {
	closed, err := k.engine.Accounts.CloseIn(ctx, tx, c.scope, k.kind, cmp.Or(in.ID, in.UID))
	return viewAccount(closed), err
}

type accountView struct {
	ID               accounts.ID     `json:"id" eg:"vacc_019cadd4569875d7a1b61a53693e7f0f"`
	UID              string          `json:"uid" eg:"uid_019cadd4569875d7a1b61a53693e7f0f"`
	Type             accounts.Kind   `json:"type" enum:"virtual,reserved" eg:"virtual"`
	Reference        string          `json:"reference" eg:"invoice-17"`
	Currency         string          `json:"currency" enum:"NGN" eg:"NGN"`
	Amount           *number         `json:"amount" doc:"Naira; null for any sum" eg:"5000"`
	AmountUnit       string          `json:"amount_unit" enum:"major" eg:"major"`
	ValidFor         *int64          `json:"valid_for" doc:"Seconds; null for reserved accounts" eg:"900"`
	AccountNumber    string          `json:"account_number" eg:"9000000001"`
	AccountName      string          `json:"account_name" eg:"Demo business"`
	BankCode         string          `json:"bank_code" eg:"999"`
	BankName         string          `json:"bank_name" eg:"Sandbox Bank"`
	Status           accounts.Status `json:"status" enum:"active,completed,expired,closed" eg:"active"`
	ExpiresAt        optionalTime    `json:"expires_at" eg:"2026-03-02T09:30:00.000Z"`
	TotalReceived    number          `json:"total_received" eg:"0"`
	CreditCount      int64           `json:"credit_count" eg:"0"`
	LastCreditAt     optionalTime    `json:"last_credit_at" eg:"null"`
	IdentityID       optionalText    `json:"identity_id" eg:"null"`
	CustomerID       optionalText    `json:"customer_id" eg:"null"`
	Email            optionalText    `json:"email" eg:"null"`
	PhoneNumber      optionalText    `json:"phone_number" eg:"null"`
	Transactions     *[]moneyView    `json:"transactions,omitempty" doc:"With transaction=1: a page, newest first"`
	TransactionsPage *pagination     `json:"transactions_page,omitempty" doc:"With transaction=1: which page of how many"`
	CreatedAt        timestamp       `json:"created_at" eg:"2026-03-02T09:15:00.000Z"`
	UpdatedAt        timestamp       `json:"updated_at" eg:"2026-03-02T09:15:00.000Z"`
}

func viewAccount(a accounts.Account) accountView {
	view := accountView{
		ID: a.ID, UID: ferry.UID(string(a.ID)), Type: a.Kind, Reference: a.Reference, Currency: "NGN", AmountUnit: "major",
		AccountNumber: a.Bank.AccountNumber, AccountName: a.Bank.AccountName, BankCode: a.Bank.BankCode, BankName: a.Bank.BankName,
		Status: a.Status, ExpiresAt: optionalTime(a.ExpiresAt), TotalReceived: number(a.Received), CreditCount: a.Count,
		LastCreditAt: optionalTime(a.LastAt), IdentityID: optionalText(a.Identity), CustomerID: optionalText(a.Customer),
		Email: optionalText(a.Email), PhoneNumber: optionalText(a.Phone),
		CreatedAt: timestamp(a.CreatedAt), UpdatedAt: timestamp(a.UpdatedAt),
	}
	if a.Amount.Sign() > 0 {
		view.Amount = numberOf(a.Amount)
	}
	if a.Kind == accounts.Virtual {
		seconds := int64(a.ValidFor.Seconds())
		view.ValidFor = &seconds
	}
	return view
}
