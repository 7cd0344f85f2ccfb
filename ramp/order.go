package ramp

import (
	"errors"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/wallets"
)

// Status is where an order stands, as the specification names it.
type Status string

const (
	// Pending: nothing has arrived yet.
	Pending Status = "pending"
	// Processing: money has arrived, and the other side of the exchange is under way.
	Processing Status = "processing"
	// Successful: the other side is paid. Final.
	Successful Status = "successful"
	// Failed: the order ended without an exchange. Final.
	Failed Status = "failed"
)

// Stage says more precisely where an order stands.
type Stage string

const (
	// AwaitingFunds: an onramp waits for naira.
	AwaitingFunds Stage = "awaiting_funds"
	// AwaitingDeposit: an offramp waits for USDC.
	AwaitingDeposit Stage = "awaiting_deposit"
	// FundsReceived: the whole amount is here, and nothing was sent yet.
	FundsReceived Stage = "funds_received"
	// PaymentSubmitted: the other side was sent, and its outcome is open.
	PaymentSubmitted Stage = "payment_submitted"
	// PurchaseRefused: the bill that the whole amount pays for was not bought. The amount is held
	// for another attempt for a while.
	PurchaseRefused Stage = "purchase_refused"
	// Done: the other side has arrived.
	Done Stage = "done"
	// Expired: the amount did not arrive in time. What did goes back.
	Expired Stage = "expired"
	// Refunded: the other side could not be paid. What arrived goes back.
	Refunded Stage = "refunded"
)

// Terms are what orders of both sides are asked for with.
type Terms struct {
	// Reference is unique among the orders of a side in a scope.
	Reference string
	// Currency is NGN, the fiat_currency of the API.
	Currency string
	// Amount is in naira.
	Amount money.Amount
	// Asset and Chain are USDC and SOLANA, in any case. Or Asset is solana:usdc, and Chain is
	// SOLANA or empty. Currency and Asset have no default.
	Asset, Chain string
	// Visit is where a visitor of a widget makes the order; empty when the business makes it.
	Visit Visit
}

const missing = "Missing required field"

// Check adds what is wrong with the fields of t.
func (t Terms) Check(problems *ferry.Problems) {
	if t.Reference == "" {
		problems.Add("reference", missing)
	} else {
		problems.Note("reference", text.Reference(t.Reference))
	}
	for field, given := range map[string]string{"fiat_currency": t.Currency, "asset": t.Asset} {
		if given == "" {
			problems.Add(field, missing)
		}
	}
	if network, _ := t.place(); network == "" && t.Asset != "" {
		problems.Add("chain", "Missing required field: send SOLANA, or the asset solana:usdc without a chain")
	}
	CheckFiat(t.Amount, problems)
}

// CheckFiat adds what is wrong with an amount of naira to exchange.
func CheckFiat(fiat money.Amount, problems *ferry.Problems) {
	switch {
	case fiat == money.Amount{}:
		problems.Add("amount", missing)
	case fiat.Asset() != money.AssetNGN:
		problems.Add("amount", "Must be in naira")
	case fiat.Sign() <= 0:
		problems.Add("amount", "Must be greater than 0")
	case fiat.AboveCeiling():
		problems.Add("amount", fiat.CeilingProblem())
	}
}

// CheckPair refuses all but naira for USDC on Solana. Errors: ErrInvalidCurrency,
// wallets.ErrInvalidNetwork, wallets.ErrInvalidAsset.
func (t Terms) CheckPair() error {
	if err := checkCurrency(t.Currency); err != nil {
		return err
	}
	err := wallets.CheckPlace(t.place())
	if errors.Is(err, wallets.ErrInvalidNetwork) {
		return wallets.ErrInvalidNetwork.About("chain", wallets.ErrInvalidNetwork.Message)
	}
	return err
}

// checkCurrency refuses all but naira; empty means naira.
func checkCurrency(currency string) error {
	if asset, err := money.ParseAsset(currency); currency != "" && (err != nil || asset != money.AssetNGN) {
		return ErrInvalidCurrency.About("fiat_currency", ErrInvalidCurrency.Message)
	}
	return nil
}

// place is the network and the asset that t names. A pair that contradicts Chain has the
// network of neither.
func (t Terms) place() (network, asset string) {
	network, asset, pair := strings.Cut(t.Asset, ":")
	switch {
	case !pair:
		return t.Chain, t.Asset
	case t.Chain != "" && !strings.EqualFold(t.Chain, network):
		return network + "/" + t.Chain, asset
	}
	return network, asset
}
