package chain

import (
	"context"

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
