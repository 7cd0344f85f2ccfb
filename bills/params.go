package bills

import (
	"fmt"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/biller"
)

// Params describe a bill.
type Params struct {
	Service biller.Service
	// Provider and Product are codes of the catalogue. Product may be empty where the provider
	// sells one product only, and for electricity where VendType says which.
	Provider, Product string
	// VendType is biller.Prepaid or biller.Postpaid, for electricity.
	VendType string
	// Number is that of the phone, in any form, of the decoder or of the meter.
	Number string
	// Phone is who may be told of the delivery. Default: nobody.
	Phone string
	// Reference names the bill. Default: its id.
	Reference string
	// Amount is in naira. It may be zero for a product with a price.
	Amount money.Amount
}

const (
	missing = "Missing required field"
	maxCode = 100
)

// Check adds what is wrong with the fields of p, by their names in the API.
func (p Params) Check(problems *ferry.Problems) {
	p.checkTarget(problems)
	if p.Reference != "" {
		problems.Note("reference", text.Reference(p.Reference))
	}
	if p.Phone != "" {
		_, problem := phone(p.Phone)
		problems.Note("phone", problem)
	}
	if p.Amount != (money.Amount{}) {
		payouts.CheckAmount("amount", p.Amount, problems)
	}
}

// checkTarget adds what is wrong with what p is for. What a number and a vend type have to be is
// not known of an unknown service.
func (p Params) checkTarget(problems *ferry.Problems) {
	known := slices.Contains(biller.Services(), p.Service)
	for name, code := range map[string]string{"provider": p.Provider, "product": p.Product} {
		if _, problem := text.Line(code, 0, maxCode); problem != "" {
			problems.Add(name, problem)
		}
	}
	if p.Provider == "" {
		problems.Add("provider", missing)
	}
	if p.VendType != "" && p.VendType != biller.Prepaid && p.VendType != biller.Postpaid {
		problems.Add("vend_type", "Must be PREPAID or POSTPAID")
	}
	if p.VendType != "" && known && p.Service != biller.Utility {
		problems.Add("vend_type", "Is for electricity only")
	}
	if p.Number == "" {
		problems.Add("number", missing)
	} else if _, problem := number(p.Service, p.Number); known && problem != "" {
		problems.Add("number", problem)
	}
}

// target is what p is for.
func (p Params) target(product biller.Product) biller.Target {
	kept, _ := number(p.Service, p.Number)
	return biller.Target{Service: product.Service, Provider: product.Provider, Product: product.Code, Number: kept}
}

// costs returns the amount of a bill over a product, or what is wrong with that of p.
func (p Params) costs(product biller.Product) (money.Amount, error) {
	none := p.Amount == money.Amount{}
	switch {
	case !product.Price.IsZero() && (none || p.Amount == product.Price):
		return product.Price, nil
	case !product.Price.IsZero():
		return p.Amount, ferry.ErrValidation.About("amount", fmt.Sprintf("Must be %s, the price of the product", product.Price))
	case none:
		return p.Amount, ferry.ErrValidation.About("amount", missing)
	case p.Amount.Minor() < product.Least.Minor() || p.Amount.Minor() > product.Most.Minor():
		return p.Amount, ferry.ErrValidation.About("amount", fmt.Sprintf("Must be from %s to %s", product.Least, product.Most))
	}
	return p.Amount, nil
}
