package httpapi

import (
	"cmp"
	"context"
	"net/url"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
)

type createCheckoutInput struct {
	PublicKey     string             `json:"public_key" required:"true" eg:"pk_test_…"`
	TrxID         string             `json:"trx_id" required:"true" max:"100" eg:"order-981"`
	Email         string             `json:"email" required:"true" eg:"ada@example.com"`
	Name          string             `json:"name" eg:"Ada Obi"`
	Phone         string             `json:"phone" eg:"08012345678"`
	Amount        strictjson.Literal `json:"amount" required:"true" doc:"Naira, or full units of the asset" eg:"15000"`
	AmountType    string             `json:"amount_type" doc:"fiat by default" enum:"fiat,crypto" eg:"fiat"`
	Currency      string             `json:"currency" doc:"NGN or USDC" eg:"NGN"`
	RedirectURL   string             `json:"redirect_url" doc:"Where there is no more specific URL" eg:"https://shop.example.com/done"`
	SuccessURL    string             `json:"success_url"`
	CancelURL     string             `json:"cancel_url"`
	TimeoutURL    string             `json:"timeout_url"`
	PaymentMethod string             `json:"payment_method" doc:"Restricts the session to one method" enum:"bank-transfer,crypto"`
	Asset         string             `json:"asset" doc:"solana:usdc by default" eg:"solana:usdc"`
	Metadata      ferry.Metadata     `json:"metadata" eg:"{\"cart\": 9}"`

	Customizations customizationsInput `json:"customizations"`
}

// amountType is what prices the order: the type that is named, or else the currency.
func (in *createCheckoutInput) amountType() checkout.AmountType {
	asset, err := money.ParseAsset(in.Currency)
	if in.AmountType == "" && err == nil && asset == money.AssetUSDC {
		return checkout.InCrypto
	}
	return checkout.AmountType(in.AmountType)
}

func (in *createCheckoutInput) check(p *ferry.Problems) {
	if asset, err := money.ParseAsset(in.Currency); err == nil && asset == money.AssetUSDC && in.AmountType == string(checkout.InFiat) {
		p.Add("currency", "Must be NGN when amount_type is fiat")
	}
	judge(p, in.params)
}

func (in *createCheckoutInput) params(p *ferry.Problems) checkout.CreateParams {
	return checkout.CreateParams{
		Variant: business.DialectA, Public: true, TrxID: in.TrxID, Email: in.Email, Name: in.Name, Phone: in.Phone,
		Amount: amountOf(p, "amount", in.amountType().Asset(), in.Amount),
		Method: business.PaymentMethod(in.PaymentMethod), Pair: checkout.Pair(in.Asset), Metadata: in.Metadata,
		Customizations: checkout.Customizations(in.Customizations),
		Redirects: checkout.Redirects{
			Redirect: in.RedirectURL, Success: in.SuccessURL, Cancel: in.CancelURL, Timeout: in.TimeoutURL,
		},
	}
}

func (a *api) createCheckout(c *call, in createCheckoutInput) ferry.Operation[checkout.Tx, checkout.Created] {
	return a.orderCheckout(c, in.Currency, in.params(new(ferry.Problems)))
}

// createdCheckout shows a session. Whoever did not make it may be a stranger, and gets no
// more of it than how to pay.
func (a *api) createdCheckout(ctx context.Context, tx checkout.Tx, c *call, in createCheckoutInput, made checkout.Created) (checkoutOutput, error) {
	out, err := a.madeCheckout(ctx, tx, c, made)
	if err != nil || !made.Reused {
		return out, err
	}
	lookUp := url.Values{"trx_id": {out.state.TrxID}, "public_key": {in.PublicKey}}
	return out.found(c.baseURL() + "/checkout?" + lookUp.Encode()), nil
}

