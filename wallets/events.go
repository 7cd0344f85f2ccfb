package wallets

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/webhook"
)

const (
	// EventReceived: USDC was credited to an active address.
	EventReceived = "stablecoin.received"
	// EventSent: a transfer succeeded.
	EventSent = "stablecoin.sent"
	// EventFailed: a transfer failed.
	EventFailed = "stablecoin.failed"
)

// ReceivedData is the data of EventReceived (docs/api.md, "Event catalogue").
// The balances around it are added when they are known.
type ReceivedData struct {
	Reference       string         `json:"reference"`
	WalletID        ID             `json:"wallet_id"`
	WalletReference string         `json:"wallet_reference"`
	AddressID       AddressID      `json:"address_id"`
	Address         string         `json:"address"`
	Amount          json.Number    `json:"amount"`
	Asset           string         `json:"asset"`
	Network         string         `json:"network"`
	TransactionHash *string        `json:"transaction_hash"`
	ExplorerURL     *string        `json:"explorer_url"`
	Sender          *string        `json:"sender"`
	FromAddress     *string        `json:"from_address"`
	ToAddress       string         `json:"to_address"`
	Metadata        ferry.Metadata `json:"metadata"`
	ConfirmedAt     string         `json:"confirmed_at"`
}

// SentData is the data of EventSent. The balances around it are added when they
// are known.
type SentData struct {
	TransferData
	NetworkFee      json.Number `json:"network_fee"`
	TransactionHash *string     `json:"transaction_hash"`
	ExplorerURL     *string     `json:"explorer_url"`
	ConfirmedAt     string      `json:"confirmed_at"`
}

// FailedData is the data of EventFailed.
type FailedData struct {
	TransferData
	FailureReason string `json:"failure_reason"`
}

// TransferData is what the events of a transfer have in common.
type TransferData struct {
	ID              TransferID     `json:"id"`
	Reference       string         `json:"reference"`
	WalletID        ID             `json:"wallet_id"`
	WalletReference string         `json:"wallet_reference"`
	FromAddress     string         `json:"from_address"`
	ToAddress       string         `json:"to_address"`
	Amount          json.Number    `json:"amount"`
	Asset           string         `json:"asset"`
	Network         string         `json:"network"`
	Status          TransferStatus `json:"status"`
	TransferType    Kind           `json:"transfer_type"`
	Metadata        ferry.Metadata `json:"metadata"`
}

// tellReceived emits EventReceived for a credited transaction, unless the
// address is inactive.
func (s *Service) tellReceived(ctx context.Context, tx Tx, a Address, t Transaction) error {
	if a.Status != AddressActive {
		return nil
	}
	return webhook.Emit(ctx, tx, webhook.Change{
		Scope: a.Scope, Type: EventReceived, Resource: string(a.ID), Entry: t.Entry.String(),
		Data: ReceivedData{
			Reference:       t.Reference,
			WalletID:        a.Wallet,
			WalletReference: a.WalletReference,
			AddressID:       a.ID,
			Address:         string(a.Address),
			Amount:          number(t.Amount),
			Asset:           Asset.String(),
			Network:         Network,
			TransactionHash: orNull(string(t.Signature)),
			ExplorerURL:     orNull(s.ExplorerURL(a.Scope.Env, t.Signature)),
			Sender:          orNull(string(t.From)),
			FromAddress:     orNull(string(t.From)),
			ToAddress:       string(t.To),
			Metadata:        a.Metadata,
			ConfirmedAt:     timestamp(t.ConfirmedAt),
		},
	})
}

// tellEnd announces the end of a transfer: by an event to its business, and by the hooks
// of other domains.
func (s *Service) tellEnd(ctx context.Context, tx Tx, t Transfer, event string, entry ledger.EntryID) error {
	if err := s.tellTransfer(ctx, tx, t, event, entry); err != nil {
		return err
	}
	if event == EventFailed {
		return s.hooks.failed(ctx, tx, t)
	}
	return s.hooks.succeeded(ctx, tx, t)
}

// tellTransfer emits the event of a transfer that came to its end.
func (s *Service) tellTransfer(ctx context.Context, tx Tx, t Transfer, event string, entry ledger.EntryID) error {
	change := webhook.Change{Scope: t.Scope, Type: event, Resource: string(t.ID)}
	common := TransferData{
		ID:              t.ID,
		Reference:       t.Reference,
		WalletID:        t.Wallet,
		WalletReference: t.WalletReference,
		FromAddress:     string(t.From),
		ToAddress:       string(t.To),
		Amount:          number(t.Amount),
		Asset:           Asset.String(),
		Network:         Network,
		Status:          t.Status,
		TransferType:    t.Kind,
		Metadata:        t.Metadata,
	}
	if event == EventFailed {
		change.Data = FailedData{common, t.Failure}
		return webhook.Emit(ctx, tx, change)
	}
	change.Entry = entry.String()
	change.Data = SentData{
		TransferData:    common,
		NetworkFee:      number(t.Fee),
		TransactionHash: orNull(string(t.Signature)),
		ExplorerURL:     orNull(s.ExplorerURL(t.Scope.Env, t.Signature)),
		ConfirmedAt:     timestamp(t.ConfirmedAt),
	}
	return webhook.Emit(ctx, tx, change)
}

// number writes an amount in full units as a JSON number.
func number(a money.Amount) json.Number { return json.Number(a.Major()) }

// timestamp writes an instant as all answers do: RFC 3339 in UTC, with
// milliseconds.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// orNull makes an empty text null.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
