package httpapi

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// variantHeader chooses between the two dialects of a route.
const variantHeader = "X-Api-Variant"

// dialectIn is what the header says, or else what the business chose (docs/api.md,
// "Dialects").
func (c *call) dialectIn(ctx context.Context, tx store.Tx) (business.Dialect, error) {
	switch asked := business.Dialect(c.http.Header.Get(variantHeader)); asked {
	case business.DialectA, business.DialectB:
		return asked, nil
	case "":
		b, err := business.Of(ctx, tx, c.scope)
		return b.APIVariant, err
	}
	return "", errVariant
}

var errVariant = ferry.ErrValidation.About(variantHeader, "Must be A or B")

// baseURL is where payers reach the server.
func (c *call) baseURL() string {
	switch {
	case c.api.config.BaseURL != "":
		return c.api.config.BaseURL
	case c.http.TLS != nil:
		return "https://" + c.http.Host
	}
	return "http://" + c.http.Host
}

// price is an amount as payments, links and Checkout B write it: naira in kobo, USDC
// in full units (docs/api.md, "Amounts").
type price money.Amount

// MarshalJSON prints the number.
func (p price) MarshalJSON() ([]byte, error) { return []byte(money.Amount(p).Wire()), nil }

// priceOf reads an amount as price writes it. An unknown currency is for the domain
// to refuse; the literal is then held against the one that allows more decimals, and
// against no ceiling.
func priceOf(p *ferry.Problems, field, currency string, literal strictjson.Literal) money.Amount {
	asset, err := money.ParseAsset(currency)
	if err != nil {
		amount := amountOf(p, field, money.AssetUSDC, literal)
		return money.Of(amount.Asset(), min(amount.Minor(), money.Ceiling))
	}
	if asset != money.AssetNGN || literal == "" {
		return amountOf(p, field, asset, literal)
	}
	amount, err := money.ParseMinor(asset, string(literal))
	if syntax, ok := errors.AsType[*money.SyntaxError](err); ok {
		p.Add(field, "The amount is in kobo and "+string(syntax.Reason))
		return money.Of(asset, 0)
	}
	return amount
}
