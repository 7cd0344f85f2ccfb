package ramp

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// QuoteKind is what a quote is as a row.
var QuoteKind = records.Define(records.Kind[QuoteID, Quote]{
	Name: "ramp_quotes",
	Columns: func(q *Quote) []records.Column {
		return []records.Column{
			records.ID(&q.ID), records.Owner(&q.Scope), records.Version(&q.Version),
			records.Word("side", &q.Side, Onramp, Offramp),
			records.Amount("fiat", &q.Fiat, money.AssetNGN),
			records.Amount("crypto", &q.Crypto, money.AssetUSDC),
			records.Text("rate", &q.Rate),
			records.Text("base_rate", &q.BaseRate),
			records.Int("spread", &q.Spread),
			records.Time("expires_at", &q.ExpiresAt),
			records.Text("used_by", &q.UsedBy),
			records.CreatedAt(&q.CreatedAt),
		}
	},
	Scope:   func(q *Quote) ferry.Scope { return q.Scope },
	Fixed:   []string{"side", "fiat", "crypto", "rate", "base_rate", "spread", "expires_at"},
	Missing: ErrQuoteNotFound,
})
