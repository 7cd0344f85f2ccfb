package httpapi

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/wallets"
)

func lower(text string) string { return strings.ToLower(text) }

type quotedRateView struct {
	Rate json.Number `json:"rate" eg:"1500"`
}

// refreshAfter is how many seconds a quote is fresh.
const refreshAfter = 30

// offersView is what the payer may choose from.
type offersView struct {
	AvailablePaymentMethods []business.PaymentMethod `json:"available_payment_methods" eg:"[\"bank-transfer\", \"crypto\"]"`
	DefaultPaymentMethod    business.PaymentMethod   `json:"default_payment_method" enum:"bank-transfer,crypto" eg:"bank-transfer"`
}

// viewOffers never offers nothing: a session has a method, if not now.
func viewOffers(s checkout.State) offersView {
	offers := s.Available()
	view := offersView{AvailablePaymentMethods: append([]business.PaymentMethod{}, offers...)}
	if len(offers) > 0 {
		view.DefaultPaymentMethod = offers[0]
	} else if len(s.Methods) > 0 {
		view.DefaultPaymentMethod = s.Methods[0]
	}
	return view
}

type fiatView struct {
	BankCode      string      `json:"bank_code" eg:"999"`
	BankName      string      `json:"bank_name" eg:"Sandbox Bank"`
	AccountName   string      `json:"account_name" eg:"Demo business"`
	AccountNumber string      `json:"account_number" eg:"9000000001"`
	Amount        number      `json:"amount" doc:"What to pay, in naira" eg:"15000"`
	Rate          json.Number `json:"rate,omitzero" doc:"Naira for one USDC, of an order in USDC" eg:"1500"`
	ExpiresAt     timestamp   `json:"expires_at,omitzero" doc:"Until when amount stands, of an order in USDC" eg:"2026-03-02T09:30:00.000Z"`
}

