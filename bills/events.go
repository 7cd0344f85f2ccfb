package bills

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/webhook"
)

// GoodsData is what a bill buys, for whom, and what that costs, as events show it.
type GoodsData struct {
	Service      biller.Service `json:"service"`
	Provider     string         `json:"provider"`
	Product      string         `json:"product"`
	ProductName  string         `json:"product_name"`
	VendType     *string        `json:"vend_type"`
	Number       string         `json:"number"`
	CustomerName *string        `json:"customer_name"`
	Phone        *string        `json:"phone"`
	Amount       json.Number    `json:"amount"`
	Fee          json.Number    `json:"fee"`
	Currency     string         `json:"currency"`
	AmountUnit   string         `json:"amount_unit"`
}

// DataOfGoods is goods in the form of events.
func DataOfGoods(g Goods) (GoodsData, error) {
	fee, err := g.Fees.Total()
	return GoodsData{
		Service: g.Service, Provider: g.Provider, Product: g.Product, ProductName: g.ProductName, VendType: wire.OrNull(g.VendType),
		Number: g.Number, CustomerName: wire.OrNull(g.Customer), Phone: wire.OrNull(g.Phone),
		Amount: wire.Number(g.Amount), Fee: wire.Number(fee), Currency: g.Amount.Asset().String(), AmountUnit: "major",
	}, err
}

// EventData is the data of every event of a bill.
type EventData struct {
	ID        ID     `json:"id"`
	UID       ID     `json:"uid"`
	Reference string `json:"reference"`
	Status    Status `json:"status"`
	GoodsData
	CryptoID        *string           `json:"crypto_id"`
	BillerReference *string           `json:"biller_reference"`
	Token           *string           `json:"token"`
	Units           *string           `json:"units"`
	LastError       *string           `json:"last_error"`
	CreatedAt       wire.Timestamp    `json:"created_at"`
	DeliveredAt     wire.OptionalTime `json:"delivered_at"`
}

// DataOf is a bill in the form of events.
func DataOf(b Bill) (EventData, error) {
	goods, err := DataOfGoods(b.Goods)
	return EventData{
		ID: b.ID, UID: b.ID, Reference: b.Reference, Status: b.Status, GoodsData: goods,
		CryptoID: wire.OrNull(b.PaidBy), BillerReference: wire.OrNull(b.BillerRef), Token: wire.OrNull(b.Token), Units: wire.OrNull(b.Units), LastError: wire.OrNull(b.Failure),
		CreatedAt: wire.Timestamp(b.CreatedAt), DeliveredAt: wire.OptionalTime(b.DeliveredAt),
	}, err
}

// tell emits an event of a bill.
func tell(ctx context.Context, tx Tx, event string, b Bill) error {
	data, err := DataOf(b)
	if err != nil || event == "" {
		return err
	}
	return webhook.Emit(ctx, tx, webhook.Change{Scope: b.Scope, Type: event, Resource: string(b.ID), Data: data})
}
