package bills

import (
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/records"
)

// Goods are what a bill buys, for whom, and what that costs. They never change.
type Goods struct {
	// Target is the product, and the number that it is for.
	biller.Target
	// ProductName and VendType are those of the product. Only electricity has a vend type:
	// biller.Prepaid or biller.Postpaid.
	ProductName, VendType string
	// Customer is whom the number belongs to, as far as the biller has told.
	Customer string
	// Phone is who may be told of the delivery, or empty.
	Phone  string
	Amount money.Amount
	// Fees are paid on top of the amount.
	Fees fees.Fees
}

// Cost is the amount and the fees.
func (g Goods) Cost() (money.Amount, error) {
	fee, err := g.Fees.Total()
	if err != nil {
		return money.Amount{}, err
	}
	return g.Amount.Add(fee)
}

// Columns are those of goods in a row of any kind: amount names the column of their amount. In a
// row that may have none, none is true.
func (g *Goods) Columns(amount string, none bool) []records.Column {
	services := biller.Services()
	if none {
		services = append(services, "")
	}
	return []records.Column{
		records.Word("service", &g.Service, services...),
		records.Text("provider", &g.Provider),
		records.Text("product", &g.Product),
		records.Text("product_name", &g.ProductName),
		records.Text("vend_type", &g.VendType),
		records.Text("number", &g.Number),
		records.Text("customer", &g.Customer),
		records.Text("phone", &g.Phone),
		records.Amount(amount, &g.Amount, money.AssetNGN),
		records.Amount("platform_fee", &g.Fees.Platform, money.AssetNGN),
		records.Amount("processing_fee", &g.Fees.Processing, money.AssetNGN),
	}
}

// GoodsFixed names the columns of Goods.Columns, none of which changes.
func GoodsFixed(amount string) []string {
	return []string{
		"service", "provider", "product", "product_name", "vend_type", "number", "customer", "phone", amount, "platform_fee", "processing_fee",
	}
}
