package wallets

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

const (
	// Type is the one type of wallet.
	Type = "stablecoin"
	// Network is the one network that wallets are on.
	Network = "solana"
	// Asset is the one asset that wallets hold.
	Asset = money.AssetUSDC
)

// ID names a wallet: wal_ and 32 hexadecimal digits.
type ID string

// Wallet holds USDC of a business on one or more addresses
// (docs/api.md, "Wallets").
type Wallet struct {
	ID    ID
	Scope ferry.Scope
	// Reference is unique in the scope and never changes. It is the wallet's
	// id when the business chose none.
	Reference string
	Label     string
	Status    Status
	// SuspendedBy is who keeps it suspended, or ByNobody.
	SuspendedBy Suspender
	// Primary is the address that was made with the wallet.
	Primary        AddressID
	PrimaryAddress chain.Address
	// CustomerID is the customer that the wallet is for, or empty.
	CustomerID string
	Metadata   ferry.Metadata
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Version    int64
}

// Status is where a wallet stands.
type Status string

const (
	// Active: sends and receives. The business, or an audit that finds money
	// gone, moves it on.
	Active Status = "active"
	// Suspended: receives only, and signs nothing. SuspendedBy says who moves it on:
	// the business, or the operator after an alarm.
	Suspended Status = "suspended"
	// Closed: empty and out of use. What still arrives is credited. Final.
	Closed Status = "closed"
)

// Cause is what moves a wallet.
type Cause string

const (
	// Suspend stops sending.
	Suspend Cause = "suspend"
	// Activate allows sending again.
	Activate Cause = "activate"
	// Close ends the wallet.
	Close Cause = "close"
)

// Lifecycle is docs/api.md, "Wallet status".
var Lifecycle = ferry.Lifecycle[Status, Cause]{
	Name:    "wallet",
	Initial: Active,
	Edges: []ferry.Edge[Status, Cause]{
		{From: Active, On: Suspend, To: Suspended},
		{From: Suspended, On: Activate, To: Active},
		{From: Active, On: Close, To: Closed},
		{From: Suspended, On: Close, To: Closed},
	},
}

// causes names what leads to each status that a business may ask for.
var causes = map[Status]Cause{Active: Activate, Suspended: Suspend, Closed: Close}

// WalletRef names a wallet by its id in either form, by its reference, or by
// both, which then must name the same wallet.
type WalletRef struct {
	ID        string
	Reference string
}

// WalletFilter keeps wallets; the zero value keeps all.
type WalletFilter struct {
	Status     Status
	CustomerID string
	// Search keeps wallets whose reference or label contains it, in any case.
	Search string
	Range  ferry.Range
}

// FundedWallet is a wallet with what it holds.
type FundedWallet struct {
	Wallet
	// Balance is what can be sent: posted minus reserved.
	Balance money.Amount
	// Addresses are in the order they were made, the primary one first.
	Addresses []FundedAddress
}
