package chain

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry/money"
)

// Minted is an optional ability of a Chain: it names the mint of its USDC, which wallets
// need in a payment request.
type Minted interface {
	// Mint is the mint's address.
	Mint() Address
}

// PendingReporter is an optional ability of a Chain: it reports USDC that has arrived at an
// address and is not final yet. Then a page can show that a payment was seen, and the
// engine knows that an attempt to pay is under way.
type PendingReporter interface {
	// PendingDeposits sums what is not final yet at managed addresses, at most MaxAddresses, in
	// their order. It is no evidence: its blocks may still be dropped.
	PendingDeposits(context.Context, []Address) ([]PendingDeposits, error)
}

// PendingDeposits is the USDC on its way to an address that is not final yet.
type PendingDeposits struct {
	Amount money.Amount
	// Commitment is the lowest commitment of its parts; empty without any deposit.
	Commitment Commitment
}

// ActivityReporter is an optional ability of a Chain: it reports the addresses at which
// something has moved. Then a sweep looks at those, and seldom at all addresses.
type ActivityReporter interface {
	// Activity returns the addresses at which USDC or another token has moved, in or out, in
	// a block that is not final yet, or was not when the answer was given that the cursor is
	// of. So whoever goes on from the cursor of each answer is told of every movement, at
	// least once after it is final. An empty cursor stands for now.
	//
	// There may be addresses among them that are not managed. As with ChangeTokens, the node
	// that answers may be ahead of the one that answers History, or behind the one that
	// answered before: the cursor never goes back.
	//
	// Errors: ErrCursorExpired.
	Activity(ctx context.Context, since Cursor) (Activity, error)
}

// Activity is where something has moved since a place.
type Activity struct {
	// Addresses are named once each.
	Addresses []Address
	// Cursor is where to go on. It is not empty.
	Cursor Cursor
}

// ErrCursorExpired says that a chain cannot report all activity since a cursor, because too
// much has happened or it has forgotten. The caller begins with an empty cursor and asks about
// all addresses.
var ErrCursorExpired = errors.New("chain: the cursor has expired")
