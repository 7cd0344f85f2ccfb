package checkout

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Instruction offers one address to pay one session in USDC. It stays the
// session's for life.
type Instruction struct {
	// Address names it: no address has two.
	Address wallets.AddressID
	// Scope is that of the session, and Holder the business whose wallet has the
	// address: the same one, or none when deposits are converted.
	Scope   ferry.Scope
	Holder  ferry.BusinessID
	Session ID
	Pair    Pair
	// Deposit is the address on the chain.
	Deposit chain.Address
	// Amount is what it asks for, at Price: what was left to pay when it was made,
	// less what came through a former one since. Received is part of it. Price is empty
	// where there are no rates: the order is in USDC then.
	Amount   money.Amount
	Price    string
	Received money.Amount
	Status   InstructionStatus
	// ExpiresAt is how long Price stands, or else the session. A deposit counts until the
	// session ends, at the rate of its moment when its block is younger.
	ExpiresAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64
}

// ValidAt reports whether the instruction may be shown to a payer.
func (i Instruction) ValidAt(now time.Time) bool {
	return now.Before(i.ExpiresAt) && i.Offered()
}

// Offered reports whether neither its session has ended nor another instruction replaced it.
func (i Instruction) Offered() bool { return i.Status == AwaitingDeposit || i.Status == Detected }

// InstructionStatus is where an instruction stands.
type InstructionStatus string

const (
	// AwaitingDeposit: nothing was seen yet. A deposit or time moves it on.
	AwaitingDeposit InstructionStatus = "AWAITING_DEPOSIT"
	// Detected: part of the money is there. The rest or time moves it on.
	Detected InstructionStatus = "DETECTED"
	// Confirmed: the session was paid through it. Final.
	Confirmed InstructionStatus = "CONFIRMED"
	// Over: its session ended, or it was replaced. Final.
	Over InstructionStatus = "EXPIRED"
)

// InstructionCause is what moves an instruction.
type InstructionCause string

const (
	// See: a deposit was credited.
	See InstructionCause = "seen"
	// Pay: the session is paid.
	Pay InstructionCause = "paid"
	// Lapse: it is no longer offered.
	Lapse InstructionCause = "over"
)

// InstructionLifecycle is docs/api.md, "Checkout session status".
var InstructionLifecycle = ferry.Lifecycle[InstructionStatus, InstructionCause]{
	Name:    "crypto instruction",
	Initial: AwaitingDeposit,
	Edges: []ferry.Edge[InstructionStatus, InstructionCause]{
		{From: AwaitingDeposit, On: See, To: Detected},
		{From: Detected, On: See, To: Detected},
		{From: Detected, On: Pay, To: Confirmed},
		{From: AwaitingDeposit, On: Lapse, To: Over},
		{From: Detected, On: Lapse, To: Over},
	},
}
