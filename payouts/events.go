package payouts

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/webhook"
)

// EventData is the data of every event of a payout: the payout, and the item that changed.
type EventData struct {
	Data
	Item ItemData `json:"item"`
}

// Data is a payout as events show it.
type Data struct {
	ID                  ID          `json:"id"`
	Reference           string      `json:"reference"`
	Status              Status      `json:"status"`
	Type                Type        `json:"type"`
	Currency            string      `json:"currency"`
	SourceAccountNumber string      `json:"source_account_number"`
	TotalAmount         json.Number `json:"total_amount"`
	TotalFee            json.Number `json:"total_fee"`
	ReservedAmount      json.Number `json:"reserved_amount"`
	AmountUnit          string      `json:"amount_unit"`
	ItemCount           int         `json:"item_count"`
	SuccessCount        int         `json:"success_count"`
	FailedCount         int         `json:"failed_count"`
}

// ItemData is an item as events show it.
type ItemData struct {
	ID          ItemID            `json:"id"`
	Reference   string            `json:"reference"`
	Status      ItemStatus        `json:"status"`
	Amount      json.Number       `json:"amount"`
	Fee         json.Number       `json:"fee"`
	Beneficiary BeneficiaryData   `json:"beneficiary"`
	SessionID   *string           `json:"session_id"`
	LastError   *string           `json:"last_error"`
	ReturnedAt  wire.OptionalTime `json:"returned_at"`
}

// BeneficiaryData is the account of an item. The name is null until the bank has told it.
type BeneficiaryData struct {
	BankCode      string  `json:"bank_code"`
	AccountNumber string  `json:"account_number"`
	AccountName   *string `json:"account_name"`
}

// DataOf is a payout in the form of events.
func DataOf(p Payout) Data {
	return Data{
		ID: p.ID, Reference: p.Reference, Status: p.Status, Type: p.Type, Currency: p.Total.Asset().String(),
		SourceAccountNumber: p.Source, TotalAmount: wire.Number(p.Total), TotalFee: wire.Number(p.Fee), ReservedAmount: wire.Number(p.Reserved),
		AmountUnit: "major", ItemCount: p.Counts.Total(), SuccessCount: p.Counts.Successful, FailedCount: p.Counts.Failed,
	}
}

// ItemDataOf is an item in the form of events.
func ItemDataOf(i Item) (ItemData, error) {
	fee, err := i.Fees.Total()
	return ItemData{
		ID: i.ID, Reference: i.Reference, Status: i.Status, Amount: wire.Number(i.Amount), Fee: wire.Number(fee),
		Beneficiary: BeneficiaryData{i.To.BankCode, i.To.AccountNumber, wire.OrNull(i.To.AccountName)},
		SessionID:   wire.OrNull(i.SessionID), LastError: wire.OrNull(i.Failure), ReturnedAt: wire.OptionalTime(i.ReturnedAt),
	}, err
}

// tell emits an event of an item. The events of a payout are of one resource, so that they
// arrive in order.
func tell(ctx context.Context, tx Tx, event string, p Payout, i Item) error {
	item, err := ItemDataOf(i)
	if err != nil {
		return err
	}
	return webhook.Emit(ctx, tx, webhook.Change{
		Scope: p.Scope, Type: event, Resource: string(p.ID), Data: EventData{DataOf(p), item},
	})
}
