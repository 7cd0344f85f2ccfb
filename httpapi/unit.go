package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// minorUnits is part of every input that counts naira in kobo.
type minorUnits struct {
	AmountType *string `json:"amount_type" doc:"Refused: it belongs to POST /v1/checkout, where amounts are in naira"`
}

// refuse refuses an amount_type: silence would be an amount that is wrong by a factor of
// 100.
func (in minorUnits) refuse(p *ferry.Problems) {
	if in.AmountType != nil {
		p.Add("amount_type", "Belongs to POST /v1/checkout: amounts are kobo here")
	}
}

// majorUnits is part of every input whose amount is naira.
type majorUnits struct {
	AmountType *string `json:"amount_type" doc:"Refused: it belongs to POST /v1/checkout, where amounts may be USDC"`
	AmountUnit *string `json:"amount_unit" doc:"The unit of amounts here" enum:"major"`
}

// refuse refuses an amount that its sender means in another unit. Prefix begins the names of
// the fields.
func (in majorUnits) refuse(prefix string, p *ferry.Problems) {
	if in.AmountType != nil {
		p.Add(prefix+"amount_type", "Belongs to POST /v1/checkout: amounts are naira here")
	}
	if in.AmountUnit != nil && *in.AmountUnit != "major" {
		p.Add(prefix+"amount_unit", "Must be major")
	}
}

// inNaira is part of every input whose amount is naira and that need not name its currency.
type inNaira struct {
	majorUnits
	Money string `json:"currency" doc:"NGN; by default that"`
}

// otherCurrency refuses an amount that its sender means in another currency.
func (in inNaira) otherCurrency(context.Context, string) error {
	if !isCurrency(in.Money, money.AssetNGN) {
		return errCurrency
	}
	return nil
}

// isCurrency reports whether a request means an asset by its currency, which it may leave out.
func isCurrency(currency string, asset money.Asset) bool {
	named, err := money.ParseAsset(currency)
	return currency == "" || err == nil && named == asset
}
