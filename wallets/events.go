package wallets

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
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

// tellReceived emits EventReceived for a credited transaction, unless the
// address is inactive.
func (s *Service) tellReceived(ctx context.Context, tx Tx, a Address, t Transaction) error {
	if a.Status != AddressActive {
		return nil
	}
	sender := wire.OrNull(string(t.From))
	return webhook.Emit(ctx, tx, webhook.Change{
		Scope: a.Scope, Type: EventReceived, Resource: string(a.ID), Entry: t.Entry.String(),
		Data: ReceivedData{
			Reference:       t.Reference,
			WalletID:        a.Wallet,
			WalletReference: a.WalletReference,
			AddressID:       a.ID,
			Address:         string(a.Address),
			Amount:          wire.Number(t.Amount),
			Asset:           Asset.String(),
			Network:         Network,
			TransactionHash: wire.OrNull(string(t.Signature)),
			ExplorerURL:     wire.OrNull(s.ExplorerURL(a.Scope.Env, t.Signature)),
			Sender:          sender,
			FromAddress:     sender,
			ToAddress:       string(t.To),
			Metadata:        a.Metadata,
			ConfirmedAt:     wire.Time(t.ConfirmedAt),
		},
	})
}
