package offramp

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/provider/bank/banks"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// EventData is the data of every event of an offramp that pays an account.
type EventData struct {
	ID                ID                `json:"id"`
	UID               string            `json:"uid"`
	Reference         string            `json:"reference"`
	ProviderReference ID                `json:"provider_reference"`
	Status            ramp.Status       `json:"status"`
	Stage             ramp.Stage        `json:"stage"`
	FiatCurrency      string            `json:"fiat_currency"`
	Amount            json.Number       `json:"amount"`
	AmountFiat        json.Number       `json:"amount_fiat"`
	AmountUnit        string            `json:"amount_unit"`
	AmountStablecoin  json.Number       `json:"amount_stablecoin"`
	AmountReceived    json.Number       `json:"amount_received"`
	Rate              json.Number       `json:"rate"`
	Asset             string            `json:"asset"`
	Network           string            `json:"network"`
	DepositAddress    string            `json:"deposit_address"`
	Beneficiary       PayeeData         `json:"beneficiary"`
	SessionID         *string           `json:"session_id"`
	LastError         *string           `json:"last_error"`
	ExpiresAt         wire.Timestamp    `json:"expires_at"`
	PaidAt            wire.OptionalTime `json:"paid_at"`
	ReturnedAt        wire.OptionalTime `json:"returned_at"`
	CreatedAt         wire.Timestamp    `json:"created_at"`
	UpdatedAt         wire.Timestamp    `json:"updated_at"`
}

// PayeeData is the account to which the naira go. The name of the holder is null until the
// bank has told it, and that of the bank when its code is not on the list.
type PayeeData struct {
	BankCode      string  `json:"bank_code"`
	BankName      *string `json:"bank_name"`
	AccountName   *string `json:"account_name"`
	AccountNumber string  `json:"account_number"`
}

// BankName is the name of the bank to which the naira go, or empty when its code is not on the
// list.
func (o Order) BankName() string {
	found, _ := banks.Find(o.To.BankCode)
	return found.Name
}

// DataOf is an order in the form of events.
func DataOf(o Order) EventData {
	return EventData{
		ID: o.ID, UID: ferry.UID(string(o.ID)), Reference: o.Reference, ProviderReference: o.ID, Status: o.Status, Stage: o.Stage,
		FiatCurrency: o.Amount.Asset().String(), Amount: wire.Number(o.Amount), AmountFiat: wire.Number(o.Amount), AmountUnit: "major",
		AmountStablecoin: wire.Number(o.Crypto), AmountReceived: wire.Number(o.Received), Rate: json.Number(o.Rate),
		Asset: wallets.Asset.String(), Network: wallets.Network, DepositAddress: string(o.Deposit),
		Beneficiary: PayeeData{
			BankCode: o.To.BankCode, BankName: wire.OrNull(o.BankName()), AccountName: wire.OrNull(o.To.AccountName),
			AccountNumber: o.To.AccountNumber,
		},
		SessionID: wire.OrNull(o.SessionID), LastError: wire.OrNull(o.Failure),
		ExpiresAt: wire.Timestamp(o.ExpiresAt), PaidAt: wire.OptionalTime(o.PaidAt), ReturnedAt: wire.OptionalTime(o.ReturnedAt),
		CreatedAt: wire.Timestamp(o.CreatedAt), UpdatedAt: wire.Timestamp(o.UpdatedAt),
	}
}

// tell emits an event of an order.
func tell(ctx context.Context, tx Books, event string, o Order) (err error) {
	if event == "" {
		return nil
	}
	var data any = DataOf(o)
	if o.Pays == ToBill {
		if data, err = BillDataOf(o); err != nil {
			return err
		}
	}
	return webhook.Emit(ctx, tx, webhook.Change{Scope: o.Scope, Type: event, Resource: string(o.ID), Data: data})
}
