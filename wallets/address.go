package wallets

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// AddressID names an address: addr_ and 32 hexadecimal digits.
type AddressID string

// Address is a place on the chain where a wallet receives
// (docs/api.md, "Addresses"). Addresses are never deleted.
type Address struct {
	ID              AddressID
	Scope           ferry.Scope
	Wallet          ID
	WalletReference string
	// Address is the public key on the chain. It never changes.
	Address chain.Address
	Label   string
	Status  AddressStatus
	// Primary marks the address that was made with the wallet.
	Primary  bool
	Metadata ferry.Metadata
	// TotalReceived and DepositCount sum what ever came in, from the chain or
	// by internal transfers, the last at LastDepositAt (zero before any).
	TotalReceived money.Amount
	DepositCount  int64
	LastDepositAt time.Time
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Version       int64
}

// Account is the ledger account of what the address's owner holds on it.
func (a Address) Account() ledger.AccountID { return ledger.AddressAccount(string(a.ID)) }

// AddressStatus is where an address stands.
type AddressStatus string

const (
	// AddressActive: each deposit is an event to the business.
	AddressActive AddressStatus = "active"
	// AddressInactive: arrivals are credited and counted without an event.
	AddressInactive AddressStatus = "inactive"
)

// AddressCause is what moves an address.
type AddressCause string

const (
	// Deactivate stops events.
	Deactivate AddressCause = "deactivate"
	// Reactivate starts them again.
	Reactivate AddressCause = "activate"
)

// AddressLifecycle is docs/api.md, "Address status".
var AddressLifecycle = ferry.Lifecycle[AddressStatus, AddressCause]{
	Name:    "address",
	Initial: AddressActive,
	Edges: []ferry.Edge[AddressStatus, AddressCause]{
		{From: AddressActive, On: Deactivate, To: AddressInactive},
		{From: AddressInactive, On: Reactivate, To: AddressActive},
	},
}

// addressCauses names what leads to each status.
var addressCauses = map[AddressStatus]AddressCause{AddressActive: Reactivate, AddressInactive: Deactivate}

// AddressRef names an address by its id, by what it is on the chain, or by
// both, which then must name the same address.
type AddressRef struct {
	ID      string
	Address string
}

// AddressFilter keeps addresses; the zero value keeps all.
type AddressFilter struct {
	Wallet ID
	Status AddressStatus
	// HasBalance keeps addresses that hold something, or nothing; nil keeps both.
	HasBalance *bool
}

// AddressSummary sums up all addresses that match a filter.
type AddressSummary struct {
	Total, Active int
	// Balance is what can be sent from them.
	Balance, Received money.Amount
}

// FundedAddress is an address with what can be sent from it.
type FundedAddress struct {
	Address
	Balance money.Amount
}
