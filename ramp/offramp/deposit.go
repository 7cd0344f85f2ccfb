package offramp

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// DepositID names a deposit.
type DepositID string

const depositPrefix = "odp_"

// Deposit is USDC that came to the address of an order, or the part of it that counts, or the
// part that does not.
type Deposit struct {
	ID DepositID
	// Scope is that of the order. The address is the platform's.
	Scope   ferry.Scope
	Order   ID
	Address wallets.AddressID
	Amount  money.Amount
	// Rate is the rate at which it counted, naira for one USDC; empty for what never counted.
	Rate string
	// Source is what brought it: a signature on the chain, or a movement inside.
	Source string
	// Sender is where it came from, and goes back to. It is empty when the chain names nobody.
	Sender chain.Address
	State  DepositState
	// Reason says why it goes back, or is empty.
	Reason Reason
	// Return is where a person has it sent instead; empty when nobody has.
	Return
	// Transfer is the newest transfer that sends it back, Returned what arrives of it there, and
	// Signature that of the chain once it has.
	Transfer  wallets.TransferID
	Returned  money.Amount
	Signature chain.Signature
	// Attempts is how many transfers moved nothing.
	Attempts  int
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64
}

// DepositState is where a deposit stands.
type DepositState string

const (
	// Held: it counts for its order, and is set aside until that has ended.
	Held DepositState = "held"
	// Taken: it is the platform's. Final.
	Taken DepositState = "taken"
	// Due: it goes back. It is set aside until a worker has made the transfer.
	Due DepositState = "due"
	// Sending: a transfer takes it back, which has set it aside.
	Sending DepositState = "sending"
	// Returned: its sender has it, less the fee of the network. Final.
	Returned DepositState = "returned"
	// Kept: it cannot go back, as it is less than what can be sent, or as nobody is known to
	// whom. It stays set aside until a person says where it goes.
	Kept DepositState = "kept"
)

// Reason says why a deposit goes back.
type Reason string

const (
	// NoReason: it does not go back.
	NoReason Reason = ""
	// Excess: more came than the order needed.
	Excess Reason = "excess"
	// Late: its order had ended, or its time was over.
	Late Reason = "late"
	// Short: its order expired before all was there.
	Short Reason = "underpaid"
	// Undeliverable: the bank did not pay.
	Undeliverable Reason = "payout_failed"
	// Unsold: the biller did not sell.
	Unsold Reason = "purchase_failed"
)

// DepositCause is what moves a deposit.
type DepositCause string

const (
	// Take: the bank has paid, or the biller has delivered.
	Take DepositCause = "taken"
	// GoBack: it is to go back.
	GoBack DepositCause = "goes back"
	// Send: the transfer is recorded.
	Send DepositCause = "sent"
	// Arrive: the transfer has arrived.
	Arrive DepositCause = "arrived"
	// Bounce: the transfer has moved nothing.
	Bounce DepositCause = "bounced"
	// GiveUp: there is no way back.
	GiveUp DepositCause = "given up"
	// Redirect: a person has said where it goes.
	Redirect DepositCause = "redirected"
)

// DepositLifecycle is how a deposit ends.
var DepositLifecycle = ferry.Lifecycle[DepositState, DepositCause]{
	Name:    "offramp deposit",
	Initial: Held,
	Edges: []ferry.Edge[DepositState, DepositCause]{
		{From: Held, On: Take, To: Taken},
		{From: Held, On: GoBack, To: Due},
		{From: Due, On: Send, To: Sending},
		{From: Sending, On: Arrive, To: Returned},
		{From: Sending, On: Bounce, To: Due},
		{From: Due, On: GiveUp, To: Kept},
		{From: Kept, On: Redirect, To: Due},
	},
}

// move makes one move of a deposit.
func (d *Deposit) move(tx Books, cause DepositCause) error {
	edge, err := DepositLifecycle.Next(d.State, cause)
	if err != nil {
		return err
	}
	d.State, d.UpdatedAt = edge.To, tx.Now()
	return nil
}

// setAside reports whether a reservation of the deposit's own holds it. That of its transfer does
// while it is Sending.
func (d Deposit) setAside() bool { return d.State == Held || d.State == Due || d.State == Kept }

// reservationPrefix begins the names of what deposits have set aside.
const reservationPrefix = "offramp:"

// reservation is what holds the deposit on its address. After a transfer that moved nothing it is
// another one.
func (d Deposit) reservation(at time.Time) ledger.Reservation {
	id := reservationPrefix + string(d.ID)
	if d.Transfer != "" {
		id += ":" + string(d.Transfer)
	}
	return ledger.Reservation{
		ID: ledger.ReservationID(id), Account: ledger.AddressAccount(string(d.Address)), Amount: d.Amount, At: at,
	}
}
