package httpapi

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/biller"
)

// goodsView is what a bill buys, and for whom.
type goodsView struct {
	Service      biller.Service `json:"service" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Provider     string         `json:"provider" eg:"ikeja-electric"`
	Product      string         `json:"product" eg:"ikeja-electric-prepaid"`
	ProductName  string         `json:"product_name" eg:"Ikeja Electric prepaid"`
	VendType     optionalText   `json:"vend_type" doc:"Of electricity: PREPAID or POSTPAID" eg:"PREPAID"`
	Number       string         `json:"number" doc:"A phone in its national form" eg:"45012345670"`
	CustomerName optionalText   `json:"customer_name" doc:"Whom the number belongs to, as far as the biller told" eg:"Ada Obi"`
	Phone        optionalText   `json:"phone" eg:"08031234567"`
}

func viewGoods(g bills.Goods) goodsView {
	return goodsView{
		Service: g.Service, Provider: g.Provider, Product: g.Product, ProductName: g.ProductName, VendType: optionalText(g.VendType),
		Number: g.Number, CustomerName: optionalText(g.Customer), Phone: optionalText(g.Phone),
	}
}

type billView struct {
	ID        int64         `json:"id" doc:"For display; rises, with gaps" eg:"1598640128000001"`
	UID       bills.ID      `json:"uid" eg:"bill_019cadd46e0878ec834189614d3d15ce"`
	Reference string        `json:"reference" eg:"power-march"`
	Status    bills.Status  `json:"status" enum:"pending,processing,successful,failed" eg:"pending"`
	Stage     outflow.Stage `json:"stage,omitempty" doc:"What it waits for before the biller is asked; left out when that is nothing" enum:"pending_approval" eg:"-"`
	goodsView
	Amount          number       `json:"amount" doc:"Naira, like all amounts here" eg:"5000"`
	Fee             number       `json:"fee" eg:"0"`
	Currency        string       `json:"currency" enum:"NGN" eg:"NGN"`
	AmountUnit      string       `json:"amount_unit" enum:"major" eg:"major"`
	CryptoID        optionalText `json:"crypto_id" doc:"The crypto bill that it is an attempt of; null for one that the balance of the business pays" eg:"null"`
	BillerReference optionalText `json:"biller_reference" doc:"The biller's own id; null until it is delivered" eg:"null"`
	Token           optionalText `json:"token" doc:"What is typed into a prepaid meter; null until it is delivered" eg:"null"`
	Units           optionalText `json:"units" doc:"What the token is worth" eg:"null"`
	LastError       optionalText `json:"last_error" doc:"Why it failed" eg:"null"`
	DeliveredAt     optionalTime `json:"delivered_at" eg:"null"`
	CreatedAt       timestamp    `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt       timestamp    `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewBill(b bills.Bill) billView {
	fee, _ := b.Fees.Total() // it was added up when it was set aside
	return billView{
		ID: ferry.Number(string(b.ID)), UID: b.ID, Reference: b.Reference, Status: b.Status, Stage: b.Stage,
		goodsView: viewGoods(b.Goods), Amount: number(b.Amount), Fee: number(fee), Currency: "NGN", AmountUnit: "major",
		CryptoID: optionalText(b.PaidBy), BillerReference: optionalText(b.BillerRef), Token: optionalText(b.Token), Units: optionalText(b.Units), LastError: optionalText(b.Failure),
		DeliveredAt: optionalTime(b.DeliveredAt), CreatedAt: timestamp(b.CreatedAt), UpdatedAt: timestamp(b.UpdatedAt),
	}
}

type billerCustomerView struct {
	Service  biller.Service `json:"service" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Provider string         `json:"provider" eg:"ikeja-electric"`
	Number   string         `json:"number" doc:"As it is kept" eg:"45012345670"`
	VendType optionalText   `json:"vend_type" eg:"PREPAID"`
	Name     optionalText   `json:"name" doc:"Null for a phone" eg:"Ada Obi"`
	Address  optionalText   `json:"address" doc:"Null unless the biller knows it" eg:"7 Marina Road, Lagos"`
	Status   string         `json:"status" enum:"verified" eg:"verified"`
}
