//go:build postgres && unix

package budget_test

import (
	"strings"
	"testing"
	"time"
)

// idling is how long an idle server is watched.
const idling = 6 * time.Second

// Two looks a second, and every two seconds the place in the feed of the bank and a page of
// addresses, each with the end of its snapshot.
func TestAnIdleServerWithFewAddressesTakesEightRoundTripsASecond(t *testing.T) {
	h := newBinary(t, 2)
	time.Sleep(7 * time.Second) // what it does at its start, and until it is idle
	h.reset()
	time.Sleep(idling)
	trips := h.reset()
	mean := float64(len(trips)) / idling.Seconds()
	t.Logf("%.1f round trips a second", mean)
	if mean > 8 {
		t.Errorf("%.1f round trips a second, the budget is 8:\n%s", mean, strings.Join(trips, "\n---\n"))
	}
}
