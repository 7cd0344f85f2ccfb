package httpapi

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

const tagBusiness = "Business"

func (a *api) businessRoutes() []route {
	return []route{
		get("/v1/business", query(a.business), about{
			id: "getBusiness", tag: tagBusiness,
			summary: "Read the calling business", message: "Business retrieved successfully",
		}),
		patch("/v1/business", unit(a.patchBusiness), about{
			id: "patchBusiness", scope: business.Manage, tag: tagBusiness,
			summary: "Change name and preferences", message: "Business updated successfully",
		}),
		get("/v1/business/balance", query(a.businessBalance), about{
			id: "getBusinessBalance", tag: tagBusiness,
			summary: "Read what the business has, by currency", message: "Balance retrieved successfully",
		}),
	}
}

func (a *api) business(ctx context.Context, c *call, _ struct{}) (businessView, error) {
	return ferry.InRead(ctx, a.engine.Units(c.scope.Env), func(ctx context.Context, tx store.Tx) (businessView, error) {
		webhook.EndpointKind.Prefetch(tx, c.scope, c.scope.Business)
		b, err := business.Of(ctx, tx, c.scope)
		if err != nil {
			return businessView{}, err
		}
		return a.viewBusiness(ctx, tx, b)
	})
}

type patchBusinessInput struct {
	Name             *string   `json:"name" eg:"Ada's shop"`
	APIVariant       *string   `json:"api_variant" doc:"The dialect of routes that exist in two" enum:"A,B" eg:"B"`
	CustomerPaysFee  *bool     `json:"customer_pays_fee" eg:"false"`
	CryptoSettlement *string   `json:"crypto_settlement" enum:"hold,convert" eg:"hold"`
	PaymentMethods   *[]string `json:"payment_methods" doc:"bank-transfer and crypto, in the order in which payers see them" eg:"[\"bank-transfer\", \"crypto\"]"`
	RedirectHosts    *[]string `json:"redirect_hosts" doc:"Hosts payers may be sent back to; none means any, but with a public key in live mode none" eg:"[\"shop.example.com\"]"`
	MismatchPolicy   *string   `json:"mismatch_policy" enum:"strict,accept" eg:"strict"`
	SupportEmail     *string   `json:"support_email" doc:"Shown to payers who are to contact the business; empty for none" eg:"help@shop.example.com"`
	SupportPhone     *string   `json:"support_phone" doc:"As support_email" eg:"+2348012345678"`
	SupportURL       *string   `json:"support_url" doc:"As support_email: a page of https, in the sandbox also of http" eg:"https://shop.example.com/help"`
	LogoURL          *string   `json:"logo_url" doc:"A picture at the top of its pages: an https URL, in the sandbox also http, that browsers load; empty for none" eg:"https://shop.example.com/logo.svg"`
	IconURL          *string   `json:"icon_url" doc:"As logo_url, in the tab of the browser" eg:"https://shop.example.com/icon.png"`
	AccentColor      *string   `json:"accent_color" doc:"Of buttons and links; pages show the nearest shade that can be read; empty for none" eg:"#0b5d4e"`
	fixedBusinessInput
}

func (in patchBusinessInput) params() business.UpdateParams {
	p := business.UpdateParams{
		Name:             in.Name,
		APIVariant:       (*business.Dialect)(in.APIVariant),
		CustomerPaysFee:  in.CustomerPaysFee,
		CryptoSettlement: (*business.Settlement)(in.CryptoSettlement),
		RedirectHosts:    in.RedirectHosts,
		MismatchPolicy:   (*business.MismatchPolicy)(in.MismatchPolicy),
		SupportEmail:     in.SupportEmail, SupportPhone: in.SupportPhone, SupportURL: in.SupportURL,
		LogoURL: in.LogoURL, IconURL: in.IconURL, AccentColor: in.AccentColor,
	}
	if in.PaymentMethods != nil {
		methods := make([]business.PaymentMethod, 0, len(*in.PaymentMethods))
		for _, m := range *in.PaymentMethods {
			methods = append(methods, business.PaymentMethod(m))
		}
		p.PaymentMethods = &methods
	}
	return p
}

func (a *api) patchBusiness(ctx context.Context, tx store.Tx, c *call, in patchBusinessInput) (businessView, error) {
	former, err := business.Of(ctx, tx, c.scope)
	if err != nil {
		return businessView{}, err
	}
	shown, err := a.viewBusiness(ctx, tx, former)
	if err != nil {
		return businessView{}, err
	}
	if err := in.compared(shown); err != nil {
		return businessView{}, err
	}
	changed, err := a.engine.Businesses.UpdateIn(ctx, tx, c.scope, in.params())
	if err != nil {
		return businessView{}, err
	}
	return a.viewBusiness(ctx, tx, changed)
}

func (a *api) businessBalance(ctx context.Context, c *call, _ struct{}) ([]totalView, error) {
	totals, err := a.engine.Balances(ctx, c.scope)
	if err != nil {
		return nil, err
	}
	views := make([]totalView, 0, len(totals))
	for _, t := range totals {
		view, err := viewTotal(t)
		if err != nil {
			return nil, err
		}
		views = append(views, view)
	}
	return views, nil
}

