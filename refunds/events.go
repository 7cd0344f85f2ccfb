package refunds

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/webhook"
)

// EventData is the data of every event of a refund: the refund.
type EventData struct {
	ID                ID                `json:"id"`
	UID               string            `json:"uid"`
	Reference         string            `json:"reference"`
	Transaction       TransactionData   `json:"transaction"`
	Amount            json.Number       `json:"amount"`
	Currency          string            `json:"currency"`
	AmountUnit        string            `json:"amount_unit"`
	Fee               json.Number       `json:"fee"`
	Status            Status            `json:"status"`
	Stage             outflow.Stage     `json:"stage,omitempty"`
	Reason            *string           `json:"reason"`
	ExecutionMode     Mode              `json:"execution_mode"`
	ScheduledAt       wire.OptionalTime `json:"scheduled_at"`
	ProviderReference *string           `json:"provider_reference"`
	ProviderResponse  *string           `json:"provider_response"`
	Note              *string           `json:"note"`
	CreatedAt         wire.Timestamp    `json:"created_at"`
	UpdatedAt         wire.Timestamp    `json:"updated_at"`
	ProcessedAt       wire.OptionalTime `json:"processed_at"`
	FinalizedAt       wire.OptionalTime `json:"finalized_at"`
	ReturnedAt        wire.OptionalTime `json:"returned_at"`
}

// TransactionData names the transaction of a refund.
type TransactionData struct {
	ID        statement.ID `json:"id"`
	TrxID     string       `json:"trx_id"`
	Reference string       `json:"reference"`
}

// tell emits an event of a refund as it stands.
func tell(ctx context.Context, tx Tx, event string, r Refund) error {
	fee, err := r.Fees.Total()
	if err != nil {
		return err
	}
	return webhook.Emit(ctx, tx, webhook.Change{Scope: r.Scope, Type: event, Resource: string(r.ID), Data: EventData{
		ID: r.ID, UID: ferry.UID(string(r.ID)), Reference: r.Reference, Transaction: TransactionData{r.Transaction, r.TrxID, r.Paid},
		Amount: r.Amount.Wire(), Currency: r.Amount.Asset().String(), AmountUnit: r.AmountUnit(), Fee: fee.Wire(), Status: r.Status, Stage: r.Stage, Reason: wire.OrNull(r.Reason),
		ExecutionMode: r.Mode, ScheduledAt: wire.OptionalTime(r.ScheduledAt), ProviderReference: wire.OrNull(r.ProviderReference),
		ProviderResponse: wire.OrNull(r.ProviderResponse), Note: wire.OrNull(r.Note), CreatedAt: wire.Timestamp(r.CreatedAt),
		UpdatedAt: wire.Timestamp(r.UpdatedAt), ProcessedAt: wire.OptionalTime(r.ProcessedAt),
		FinalizedAt: wire.OptionalTime(r.FinalizedAt), ReturnedAt: wire.OptionalTime(r.ReturnedAt),
	}})
}
