package outgoing

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

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
	ID              wallets.TransferID     `json:"id"`
	Reference       string                 `json:"reference"`
	WalletID        wallets.ID             `json:"wallet_id"`
	WalletReference string                 `json:"wallet_reference"`
	FromAddress     string                 `json:"from_address"`
	ToAddress       string                 `json:"to_address"`
	Amount          json.Number            `json:"amount"`
	Asset           string                 `json:"asset"`
	Network         string                 `json:"network"`
	Status          wallets.TransferStatus `json:"status"`
	TransferType    Kind                   `json:"transfer_type"`
	Metadata        ferry.Metadata         `json:"metadata"`
}

// tellEnd announces the end of a transfer: by an event to its business, and by the hooks
// of other domains.
func (s *Service) tellEnd(ctx context.Context, tx wallets.Tx, t Transfer, event string, entry ledger.EntryID) error {
	if err := s.tellTransfer(ctx, tx, t, event, entry); err != nil {
		return err
	}
	if event == wallets.EventFailed {
		return s.hooks.failed(ctx, tx, t)
	}
	return s.hooks.succeeded(ctx, tx, t)
}

// tellTransfer emits the event of a transfer that came to its end.
func (s *Service) tellTransfer(ctx context.Context, tx wallets.Tx, t Transfer, event string, entry ledger.EntryID) error {
	if t.Scope.Business == "" {
		return nil // the platform gets no events
	}
	change := webhook.Change{Scope: t.Scope, Type: event, Resource: string(t.ID)}
	common := TransferData{
		ID:              t.ID,
		Reference:       t.Reference,
		WalletID:        t.Wallet,
		WalletReference: t.WalletReference,
		FromAddress:     string(t.From),
		ToAddress:       string(t.To),
		Amount:          wire.Number(t.Amount),
		Asset:           wallets.Asset.String(),
		Network:         wallets.Network,
		Status:          t.Status,
		TransferType:    t.Kind,
		Metadata:        t.Metadata,
	}
	if event == wallets.EventFailed {
		change.Data = FailedData{common, t.Failure}
		return webhook.Emit(ctx, tx, change)
	}
	change.Entry = entry.String()
	change.Data = SentData{
		TransferData:    common,
		NetworkFee:      wire.Number(t.Fee),
		TransactionHash: wire.OrNull(string(t.Signature)),
		ExplorerURL:     wire.OrNull(s.config.Wallets.ExplorerURL(t.Scope.Env, t.Signature)),
		ConfirmedAt:     wire.Time(t.ConfirmedAt),
	}
	return webhook.Emit(ctx, tx, change)
}
