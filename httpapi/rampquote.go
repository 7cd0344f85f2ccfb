package httpapi

import (
	"encoding/json"

	"github.com/ferrypay/ferry/ramp"
)

type rampQuoteView struct {
	ID         ramp.QuoteID `json:"id" eg:"qte_019cadd46e0878ec834189614d3d15ce"`
	Type       ramp.Side    `json:"type" enum:"onramp,offramp" eg:"onramp"`
	Currency   string       `json:"fiat_currency" enum:"NGN" eg:"NGN"`
	Amount     number       `json:"amount" doc:"Naira" eg:"15000"`
	AmountUnit string       `json:"amount_unit" doc:"The unit of amounts here" enum:"major" eg:"major"`
	Asset      string       `json:"asset" enum:"USDC" eg:"USDC"`
	Chain      string       `json:"chain" enum:"SOLANA" eg:"SOLANA"`
	Network    string       `json:"network" enum:"solana" eg:"solana"`
	Stablecoin number       `json:"amount_stablecoin" eg:"10"`
	Rate       json.Number  `json:"rate" doc:"Naira for one USDC, with the spread in it" eg:"1500"`
	CreatedAt  timestamp    `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	ExpiresAt  timestamp    `json:"expires_at" doc:"Until when it stands" eg:"2026-03-02T09:30:00.120Z"`
}

// viewRampQuote shows a quote of either side.
func viewRampQuote(q ramp.Quote) rampQuoteView {
	return rampQuoteView{
		ID: q.ID, Type: q.Side, Currency: q.Fiat.Asset().String(), Amount: number(q.Fiat), AmountUnit: "major",
		Asset: q.Crypto.Asset().String(), Chain: "SOLANA", Network: "solana", Stablecoin: number(q.Crypto),
		Rate: json.Number(q.Rate), CreatedAt: timestamp(q.CreatedAt), ExpiresAt: timestamp(q.ExpiresAt),
	}
}
