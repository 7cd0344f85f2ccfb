package httpapi

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

// rampChain is how both sides of the ramp name Solana.
const rampChain = "SOLANA"

// rampStatus is the status that a filter means.
func rampStatus(word string) ramp.Status {
	if word == "success" || word == "completed" {
		return ramp.Successful
	}
	return ramp.Status(word)
}

// inNairaForUSDC is part of every input that exchanges naira and USDC on Solana, and that need not
// say so.
type inNairaForUSDC struct {
	inNaira
	Currency string `json:"fiat_currency" doc:"NGN; by default that" eg:"NGN"`
	Asset    string `json:"asset" doc:"USDC, or solana:usdc; by default that" eg:"USDC"`
	Chain    string `json:"chain" doc:"SOLANA; by default that" eg:"SOLANA"`
}

// otherPair refuses another exchange.
func (in inNairaForUSDC) otherPair(ctx context.Context, resource string) error {
	if err := in.otherCurrency(ctx, resource); err != nil {
		return err
	}
	return ramp.Terms{Currency: in.Currency, Asset: in.Asset, Chain: in.Chain}.CheckPair()
}

type rampRateQuery struct {
	Asset    string `query:"asset" doc:"USDC, or solana:usdc; by default that"`
	Chain    string `query:"chain" doc:"SOLANA; by default that"`
	Currency string `query:"currency,fiat_currency" doc:"NGN; by default that"`
}

// rampRateView is the price of one USDC on a side of the ramp.
type rampRateView struct {
	Side       ramp.Side   `json:"type" enum:"onramp,offramp" eg:"offramp"`
	Asset      string      `json:"asset" enum:"USDC" eg:"USDC"`
	Chain      string      `json:"chain" enum:"SOLANA" eg:"SOLANA"`
	Currency   string      `json:"fiat_currency" enum:"NGN" eg:"NGN"`
	AmountUnit string      `json:"amount_unit" enum:"major" eg:"major"`
	Rate       json.Number `json:"rate" doc:"Naira for one USDC, with the spread in it" eg:"1500"`
	Minimum    number      `json:"minimum_stablecoin" doc:"The least USDC that is exchanged" eg:"1"`
	ExpiresAt  timestamp   `json:"expires_at" eg:"2026-03-02T09:30:00.000Z"`
}

// rampRate is the price of now on a side.
func (a *api) rampRate(ctx context.Context, c *call, side ramp.Side, in rampRateQuery) (rampRateView, error) {
	terms := ramp.Terms{Currency: in.Currency, Asset: in.Asset, Chain: in.Chain}
	if err := terms.CheckPair(); err != nil {
		return rampRateView{}, err
	}
	price, err := a.engine.Quotes.Rate(ctx, c.scope.Env, side)
	return rampRateView{
		Side: side, Asset: wallets.Asset.String(), Chain: rampChain, Currency: money.AssetNGN.String(), AmountUnit: "major",
		Rate: json.Number(cmp.Or(price.Rate, "0")), Minimum: number(a.engine.Quotes.Minimum()), ExpiresAt: timestamp(price.ExpiresAt),
	}, err
}
