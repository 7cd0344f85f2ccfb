package chain

import (
	"context"

	"github.com/ferrypay/ferry/money"
)

// Minted is what a Chain may be able to do besides: name the mint of its USDC, which
// wallets need in a payment request.
type Minted interface {
	// Mint is the mint's address.
	Mint() Address
}

// Herald is what a Chain may be able to do besides: tell of USDC that has arrived at
// an address and is not final yet, so that a payer sees that it was seen and an
// attempt to pay is known to be under way.
type Herald interface {
	// Incoming sums what is not final yet at managed addresses, at most MaxMarks, in
	// their order. It is no evidence: what it tells of may still be dropped.
	Incoming(context.Context, []Address) ([]Incoming, error)
}

// Incoming is USDC on its way to being final.
type Incoming struct {
	Amount money.Amount
	// Commitment is that of the least sure part; empty when there is nothing.
	Commitment Commitment
}
