package httpapi

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/wallets"
)

type quoteQuery struct {
	Amount     string `query:"amount" required:"true" doc:"In full units of naira or of the asset" form:"full"`
	AmountType string `query:"amount_type" doc:"fiat by default" enum:"fiat,crypto"`
	Asset      string `query:"asset" doc:"solana:usdc by default"`
	PublicKey  string `query:"public_key" doc:"Prices with the fee preference of its business"`
}

func (a *api) quote(ctx context.Context, c *call, in quoteQuery) (quoteView, error) {
	env, scope := c.scope.Env, (*ferry.Scope)(nil)
	if c.key.ID != "" {
		scope = &c.scope
	}
	if in.PublicKey != "" {
		key, err := a.publicKey(ctx, in.PublicKey)
		if errors.Is(err, errPublicKey) && scope == nil {
			return quoteView{}, c.refused(err)
		}
		if err == nil && scope != nil && key.Scope != *scope {
			err = errPublicKey
		}
		if err != nil {
			return quoteView{}, err
		}
		env, scope = key.Scope.Env, &key.Scope
	}
	var problems ferry.Problems
	amount := amountOf(&problems, "amount", checkout.AmountType(in.AmountType).Asset(), strictjson.Literal(in.Amount))
	switch {
	case problems.Err() != nil:
	case amount.Sign() <= 0:
		problems.Add("amount", "Must be greater than 0")
	case amount.AboveCeiling():
		problems.Add("amount", amount.CeilingProblem())
	}
	if err := problems.Err(); err != nil {
		return quoteView{}, err
	}
	found, err := a.engine.Checkout.Quote(ctx, env, scope, amount, pairOf(in.Asset))
	if err != nil {
		return quoteView{}, err
	}
	return viewQuote(found)
}

func pairOf(asset string) checkout.Pair {
	if asset == "" {
		return checkout.SolanaUSDC
	}
	return checkout.Pair(lower(asset))
}

func (a *api) assets(_ context.Context, c *call, _ struct{}) (assetsView, error) {
	view := assetsView{AmountTypes: append([]checkout.AmountType{}, a.engine.Checkout.AmountTypes(c.scope.Env)...)}
	testing := a.engine.Checkout.Assets(ferry.Test)
	for n, listed := range a.engine.Checkout.Assets(c.scope.Env) {
		view.Assets = append(view.Assets, assetView{
			NetworkAsset: listed.Pair, Network: listed.Network, Asset: listed.Asset, Symbol: listed.Symbol, Label: listed.Label,
			SortOrder: n + 1, Enabled: listed.Enabled, TestEnabled: testing[n].Enabled, HoldSupported: listed.HoldSupported,
			DisabledReason: optionalText(listed.DisabledReason),
		})
	}
	return view, nil
}

type quoteView struct {
	AmountType            checkout.AmountType `json:"amount_type" enum:"fiat,crypto" eg:"fiat"`
	Asset                 checkout.Pair       `json:"asset" eg:"solana:usdc"`
	FiatAmount            number              `json:"fiat_amount" eg:"15000"`
	BaseFiatAmount        number              `json:"base_fiat_amount" eg:"15000"`
	FeeAmount             number              `json:"fee_amount" eg:"0"`
	CustomerPaysFee       bool                `json:"customer_pays_fee" eg:"false"`
	RequestedCryptoAmount *number             `json:"requested_crypto_amount" doc:"Of an order in USDC" eg:"null"`
	FiatCurrency          string              `json:"fiat_currency" eg:"NGN"`
	CryptoAmount          number              `json:"crypto_amount" eg:"10"`
	CryptoCurrency        string              `json:"crypto_currency" eg:"USDC"`
	Network               string              `json:"network" eg:"solana"`
	Rate                  json.Number         `json:"rate" doc:"Naira for one USDC" eg:"1500"`
	ExpiresAt             timestamp           `json:"expires_at" eg:"2026-03-02T09:30:00.000Z"`
	RefreshAfterSeconds   int                 `json:"refresh_after_seconds" eg:"30"`
	Quote                 quotedRateView      `json:"quote"`
	AmountUnit            string              `json:"amount_unit" eg:"major"`
}

func viewQuote(p checkout.Pricing) (quoteView, error) {
	fee, err := p.Fees.Total()
	view := quoteView{
		AmountType: p.Type, Asset: p.Pair, FiatAmount: number(p.Fiat), BaseFiatAmount: number(p.Base),
		FeeAmount: number(fee), CustomerPaysFee: p.CustomerPays, FiatCurrency: "NGN",
		CryptoAmount: number(p.Crypto), CryptoCurrency: "USDC", Network: wallets.Network,
		Rate: json.Number(p.Price), ExpiresAt: timestamp(p.RateUntil), RefreshAfterSeconds: refreshAfter,
		Quote: quotedRateView{json.Number(p.Price)}, AmountUnit: "major",
	}
	if p.Type == checkout.InCrypto {
		view.RequestedCryptoAmount = numberOf(p.Requested)
	}
	return view, err
}

type assetsView struct {
	AmountTypes []checkout.AmountType `json:"amount_types" doc:"fiat and crypto, as far as an order can be priced so" eg:"[\"fiat\", \"crypto\"]"`
	Assets      []assetView           `json:"assets"`
}

type assetView struct {
	NetworkAsset       checkout.Pair `json:"network_asset" eg:"solana:usdc"`
	Network            string        `json:"network" eg:"solana"`
	Asset              string        `json:"asset" eg:"usdc"`
	Symbol             string        `json:"symbol" eg:"USDC"`
	Label              string        `json:"label" eg:"USDC on Solana"`
	SortOrder          int           `json:"sort_order" eg:"1"`
	Enabled            bool          `json:"enabled" eg:"true"`
	TestEnabled        bool          `json:"test_enabled" eg:"true"`
	HoldSupported      bool          `json:"hold_supported" eg:"true"`
	DisabledReason     optionalText  `json:"disabled_reason" eg:"null"`
	MaintenanceMessage optionalText  `json:"maintenance_message" eg:"null"`
}
