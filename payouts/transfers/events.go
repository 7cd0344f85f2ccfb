package transfers

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/webhook"
)

// EventData is the data of every event of a transfer.
type EventData struct {
	ID                 ID                      `json:"id"`
	UID                ID                      `json:"uid"`
	Reference          string                  `json:"reference"`
	Status             Status                  `json:"status"`
	Amount             json.Number             `json:"amount"`
	Fee                json.Number             `json:"fee"`
	Currency           string                  `json:"currency"`
	AmountUnit         string                  `json:"amount_unit"`
	Channel            Channel                 `json:"channel"`
	DebitAccountID     *string                 `json:"debit_account_id"`
	DebitAccountNumber *string                 `json:"debit_account_number"`
	Beneficiary        payouts.BeneficiaryData `json:"beneficiary"`
	Narration          string                  `json:"narration"`
	SessionID          *string                 `json:"session_id"`
	LastError          *string                 `json:"last_error"`
	CreatedAt          wire.Timestamp          `json:"created_at"`
	PaidAt             wire.OptionalTime       `json:"paid_at"`
	ReturnedAt         wire.OptionalTime       `json:"returned_at"`
}

// DataOf is a transfer in the form of events.
func DataOf(t Transfer) (EventData, error) {
	fee, err := t.Fees.Total()
	account, number := t.Debited()
	return EventData{
		ID: t.ID, UID: t.ID, Reference: t.Reference, Status: t.Status, Amount: wire.Number(t.Amount), Fee: wire.Number(fee),
		Currency: t.Amount.Asset().String(), AmountUnit: "major", Channel: t.Channel,
		DebitAccountID: wire.OrNull(account), DebitAccountNumber: wire.OrNull(number),
		Beneficiary: payouts.BeneficiaryData{
			BankCode: t.To.BankCode, AccountNumber: t.To.AccountNumber, AccountName: wire.OrNull(t.To.AccountName),
		},
		Narration: t.Narration, SessionID: wire.OrNull(t.SessionID), LastError: wire.OrNull(t.Failure),
		CreatedAt: wire.Timestamp(t.CreatedAt), PaidAt: wire.OptionalTime(t.PaidAt), ReturnedAt: wire.OptionalTime(t.ReturnedAt),
	}, err
}

// tell emits an event of a transfer.
func tell(ctx context.Context, tx Tx, event string, t Transfer) error {
	data, err := DataOf(t)
	if err != nil || event == "" {
		return err
	}
	return webhook.Emit(ctx, tx, webhook.Change{Scope: t.Scope, Type: event, Resource: string(t.ID), Data: data})
}