type cryptoView struct {
	IsType              string                     `json:"is_type" eg:"crypto"`
	Reference           string                     `json:"reference" eg:"order-981"`
	PublicKey           string                     `json:"publicKey" doc:"The deposit address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	Address             string                     `json:"address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	Network             string                     `json:"network" eg:"solana"`
	Asset               string                     `json:"asset" eg:"USDC"`
	NetworkAsset        checkout.Pair              `json:"network_asset" eg:"solana:usdc"`
	DepositAddress      string                     `json:"deposit_address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	DepositAsset        string                     `json:"deposit_asset" eg:"USDC"`
	PaymentURL          optionalText               `json:"payment_url" doc:"A Solana Pay URL for a link or a QR code: amount less amount_received to the deposit address. Null when it may not be paid now; the bare address when the chain names no mint" eg:"solana:7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU?amount=10&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"`
	FiatAmount          *number                    `json:"fiat_amount,omitempty" doc:"Not where there are no exchange rates" eg:"15000"`
	FiatCurrency        string                     `json:"fiat_currency" eg:"NGN"`
	ExpiresAt           timestamp                  `json:"expires_at" doc:"Until when the rate stands" eg:"2026-03-02T09:30:00.000Z"`
	Status              checkout.InstructionStatus `json:"status" enum:"AWAITING_DEPOSIT,DETECTED,CONFIRMED,EXPIRED" eg:"AWAITING_DEPOSIT"`
	Type                string                     `json:"type" eg:"OFFRAMP"`
	Rate                map[string]json.Number     `json:"rate,omitempty" doc:"Not where there are no exchange rates" eg:"{\"USDC\": 1500}"`
	Amount              number                     `json:"amount" doc:"What to send" eg:"10"`
	AmountReceived      number                     `json:"amount_received" eg:"0"`
	RequestedAmount     *number                    `json:"requested_amount,omitempty" doc:"Of an order in USDC" eg:"10"`
	RequestedAmountType string                     `json:"requested_amount_type,omitempty" enum:"crypto" eg:"crypto"`
}

type payableView struct {
	offersView
	blocksView
}

type blocksView struct {
	Fiat   *fiatView   `json:"fiat,omitempty"`
	Crypto *cryptoView `json:"crypto,omitempty"`
}

func viewPayable(state checkout.State) payableView {
	return payableView{viewOffers(state), viewBlocks(state)}
}

// viewBlocks shows where to pay. A bank account has no status of its own: it is not
// shown once the session's time is over, because what comes then goes back.
func viewBlocks(state checkout.State) blocksView {
	var view blocksView
	offer := state.Naira()
	if account := state.Account; account != (bank.Account{}) && state.Open && state.Offers(business.BankTransfer) {
		view.Fiat = &fiatView{
			account.BankCode, account.BankName, account.AccountName, account.AccountNumber,
			number(offer.Amount()), json.Number(offer.Price), timestamp(offer.Until),
		}
	}
	i := state.Current
	if i == nil || !state.Offers(business.Crypto) {
		return view
	}
	view.Crypto = &cryptoView{
		IsType: "crypto", Reference: state.TrxID, PublicKey: string(i.Deposit), Address: string(i.Deposit),
		Network: wallets.Network, Asset: "USDC", NetworkAsset: i.Pair, DepositAddress: string(i.Deposit), DepositAsset: "USDC",
		FiatCurrency: "NGN", ExpiresAt: timestamp(i.ExpiresAt), Status: i.Status,
		Type:   "OFFRAMP",
		Amount: number(i.Amount), AmountReceived: number(i.Received),
	}
	if i.Price != "" {
		view.Crypto.Rate, view.Crypto.FiatAmount = map[string]json.Number{"USDC": json.Number(i.Price)}, numberOf(offer.Amount())
	}
	if state.Pricing.Type == checkout.InCrypto {
		view.Crypto.RequestedAmount, view.Crypto.RequestedAmountType = numberOf(state.Pricing.Requested), string(checkout.InCrypto)
	}
	return view
}

// checkoutView is a session of dialect A: its id is the trx_id.
type checkoutView struct {
	ID          string              `json:"id" eg:"order-981"`
	SessionID   checkout.ID         `json:"session_id,omitempty" doc:"Not of a session that is reused" eg:"sess_019cadd46e0878ec834189614d3d15ce"`
	Reference   payments.ID         `json:"reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Status      checkout.Status     `json:"status" enum:"pending,completed,failed,cancelled,expired" eg:"pending"`
	CheckoutURL string              `json:"checkout_url" eg:"https://pay.example.com/checkout/sess_019cadd46e0878ec834189614d3d15ce"`
	ExpiresAt   timestamp           `json:"expires_at" eg:"2026-03-03T09:15:00.000Z"`
	Amount      json.Number         `json:"amount" eg:"15000"`
	Currency    string              `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	AmountType  checkout.AmountType `json:"amount_type" enum:"fiat,crypto" eg:"fiat"`
	AmountUnit  string              `json:"amount_unit" enum:"minor,major" eg:"major"`
	optionsView
}

// optionsView is how to pay a session, in its data and again beside that.
type optionsView struct {
	offersView
	CryptoAvailable bool         `json:"crypto_available" eg:"true"`
	CryptoError     optionalText `json:"crypto_error" eg:"null"`
	Account         blocksView   `json:"account"`
	Reused          bool         `json:"reused,omitempty" eg:"true"`
	RequestedTrxID  string       `json:"requested_trx_id,omitempty" eg:"order-982"`
}

type checkoutBeside struct {
	URL   string `json:"url" eg:"https://pay.example.com/checkout/sess_019cadd46e0878ec834189614d3d15ce"`
	TrxID string `json:"trx_id" eg:"order-981"`
	optionsView
}

// checkoutOutput is a session of dialect A with what stands beside it. It keeps the
// session for the other dialect.
type checkoutOutput struct {
	with[checkoutView, checkoutBeside]
	message string
	state   checkout.State
	scope   ferry.Scope
}

func (o checkoutOutput) content() content {
	it := o.with.content()
	it.message = o.message
	return it
}

const reusedMessage = "Existing checkout reused"

// viewCheckout shows a session as its order gets it: of one that is reused, the methods
// that the order asks for.
func (c *call) viewCheckout(state checkout.State, made checkout.Created) checkoutOutput {
	amount, unit := amountOfOrder(state.Session)
	url := c.baseURL() + "/checkout/" + string(state.ID)
	if made.Reused {
		state.Methods = made.Methods
	}
	view := checkoutView{
		ID: state.TrxID, SessionID: state.ID, Reference: state.Session.Payment, Status: state.Status, CheckoutURL: url,
		ExpiresAt: timestamp(state.ExpiresAt), Amount: amount, Currency: state.Pricing.Type.Asset().String(),
		AmountType: state.Pricing.Type, AmountUnit: unit,
		optionsView: optionsView{
			offersView: viewOffers(state), CryptoAvailable: slices.Contains(state.Available(), business.Crypto),
			CryptoError: optionalText(state.CryptoError), Account: viewBlocks(state),
		},
	}
	out := checkoutOutput{state: state, scope: state.Scope}
	if made.Reused {
		view.Reused, view.RequestedTrxID, out.message = true, made.Requested, reusedMessage
	}
	out.with = with[checkoutView, checkoutBeside]{view, &checkoutBeside{url, state.TrxID, view.optionsView}}
	return out
}

// found is a session as an order that reuses it gets it: with the address of the page
// that is found by its trx_id, and without the id that its own page has.
func (o checkoutOutput) found(url string) checkoutOutput {
	view, beside := o.data, *o.beside
	view.SessionID, view.CheckoutURL, beside.URL = "", url, url
	o.with = with[checkoutView, checkoutBeside]{view, &beside}
	return o
}

// sessionView is a session of dialect B.
type sessionView struct {
	ID          checkout.ID      `json:"id" eg:"sess_019cadd46e0878ec834189614d3d15ce"`
	Status      checkout.Status  `json:"status" enum:"pending,completed,failed,expired" eg:"pending"`
	CheckoutURL string           `json:"checkout_url" eg:"https://pay.example.com/checkout/sess_019cadd46e0878ec834189614d3d15ce"`
	ExpiresAt   timestamp        `json:"expires_at" eg:"2026-03-03T09:15:00.000Z"`
	Amount      json.Number      `json:"amount" eg:"1500000"`
	Currency    string           `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	AmountUnit  string           `json:"amount_unit" enum:"minor,major" eg:"minor"`
	Reference   payments.ID      `json:"reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Account     payInAccountView `json:"account"`
}

type payInAccountView struct {
	AccountNumber optionalText `json:"account_number" eg:"9000000001"`
	AccountName   optionalText `json:"account_name" eg:"Demo business"`
	BankCode      optionalText `json:"bank_code" eg:"999"`
	BankName      optionalText `json:"bank_name" eg:"Sandbox Bank"`
	Solana        optionalText `json:"SOLANA" doc:"The deposit address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	ID            checkout.ID  `json:"_id" eg:"sess_019cadd46e0878ec834189614d3d15ce"`
	BusinessUID   string       `json:"business_uid" eg:"uid_019cadd4569875d7a1b61a53693e7f0f"`
}

