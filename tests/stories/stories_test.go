// Package stories_test tells random stories of shops and payers over HTTP, on every
// store, and holds all money against an oracle that is written from the contract alone.
package stories_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// storiesOfATown is how many stories one server lives through, a business each.
const storiesOfATown = 20

// crowd is how many clients a crowded story has.
const crowd = 12

// Every third story is crowded: its clients act at the same time.
func TestEveryKoboAndMillionthIsWhereTheOracleSays(t *testing.T) {
	for _, k := range kinds {
		for first := 0; first < *stories; first += storiesOfATown {
			t.Run(fmt.Sprint(k.name, " from story ", first), func(t *testing.T) {
				t.Parallel()
				w := found(t, k, rand.New(rand.NewPCG(*seed, uint64(first))))
				for n := first; n < min(first+storiesOfATown, *stories) && !t.Failed(); n++ {
					t.Run(fmt.Sprint("story ", n), func(t *testing.T) { w.story(t, n) })
				}
			})
		}
	}
}

// story tells the n-th story.
func (w *town) story(t *testing.T, n int) {
	clients, rounds := 1, 28
	if n%3 == 2 {
		clients, rounds = crowd, 7
	}
	tell(t, w, fmt.Sprint("story-", n), *seed+uint64(n), clients, rounds)
}
