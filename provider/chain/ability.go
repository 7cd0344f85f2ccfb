package chain

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry/money"
)

// Minted is an optional ability of a Chain: it names the mint of its USDC. The wallet of a payer
// needs it in a payment request.
type Minted interface {
	// Mint is the mint's address.
	Mint() Address
}

// PendingReporter is an optional ability of a Chain: it reports USDC that has arrived at an
// address and is not final yet. With it, a page can show that a payment was seen, and the
// engine knows that an attempt to pay is under way.
type PendingReporter interface {
	// PendingDeposits returns, for each address in the order given, the sum of its deposits
	// that are not final yet. It takes at most MaxAddresses managed addresses. The sum proves
	// nothing: the chain may still drop these blocks.
	PendingDeposits(context.Context, []Address) ([]PendingDeposits, error)
}

// PendingDeposits is the USDC that has arrived at an address and is not final yet.
type PendingDeposits struct {
	Amount money.Amount
	// Commitment is the lowest commitment of these deposits, or empty when there are none.
	Commitment Commitment
}

// ActivityReporter is an optional ability of a Chain: it reports the addresses at which
// something has moved. With it, a sweep asks about these addresses, and only seldom about all.
type ActivityReporter interface {
	// Activity returns the addresses at which USDC or another token has moved, in or out. It
	// reports each movement whose block is confirmed and not final yet, and each whose block was
	// not final when the answer with that cursor was given. So a caller that always passes the cursor of
	// the last answer is told of every movement at least once after it is final. An empty
	// cursor stands for now: then Activity reports only what is not final yet.
	//
	// Some of the addresses may not be managed. As with ChangeTokens, the node that answers
	// may be ahead of the node that answers History, or behind the node that answered before.
	// The cursor never goes back.
	//
	// Errors: ErrCursorExpired.
	Activity(ctx context.Context, since Cursor) (Activity, error)
}

// Activity is the addresses at which something has moved since a cursor.
type Activity struct {
	// Addresses has each address once.
	Addresses []Address
	// Cursor is the one to pass to the next call. It is not empty.
	Cursor Cursor
}

// ErrCursorExpired says that a chain cannot report all activity since a cursor, because too
// much has happened or the chain has forgotten it. The caller then begins with an empty cursor,
// and asks about all addresses.
var ErrCursorExpired = errors.New("chain: the cursor has expired")