type sessionBeside struct {
	URL     string           `json:"url" eg:"https://pay.example.com/checkout/sess_019cadd46e0878ec834189614d3d15ce"`
	TrxID   string           `json:"trx_id" eg:"order-981"`
	Account payInAccountView `json:"account"`
}

type sessionOutput = with[sessionView, sessionBeside]

// asSession shows a session in dialect B.
func asSession(made checkoutOutput) sessionOutput {
	state, a := made.state, made.state.Account
	account := payInAccountView{
		AccountNumber: optionalText(a.AccountNumber), AccountName: optionalText(a.AccountName),
		BankCode: optionalText(a.BankCode), BankName: optionalText(a.BankName),
		ID: state.ID, BusinessUID: ferry.UID(string(made.scope.Business)),
	}
	if state.Current != nil {
		account.Solana = optionalText(state.Current.Deposit)
	}
	view := sessionView{
		ID: state.ID, Status: state.Seen(business.DialectB), CheckoutURL: made.data.CheckoutURL, ExpiresAt: made.data.ExpiresAt,
		Amount: made.data.Amount, Currency: made.data.Currency, AmountUnit: made.data.AmountUnit,
		Reference: state.Session.Payment, Account: account,
	}
	return sessionOutput{view, &sessionBeside{view.CheckoutURL, state.TrxID, account}}
}

