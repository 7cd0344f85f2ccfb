package onramp

import (
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// EventData is the data of every event of an onramp.
type EventData struct {
	ID                ID                `json:"id"`
	UID               string            `json:"uid"`
	Reference         string            `json:"reference"`
	ProviderReference ID                `json:"provider_reference"`
	Status            ramp.Status       `json:"status"`
	Stage             ramp.Stage        `json:"stage"`
	FiatCurrency      string            `json:"fiat_currency"`
	Amount            json.Number       `json:"amount"`
	AmountUnit        string            `json:"amount_unit"`
	AmountReceived    json.Number       `json:"amount_received"`
	AmountStablecoin  json.Number       `json:"amount_stablecoin"`
	Rate              json.Number       `json:"rate"`
	Asset             string            `json:"asset"`
	Chain             string            `json:"chain"`
	WalletAddress     string            `json:"wallet_address"`
	PaymentAccount    AccountData       `json:"payment_account"`
	TransactionHash   *string           `json:"transaction_hash"`
	LastError         *string           `json:"last_error"`
	ExpiresAt         wire.Timestamp    `json:"expires_at"`
	FundedAt          wire.OptionalTime `json:"funded_at"`
	CompletedAt       wire.OptionalTime `json:"completed_at"`
	CreatedAt         wire.Timestamp    `json:"created_at"`
	UpdatedAt         wire.Timestamp    `json:"updated_at"`
}

// AccountData is the account that is to be paid.
type AccountData struct {
	BankCode      string `json:"bank_code"`
	BankName      string `json:"bank_name"`
	AccountName   string `json:"account_name"`
	AccountNumber string `json:"account_number"`
}

// ChainName is the chain of every order, as the specification writes it.
const ChainName = "SOLANA"

// DataOf is an order in the form of events.
func DataOf(o Order) EventData {
	return EventData{
		ID: o.ID, UID: ferry.UID(string(o.ID)), Reference: o.Reference, ProviderReference: o.ID, Status: o.Status, Stage: o.Stage,
		FiatCurrency: o.Amount.Asset().String(), Amount: wire.Number(o.Amount), AmountUnit: "major",
		AmountReceived: wire.Number(o.Received), AmountStablecoin: wire.Number(o.Crypto), Rate: json.Number(o.Rate),
		Asset: wallets.Asset.String(), Chain: ChainName, WalletAddress: string(o.Address),
		PaymentAccount: AccountData{
			BankCode: o.Bank.BankCode, BankName: o.Bank.BankName,
			AccountName: o.Bank.AccountName, AccountNumber: o.Bank.AccountNumber,
		},
		TransactionHash: wire.OrNull(string(o.Signature)), LastError: wire.OrNull(o.Failure),
		ExpiresAt: wire.Timestamp(o.ExpiresAt), FundedAt: wire.OptionalTime(o.FundedAt), CompletedAt: wire.OptionalTime(o.EndedAt),
		CreatedAt: wire.Timestamp(o.CreatedAt), UpdatedAt: wire.Timestamp(o.UpdatedAt),
	}
}

// tell emits an event of an order.
func tell(ctx context.Context, tx Tx, event string, o Order) error {
	if event == "" {
		return nil
	}
	return webhook.Emit(ctx, tx, webhook.Change{Scope: o.Scope, Type: event, Resource: string(o.ID), Data: DataOf(o)})
}