type createSessionInput struct {
	minorUnits
	PublicKey      string              `json:"public_key" required:"true" eg:"pk_test_…"`
	Amount         strictjson.Literal  `json:"amount" required:"true" doc:"Kobo for NGN, full units for USDC" eg:"1500000" form:"price"`
	Currency       string              `json:"currency" required:"true" doc:"NGN or USDC" eg:"NGN"`
	TrxID          string              `json:"trx_id" required:"true" max:"100" eg:"order-981"`
	Email          string              `json:"email" doc:"Here or in customer" eg:"ada@example.com"`
	Name           string              `json:"name" max:"100" eg:"Ada Obi"`
	Phone          string              `json:"phone" doc:"11 digits starting with 0" eg:"08012345678"`
	RedirectURL    string              `json:"redirect_url" doc:"Overrides success_url and cancel_url" eg:"https://shop.example.com/done"`
	SuccessURL     string              `json:"success_url"`
	CancelURL      string              `json:"cancel_url"`
	Meta           ferry.Metadata      `json:"meta" eg:"{\"cart\": 9}"`
	Customer       payerInput          `json:"customer"`
	Customizations customizationsInput `json:"customizations"`
}

type payerInput struct {
	Email string `json:"email"`
	Phone string `json:"phone"`
	Name  string `json:"name"`
}

type customizationsInput struct {
	Title       string `json:"title" max:"50" eg:"Jollof House"`
	Description string `json:"description" max:"200"`
	Logo        string `json:"logo" doc:"An https URL; it is not fetched"`
}

func (in *createSessionInput) check(p *ferry.Problems) {
	in.refuse(p)
	judge(p, in.params)
}

func (in *createSessionInput) params(p *ferry.Problems) checkout.CreateParams {
	return checkout.CreateParams{
		Variant: business.DialectB, TrxID: in.TrxID,
		Email: cmp.Or(in.Email, in.Customer.Email), Name: cmp.Or(in.Name, in.Customer.Name), Phone: cmp.Or(in.Phone, in.Customer.Phone),
		Amount: priceOf(p, "amount", in.Currency, in.Amount), Metadata: in.Meta,
		Redirects:      checkout.Redirects{Redirect: in.RedirectURL, Success: in.SuccessURL, Cancel: in.CancelURL},
		Customizations: checkout.Customizations(in.Customizations),
	}
}

func (a *api) createSession(c *call, in createSessionInput) ferry.Operation[checkout.Tx, checkout.Created] {
	op := a.orderCheckout(c, in.Currency, in.params(new(ferry.Problems)))
	return after(func(ctx context.Context, _ string) error {
		key, err := a.publicKey(ctx, in.PublicKey)
		if err == nil && key.Scope != c.scope {
			err = errPublicKey
		}
		return err
	}, op)
}

// orderCheckout makes a session for an order, in a currency that there is.
func (a *api) orderCheckout(c *call, currency string, p checkout.CreateParams) ferry.Operation[checkout.Tx, checkout.Created] {
	p.Pages = c.baseURL()
	return after(func(_ context.Context, resource string) error {
		if currency == "" || resource != "" {
			return nil
		}
		_, err := assetOf(currency)
		return err
	}, a.engine.Checkout.CreateOp(c.scope, p))
}

// createdSession shows a session in dialect B.
func (a *api) createdSession(ctx context.Context, tx checkout.Tx, c *call, _ createSessionInput, made checkout.Created) (sessionOutput, error) {
	out, err := a.madeCheckout(ctx, tx, c, made)
	if err != nil {
		return sessionOutput{}, err
	}
	return asSession(out), nil
}

// madeCheckout shows a session that was made, or that is reused.
func (a *api) madeCheckout(ctx context.Context, tx checkout.Tx, c *call, made checkout.Created) (checkoutOutput, error) {
	state, err := a.engine.Checkout.ShownIn(ctx, tx, c.scope, made.Session.Ref())
	if err != nil {
		return checkoutOutput{}, err
	}
	out := c.viewCheckout(state, made)
	return out, a.withRequest(out.data.Account, state)
}