type checkoutStateView struct {
	Status        checkout.Status `json:"status" enum:"pending,completed,failed,cancelled,expired" eg:"pending"`
	TrxID         string          `json:"trx_id" eg:"order-981"`
	Reference     payments.ID     `json:"reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	PaymentStatus payments.Status `json:"payment_status" enum:"pending,success,failed,cancelled,expired,reversed" eg:"pending"`
	offersView
	RedirectURL optionalText `json:"redirect_url" doc:"Where the payer goes now; null while it is pending" eg:"null"`
	ReceiptURL  optionalText `json:"receipt_url" doc:"The receipt of what was paid; null before" eg:"null"`
}

// checkoutRowView is a session in a list, whichever dialect made it.
type checkoutRowView struct {
	ID            string          `json:"id" doc:"The trx_id (A), or sess_… (B)" eg:"order-981"`
	SessionID     checkout.ID     `json:"session_id" eg:"sess_019cadd46e0878ec834189614d3d15ce"`
	TrxID         string          `json:"trx_id" eg:"order-981"`
	ByPublicKey   bool            `json:"by_public_key" doc:"The order came with a public key, and so did its trx_id" eg:"true"`
	Reference     payments.ID     `json:"reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Status        checkout.Status `json:"status" enum:"pending,completed,failed,cancelled,expired" eg:"pending"`
	PaymentStatus payments.Status `json:"payment_status" enum:"pending,success,failed,cancelled,expired,reversed" eg:"pending"`
	PaymentLinkID optionalText    `json:"payment_link_id" eg:"null"`
	Amount        json.Number     `json:"amount" eg:"15000"`
	Currency      string          `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	AmountUnit    string          `json:"amount_unit" enum:"minor,major" eg:"major"`
	CustomerID    optionalText    `json:"customer_id" doc:"The customer who had the email when the session was made" eg:"cus_019cadd4569875d7a1b61a53693e7f0f"`
	Email         string          `json:"email" eg:"ada@example.com"`
	Name          optionalText    `json:"name" eg:"Ada Obi"`
	Phone         optionalText    `json:"phone" eg:"08012345678"`
	CheckoutURL   string          `json:"checkout_url" eg:"https://pay.example.com/checkout/sess_019cadd46e0878ec834189614d3d15ce"`
	offersView
	ExpiresAt timestamp `json:"expires_at" eg:"2026-03-03T09:15:00.000Z"`
	CreatedAt timestamp `json:"created_at" eg:"2026-03-02T09:15:00.000Z"`
	UpdatedAt timestamp `json:"updated_at" eg:"2026-03-02T09:15:00.000Z"`
}

func (c *call) viewCheckoutRow(state checkout.State) checkoutRowView {
	amount, unit := amountOfOrder(state.Session)
	id := state.TrxID
	if state.Variant == business.DialectB {
		id = string(state.ID)
	}
	return checkoutRowView{
		ID: id, SessionID: state.ID, TrxID: state.TrxID, ByPublicKey: state.Public, Reference: state.Session.Payment,
		Status: state.Seen(state.Variant), PaymentStatus: state.Payment.Status, PaymentLinkID: optionalText(state.Link),
		Amount: amount, Currency: state.Pricing.Type.Asset().String(), AmountUnit: unit,
		CustomerID: optionalText(state.Customer.ID), Email: state.Customer.Email, Name: optionalText(state.Customer.Name), Phone: optionalText(state.Customer.Phone),
		CheckoutURL: c.baseURL() + "/checkout/" + string(state.ID), offersView: viewOffers(state),
		ExpiresAt: timestamp(state.ExpiresAt), CreatedAt: timestamp(state.CreatedAt), UpdatedAt: timestamp(state.UpdatedAt),
	}
}
