package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const output = `goos: linux
BenchmarkMapInsert-2   	 1000	       500.0 ns/op
BenchmarkMemPost/hot-2 	 1000	       200 ns/op	  16 B/op
BenchmarkMemPost/hot-2 	 1000	       400 ns/op
BenchmarkMemPost/spread 	 1000	       200 ns/op
BenchmarkMemPost/spread 	 1000	       200 ns/op
BenchmarkMemory/wallet-2 	    2	 251240946 ns/op	      1000 B/row
BenchmarkProcessorTime/echo-2  	    2	    900 ns/op	       700.0 cpu-ns/op
PASS
`

func TestARatioIsTakenWithinARound(t *testing.T) {
	rounds, err := read(strings.NewReader(output))
	require.NoError(t, err)
	require.Equal(t, []float64{500}, rounds["BenchmarkMapInsert"])
	g := goal{ours: "BenchmarkMemPost/hot", yardstick: "BenchmarkMemPost/spread"}
	require.Equal(t, []float64{0.5, 1}, g.ratios(rounds))
	g = goal{ours: "BenchmarkMemory/wallet", yardstick: "250 B"}
	require.Equal(t, []float64{0.25}, g.ratios(rounds))
	require.Equal(t, []float64{700}, rounds["BenchmarkProcessorTime/echo"])
}

func TestAGoalThatIsNotMeasuredIsNotMet(t *testing.T) {
	var text strings.Builder
	require.False(t, report(&text, nil))
	require.Contains(t, text.String(), "not measured")
}

func TestAMedianBelowItsFloorFails(t *testing.T) {
	rounds := map[string][]float64{}
	for _, g := range goals {
		rounds[g.ours], rounds[g.yardstick] = []float64{0.1}, []float64{1}
	}
	var text strings.Builder
	require.True(t, report(&text, rounds))
	rounds[goals[0].ours] = []float64{1e9}
	require.False(t, report(&text, rounds))
	require.Contains(t, text.String(), "below its floor")
}