type businessView struct {
	ID               ferry.BusinessID         `json:"id" eg:"biz_019cadd4569875d7a1b61a53693e7f0f"`
	Name             string                   `json:"name" eg:"Ada's shop"`
	APIVariant       business.Dialect         `json:"api_variant" enum:"A,B" eg:"B"`
	CustomerPaysFee  bool                     `json:"customer_pays_fee" eg:"false"`
	CryptoSettlement business.Settlement      `json:"crypto_settlement" enum:"hold,convert" eg:"hold"`
	PaymentMethods   []business.PaymentMethod `json:"payment_methods" eg:"[\"bank-transfer\", \"crypto\"]"`
	RedirectHosts    []string                 `json:"redirect_hosts" eg:"[]"`
	MismatchPolicy   business.MismatchPolicy  `json:"mismatch_policy" enum:"strict,accept" eg:"strict"`
	SupportEmail     optionalText             `json:"support_email" eg:"help@shop.example.com"`
	SupportPhone     optionalText             `json:"support_phone" eg:"+2348012345678"`
	SupportURL       optionalText             `json:"support_url" eg:"https://shop.example.com/help"`
	LogoURL          optionalText             `json:"logo_url" eg:"https://shop.example.com/logo.svg"`
	IconURL          optionalText             `json:"icon_url" eg:"https://shop.example.com/icon.png"`
	AccentColor      optionalText             `json:"accent_color" eg:"#0b5d4e"`
	WebhookURL       optionalText             `json:"webhook_url" doc:"Set by /v1/webhook/config" eg:"https://shop.example.com/hooks"`
	SourceAccounts   []sourceAccountView      `json:"source_accounts"`
	Fees             map[string]tariffView    `json:"fees" doc:"What a payment costs, by channel" eg:"{}"`
	CreatedAt        timestamp                `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt        timestamp                `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

// sourceAccountView is a bank account of the business.
type sourceAccountView struct {
	ID            string `json:"id" eg:"bank_019cadd4569875d7a1b61a53693e7f0f"`
	AccountNumber string `json:"account_number" eg:"9000000001"`
	BankCode      string `json:"bank_code" eg:"999"`
	BankName      string `json:"bank_name" eg:"Sandbox Bank"`
	AccountName   string `json:"account_name" eg:"Ada's shop"`
}

// tariffView is what a payment through one channel costs.
type tariffView struct {
	Platform   ruleView `json:"platform"`
	Processing ruleView `json:"processing"`
}

// ruleView is a share of the amount and a flat sum, within bounds, in naira.
type ruleView struct {
	Percent json.Number `json:"percent" eg:"1.5"`
	Flat    number      `json:"flat" eg:"100"`
	Minimum number      `json:"minimum" eg:"0"`
	Cap     *number     `json:"cap" eg:"2000"`
}

func viewTariffs(tariffs fees.Tariffs) map[string]tariffView {
	views := map[string]tariffView{}
	for _, channel := range fees.Channels {
		views[string(channel)] = tariffView{viewRule(tariffs[channel].Platform), viewRule(tariffs[channel].Processing)}
	}
	return views
}

func viewRule(r fees.Rule) ruleView {
	view := ruleView{
		// A share in millionths is a percentage with four decimals.
		Percent: json.Number(fmt.Sprintf("%d.%04d", r.Share/10_000, r.Share%10_000)),
		Flat:    number(money.NGN(r.Flat.Minor())), Minimum: number(money.NGN(r.Minimum.Minor())),
	}
	if r.Cap.Sign() > 0 {
		view.Cap = numberOf(r.Cap)
	}
	return view
}

// totalView is what a business has of one currency, over all its accounts.
type totalView struct {
	Currency  string `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	Posted    number `json:"posted" eg:"1000000"`
	Reserved  number `json:"reserved" eg:"0"`
	Available number `json:"available" eg:"1000000"`
}

func (a *api) viewBusiness(ctx context.Context, tx store.Tx, b business.Business) (businessView, error) {
	url, err := webhookURL(ctx, tx, b.Scope)
	view := businessView{
		ID: b.Scope.Business, Name: b.Name,
		APIVariant: b.APIVariant, CustomerPaysFee: b.CustomerPaysFee, CryptoSettlement: b.CryptoSettlement,
		PaymentMethods: append([]business.PaymentMethod{}, b.PaymentMethods...),
		RedirectHosts:  append([]string{}, b.RedirectHosts...), MismatchPolicy: b.MismatchPolicy,
		SupportEmail: optionalText(b.Support.Email), SupportPhone: optionalText(b.Support.Phone), SupportURL: optionalText(b.Support.URL),
		LogoURL: optionalText(b.Branding.LogoURL), IconURL: optionalText(b.Branding.IconURL), AccentColor: optionalText(b.Branding.AccentColor),
		WebhookURL: optionalText(url), SourceAccounts: make([]sourceAccountView, 0, len(b.SourceAccounts)),
		Fees:      viewTariffs(a.engine.Checkout.Tariffs()),
		CreatedAt: timestamp(b.CreatedAt), UpdatedAt: timestamp(b.UpdatedAt),
	}
	for _, account := range b.SourceAccounts {
		view.SourceAccounts = append(view.SourceAccounts, sourceAccountView(account))
	}
	return view, err
}

func viewTotal(t ledger.Total) (totalView, error) {
	available, err := t.Posted.Sub(t.Reserved)
	return totalView{t.Asset.String(), number(t.Posted), number(t.Reserved), number(available)}, err
}
