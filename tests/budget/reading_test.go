//go:build postgres && unix

package budget_test

import (
	"slices"
	"strings"
	"testing"
)

func TestReadingTakesOneRoundTripAndAPageTwo(t *testing.T) {
	h := newHouse(t, 0)
	enrich(t, h.Server)
	eachRead(t, h.Server, func(t *testing.T, r read, ask func()) {
		h.least(t, r.trips, ask)
	})
}

// least requires that the cheapest of 7 equal requests takes at most so many round trips. One
// request before them fills the cache. When all take more, it prints the statements.
//
// The end of a snapshot is not counted. Mostly it goes with the next query. Only when none comes
// for 20 milliseconds, it is a round trip of its own, after the request was answered.
func (h *house) least(t *testing.T, budget int, ask func()) {
	t.Helper()
	ask()
	h.rest()
	var all [][]string
	for range 7 {
		ask()
		all = append(all, slices.DeleteFunc(h.reset(), func(trip string) bool { return trip == "ROLLBACK" }))
	}
	trips := slices.MinFunc(all, func(a, b []string) int { return len(a) - len(b) })
	t.Logf("%d round trips of %d", len(trips), budget)
	if len(trips) > budget {
		t.Errorf("%d round trips, the budget is %d:\n%s", len(trips), budget, strings.Join(trips, "\n---\n"))
	}
}
