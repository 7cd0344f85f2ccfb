package sim_test

import (
	"fmt"

	"github.com/ferrypay/ferry/ferrytest/sim"
)

// The same seed is the same run, with every accident in it.
func Example() {
	first, err := sim.Live(sim.Config{Seed: 1, Steps: 300})
	if err != nil {
		panic(err)
	}
	again, err := sim.Live(sim.Config{Seed: 1, Steps: 300})
	fmt.Println(first.Hash == again.Hash, err)
	// Output: true <nil>
}
