package onramp

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

// Prefix begins the id of an order.
const Prefix = "onr_"

// ID names an order: onr_ and 32 hexadecimal digits.
type ID string

// Order is naira to be exchanged for USDC.
type Order struct {
	ID    ID
	Scope ferry.Scope
	// Reference is the business's own name, unique among the onramps of the scope.
	Reference string
	Status    ramp.Status
	Stage     ramp.Stage
	// Amount is the naira that are asked for. Crypto is the USDC that they buy at Rate, naira
	// for one USDC, by the quote of the order.
	Amount, Crypto money.Amount
	Quote          ramp.QuoteID
	Rate           string
	// Address is where the USDC go.
	Address chain.Address
	// Bank is the account that is to be paid.
	Bank bank.Account
	// Received is the sum of Credits that were not recalled.
	Received money.Amount
	Credits  []Credit
	// Transfer sends the USDC; empty until it is made. Signature is that of its transaction,
	// empty when it stayed inside.
	Transfer  wallets.TransferID
	Signature chain.Signature
	// Failure says why the order failed.
	Failure string
	// ExpiresAt is how long credits count.
	ExpiresAt time.Time
	// FundedAt is when all naira were there, and EndedAt when the order ended.
	FundedAt, EndedAt    time.Time
	CreatedAt, UpdatedAt time.Time
	Version              int64
}

// Credit is naira that came for an order in time. Amounts are in kobo.
type Credit struct {
	// Session is the bank's id of it.
	Session string `json:"session"`
	Minor   int64  `json:"minor"`
	// SenderBank, SenderAccount and SenderName are who paid it, and gets back what goes back. They
	// are empty in rows of former releases.
	SenderBank    string `json:"sender_bank,omitempty"`
	SenderAccount string `json:"sender_account,omitempty"`
	SenderName    string `json:"sender_name,omitempty"`
	// Back is what of it went back to its sender.
	Back int64 `json:"back,omitempty"`
	// Recalled says that the bank took it back itself.
	Recalled bool `json:"recalled,omitempty"`
}

// maxCredits is how many credits one order takes. Further ones go back.
const maxCredits = 20

// booked is what the credits of an order brought to the account of onramps, in kobo. It is
// negative when the bank took back what had gone back already.
func (o Order) booked() (sum int64) {
	for _, c := range o.Credits {
		if !c.Recalled {
			sum += c.Minor
		}
		sum -= c.Back
	}
	return sum
}

// takes reports whether naira count for the order that came at an instant.
func (o Order) takes(came time.Time) bool {
	return o.Stage == ramp.AwaitingFunds && came.Before(o.ExpiresAt) && len(o.Credits) < maxCredits
}
