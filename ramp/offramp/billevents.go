package offramp

import (
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

// BillEventData is the data of every event of an order that pays a bill.
type BillEventData struct {
	ID        ID          `json:"id"`
	UID       string      `json:"uid"`
	Reference string      `json:"reference"`
	Status    ramp.Status `json:"status"`
	Stage     ramp.Stage  `json:"stage"`
	bills.GoodsData
	AmountStablecoin json.Number       `json:"amount_stablecoin"`
	AmountReceived   json.Number       `json:"amount_received"`
	Rate             json.Number       `json:"rate"`
	Asset            string            `json:"asset"`
	Network          string            `json:"network"`
	DepositAddress   string            `json:"deposit_address"`
	BillUID          *string           `json:"bill_uid"`
	Attempts         int               `json:"attempts"`
	BillerReference  *string           `json:"biller_reference"`
	Token            *string           `json:"token"`
	Units            *string           `json:"units"`
	LastError        *string           `json:"last_error"`
	ExpiresAt        wire.Timestamp    `json:"expires_at"`
	RetryUntil       wire.OptionalTime `json:"retry_until"`
	DeliveredAt      wire.OptionalTime `json:"delivered_at"`
	CreatedAt        wire.Timestamp    `json:"created_at"`
	UpdatedAt        wire.Timestamp    `json:"updated_at"`
}

// BillDataOf is an order that pays a bill in the form of events.
func BillDataOf(o Order) (BillEventData, error) {
	goods, err := bills.DataOfGoods(o.Goods)
	return BillEventData{
		ID: o.ID, UID: ferry.UID(string(o.ID)), Reference: o.Reference, Status: o.Status, Stage: o.Stage,
		GoodsData:        goods,
		AmountStablecoin: wire.Number(o.Crypto), AmountReceived: wire.Number(o.Received), Rate: json.Number(o.Rate),
		Asset: wallets.Asset.String(), Network: wallets.Network, DepositAddress: string(o.Deposit),
		BillUID: wire.OrNull(string(o.Bill)), Attempts: o.Tries, BillerReference: wire.OrNull(o.SessionID),
		Token: wire.OrNull(o.Token), Units: wire.OrNull(o.Units), LastError: wire.OrNull(o.Failure),
		ExpiresAt: wire.Timestamp(o.ExpiresAt), RetryUntil: wire.OptionalTime(o.RetryUntil), DeliveredAt: wire.OptionalTime(o.PaidAt),
		CreatedAt: wire.Timestamp(o.CreatedAt), UpdatedAt: wire.Timestamp(o.UpdatedAt),
	}, err
}
