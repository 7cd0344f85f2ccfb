package ledger

import (
	"time"

	"github.com/ferrypay/ferry/money"
)

// ReservationID names a reservation: the id of the record it is held for.
type ReservationID string

// ReservationState is where a reservation stands.
type ReservationState string

const (
	// Open: the money is set aside. The record it is held for moves it on; a
	// crash leaves it open, and nothing but evidence ends it.
	Open ReservationState = "open"
	// Settled: posted, in full or in part; the rest became available. Final.
	Settled ReservationState = "settled"
	// Released: nothing was posted; all became available. Final.
	Released ReservationState = "released"
)

// Reservation sets money of one counted account aside before something outside
// is asked to move it. It ends exactly once.
type Reservation struct {
	ID      ReservationID
	Account AccountID
	Amount  money.Amount
	State   ReservationState
	// Settled is what was taken, when State is Settled.
	Settled money.Amount
	At      time.Time
}
