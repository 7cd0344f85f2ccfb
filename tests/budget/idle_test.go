//go:build postgres && unix

package budget_test

import (
	"strings"
	"testing"
	"time"
)

// idling is how long an idle server is watched.
const idling = 6 * time.Second

// It looks for due work twice a second. Bank and chain tell that nothing has happened.
func TestAnIdleServerTakesThreeRoundTripsASecond(t *testing.T) {
	h := newBinary(t, 2)
	time.Sleep(7 * time.Second) // what it does at its start, and until it is idle
	h.reset()
	time.Sleep(idling)
	trips := h.reset()
	mean := float64(len(trips)) / idling.Seconds()
	t.Logf("%.1f round trips a second", mean)
	if mean > 3 {
		t.Errorf("%.1f round trips a second, the budget is 3:\n%s", mean, strings.Join(trips, "\n---\n"))
	}
}
