package payments

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/webhook"
)

const (
	// EventSuccess: a payment succeeded.
	EventSuccess = "payment.success"
	// EventFailed: an attempt failed, and the payment with it.
	EventFailed = "payment.failed"
	// EventPending: money was seen, or is being processed.
	EventPending = "payment.pending"
	// EventLate: money arrived after the time to pay.
	EventLate = "payment.late"
	// EventReversed: a payment was taken back from the business.
	EventReversed = "payment.reversed"
)

// EventData is the data of every event of a payment: the payment as an object,
// and its fields again beside it (docs/api.md, "Event catalogue").
type EventData struct {
	Payment PaymentData `json:"payment"`
	PaymentData
}

// PaymentData is a payment as events show it.
type PaymentData struct {
	ID              ID                `json:"id"`
	PaymentLinkID   *string           `json:"payment_link_id"`
	SessionID       *string           `json:"session_id"`
	ByPublicKey     bool              `json:"by_public_key"`
	Amount          json.Number       `json:"amount"`
	Currency        string            `json:"currency"`
	Reference       string            `json:"reference"`
	TrxID           string            `json:"trx_id"`
	Status          Status            `json:"status"`
	PaymentMethod   *Method           `json:"payment_method"`
	Channel         fees.Channel      `json:"channel"`
	Customer        CustomerData      `json:"customer"`
	Fields          map[string]string `json:"fields"`
	Metadata        ferry.Metadata    `json:"metadata"`
	TotalFees       json.Number       `json:"total_fees"`
	NetAmount       json.Number       `json:"net_amount"`
	AmountExpected  json.Number       `json:"amount_expected"`
	AmountReceived  json.Number       `json:"amount_received"`
	PaymentCurrency string            `json:"payment_currency"`
	Exceptions      []Exception       `json:"exceptions"`
	FailureReason   *string           `json:"failure_reason"`
	PaidAt          *string           `json:"paid_at"`
	ReceiptURL      *string           `json:"receipt_url"`
}

// CustomerData is a payer as events show them.
type CustomerData struct {
	ID      *string `json:"id"`
	Email   *string `json:"email"`
	Phone   *string `json:"phone"`
	Name    *string `json:"name"`
	Address *string `json:"address"`
}

// addressField is the label under which links collect an address.
const addressField = "Address"

// tell emits an event of a payment as it stands.
func tell(ctx context.Context, tx Tx, p Payment, event string) error {
	data, err := dataOf(p)
	if err != nil {
		return err
	}
	return webhook.Emit(ctx, tx, webhook.Change{
		Scope: p.Scope, Type: event, Resource: string(p.ID), Data: EventData{data, data},
	})
}

func dataOf(p Payment) (PaymentData, error) {
	total, err := p.Fees.Total()
	if err != nil {
		return PaymentData{}, err
	}
	net, err := p.Net()
	if err != nil {
		return PaymentData{}, err
	}
	d := PaymentData{
		ID: p.ID, PaymentLinkID: wire.OrNull(p.Link), SessionID: wire.OrNull(p.Session),
		Amount: p.Amount.Wire(), Currency: p.Amount.Asset().String(),
		Reference: p.Reference, TrxID: p.Reference, ByPublicKey: p.Public, Status: p.Status,
		PaymentMethod: wire.OrNull(p.Method), Channel: p.Channel,
		Customer: CustomerData{
			ID: wire.OrNull(p.Customer.ID), Email: wire.OrNull(p.Customer.Email), Phone: wire.OrNull(p.Customer.Phone),
			Name: wire.OrNull(p.Customer.Name), Address: wire.OrNull(p.Collected[addressField]),
		},
		Fields: p.Collected, Metadata: p.Metadata, TotalFees: total.Wire(), NetAmount: net.Wire(),
		AmountExpected: p.Expected.Wire(), AmountReceived: p.Received.Wire(),
		PaymentCurrency: p.Expected.Asset().String(),
		Exceptions:      p.Exceptions, FailureReason: wire.OrNull(p.Failure), ReceiptURL: wire.OrNull(p.ReceiptURL()),
	}
	if !p.PaidAt.IsZero() {
		d.PaidAt = wire.OrNull(wire.Time(p.PaidAt))
	}
	if d.Exceptions == nil {
		d.Exceptions = []Exception{}
	}
	if d.Fields == nil {
		d.Fields = map[string]string{}
	}
	if d.Metadata == nil {
		d.Metadata = ferry.Metadata{}
	}
	return d, nil
}
