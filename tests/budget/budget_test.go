//go:build postgres && unix

package budget_test

import "testing"

// times is how often a test repeats what it counts.
const times = 40

func TestAnInternalTransferTakesTwoRoundTrips(t *testing.T) {
	h := newHouse(t, 2)
	h.atMost(t, 2, func() { h.transfer(t, h.address(1)) })
}
