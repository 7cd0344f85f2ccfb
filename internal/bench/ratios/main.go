// Command ratios reads the output of `go test -bench` from standard input, holds
// pairs of benchmarks of the same rounds against each other, and prints for each
// goal the median ratio, its spread and the floor. It fails when a median is
// below its floor or a pair is missing.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
)

// goal asks that ours runs at no less than floor times the rate of the yardstick.
type goal struct {
	name            string
	ours, yardstick string
	floor           float64
}

// goals are ratios of rates: 0.5 means half as fast as the yardstick.
var goals = []goal{
	{"transfer in memory / map insert", "BenchmarkMemTransfer", "BenchmarkMapInsert", 0.01},
	{"posting, one hot account / spread", "BenchmarkMemPost/hot", "BenchmarkMemPost/spread", 0.9},
	{"first page of 100,000 rows / of 1,000", "BenchmarkMemFirstPage/rows=100000", "BenchmarkMemFirstPage/rows=1000", 0.8},
	{"HTTP transfer / echo", "BenchmarkHTTPTransfer", "BenchmarkHTTPEcho", 0.5},
	{"HTTP transfer / hello", "BenchmarkHTTPTransfer", "BenchmarkHTTPHello", 0.4},
	{"HTTP read of a transfer / hello", "BenchmarkHTTPGetTransfer", "BenchmarkHTTPHello", 0.65},
	{"webhook delivered / bare signed POST", "BenchmarkDeliver", "BenchmarkPostBare", 0.4},
	{"work claimed in batches / one by one", "BenchmarkClaim/batches", "BenchmarkClaim/single", 1},
	{"amount parsed / by hand", "BenchmarkAmount/parse", "BenchmarkAmount/parse-by-hand", 0.67},
	{"amount printed / by hand", "BenchmarkAmount/print", "BenchmarkAmount/print-by-hand", 0.67},
}

func main() {
	rounds, err := read(io.TeeReader(os.Stdin, os.Stdout))
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(2)
	}
	if !report(os.Stdout, rounds) {
		os.Exit(1)
	}
}

// line is a result, as in "BenchmarkPost/hot-2   12345   678.9 ns/op".
var line = regexp.MustCompile(`^(Benchmark\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op`)

// read returns the nanoseconds of every benchmark, one a round.
func read(r io.Reader) (map[string][]float64, error) {
	rounds := map[string][]float64{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		m := line.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		nanoseconds, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m[1], err)
		}
		rounds[m[1]] = append(rounds[m[1]], nanoseconds)
	}
	return rounds, lines.Err()
}

// report prints the table of goals and returns whether all are met.
func report(w io.Writer, rounds map[string][]float64) bool {
	met := true
	fmt.Fprintf(w, "\n%-40s %7s %15s %6s %7s\n", "goal", "median", "spread", "floor", "rounds")
	for _, g := range goals {
		ratios := g.ratios(rounds)
		if len(ratios) == 0 {
			fmt.Fprintf(w, "%-40s not measured\n", g.name)
			met = false
			continue
		}
		median := ratios[len(ratios)/2]
		verdict := ""
		if median < g.floor {
			verdict, met = "  below its floor", false
		}
		fmt.Fprintf(w, "%-40s %7.2f %7.2f–%-7.2f %6.2f %7d%s\n",
			g.name, median, ratios[0], ratios[len(ratios)-1], g.floor, len(ratios), verdict)
	}
	return met
}

// ratios returns the ratio of rates of each round in which both ran, in order of
// size.
func (g goal) ratios(rounds map[string][]float64) []float64 {
	ours, yardstick := rounds[g.ours], rounds[g.yardstick]
	ratios := make([]float64, min(len(ours), len(yardstick)))
	for i := range ratios {
		ratios[i] = yardstick[i] / ours[i]
	}
	slices.Sort(ratios)
	return ratios
}
