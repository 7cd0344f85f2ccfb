// Command ratios reads the output of `go test -bench` from standard input, holds
// pairs of benchmarks of the same rounds against each other, and prints for each
// goal the median ratio, its spread, the floor that it must keep and the goal
// that it should reach. It fails when a median is below its floor or a pair is
// missing.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
)

// goal asks that ours does no less than floor times what the yardstick does, and
// wishes for more: 0.5 means half as fast.
type goal struct {
	name            string
	ours, yardstick string
	floor, goal     float64
}

// goals are ratios of rates between benchmarks, of the processor time of servers
// where a benchmark reports that, or of bytes between a benchmark and a budget
// (see budgets).
var goals = []goal{
	{"transfer in memory / map insert", "BenchmarkMemTransfer", "BenchmarkMapInsert", 0.01, 0.3},
	{"posting, one hot account / spread", "BenchmarkMemPost/hot", "BenchmarkMemPost/spread", 0.8, 0.9},
	{"posting beside deliveries / alone", "BenchmarkMemPostDelivering", "BenchmarkMemPost/spread", 0.2, 0.8},
	{"first page of 50,000 rows / of 1,000", "BenchmarkMemPage/long", "BenchmarkMemPage/short", 0.6, 1},
	{"last page of 50,000 rows / first", "BenchmarkMemPage/last", "BenchmarkMemPage/long", 0.33, 1},
	{"page with a status / without", "BenchmarkMemPage/status", "BenchmarkMemPage/long", 0.6, 1},
	{"server time, transfer / echo", "BenchmarkProcessorTime/transfer", "BenchmarkProcessorTime/echo", 0.1, 0.75},
	{"server time, read of a transfer / hello", "BenchmarkProcessorTime/read", "BenchmarkProcessorTime/hello", 0.3, 0.65},
	{"server time, PostgreSQL / function, 1 client", "BenchmarkProcessorTimePostgres/callers=1/transfer", "BenchmarkProcessorTimePostgres/callers=1/hand", 0.03, 0.6},
	{"server time, PostgreSQL / function, 8", "BenchmarkProcessorTimePostgres/callers=8/transfer", "BenchmarkProcessorTimePostgres/callers=8/hand", 0.03, 0.6},
	{"server time, PostgreSQL / function, 32", "BenchmarkProcessorTimePostgres/callers=32/transfer", "BenchmarkProcessorTimePostgres/callers=32/hand", 0.03, 0.6},
	{"the same rows by one function, 1 client", "BenchmarkProcessorTimePostgres/callers=1/transfer", "BenchmarkProcessorTimePostgres/callers=1/rows", 0.1, 0.75},
	{"the same rows by one function, 8", "BenchmarkProcessorTimePostgres/callers=8/transfer", "BenchmarkProcessorTimePostgres/callers=8/rows", 0.15, 0.75},
	{"the same rows by one function, 32", "BenchmarkProcessorTimePostgres/callers=32/transfer", "BenchmarkProcessorTimePostgres/callers=32/rows", 0.15, 0.75},
	{"payout of 1,000 items made / 1,000 payouts", "BenchmarkPayout/bulk", "BenchmarkPayout/singles", 1, 3},
	{"its items paid / 1,000 payouts made", "BenchmarkPayout/paid", "BenchmarkPayout/singles", 0.1, 0.5},
	{"hot wallet, two servers / one", "BenchmarkServers/two", "BenchmarkServers/one", 0.7, 0.9},
	{"webhook delivered / bare signed POST", "BenchmarkDeliver", "BenchmarkPostBare", 0.35, 0.7},
	{"the same from PostgreSQL", "BenchmarkDeliverPostgres/event", "BenchmarkDeliverPostgres/bare", 0.05, 0.4},
	{"backlog drained / bare signed POSTs", "BenchmarkDrain/backlog", "BenchmarkDrain/bare", 0.3, 0.9},
	{"the same from PostgreSQL, drained", "BenchmarkDrainPostgres/backlog", "BenchmarkDrainPostgres/bare", 0.1, 0.9},
	{"deliveries beside a stuck receiver / none", "BenchmarkDeliverOneStuck/stuck", "BenchmarkDeliverOneStuck/none", 0.5, 0.9},
	{"work claimed in batches / one by one", "BenchmarkClaim/batches", "BenchmarkClaim/single", 1.3, 8},
	{"fake started and stopped / bare server", "BenchmarkNewFake", "BenchmarkNewServer", 0.1, 0.5},
	{"wallet kept in 250 B", "BenchmarkMemory/wallet", "250 B", 0.28, 1},
	{"transfer, its events and its key kept in 450 B", "BenchmarkMemory/transfer", "450 B", 0.35, 1},
	{"posting of two legs kept in 250 B", "BenchmarkMemory/posting", "250 B", 1.5, 1},
	{"SQLite post / bare transaction, 1 caller", "BenchmarkSQLite/callers=1/post", "BenchmarkSQLite/callers=1/bare", 0.3, 0.6},
	{"SQLite post / bare transaction, 32 at once", "BenchmarkSQLite/callers=32/post", "BenchmarkSQLite/callers=32/bare", 1, 3},
	{"SQLite post / by hand, 1 caller", "BenchmarkSQLite/callers=1/post", "BenchmarkSQLite/callers=1/hand", 0.5, 1},
	{"PostgreSQL post / one function, 1 caller", "BenchmarkPostgres/spread/callers=1/post", "BenchmarkPostgres/spread/callers=1/hand", 0.4, 0.9},
	{"PostgreSQL post / one function, 8 at once", "BenchmarkPostgres/spread/callers=8/post", "BenchmarkPostgres/spread/callers=8/hand", 0.4, 0.9},
	{"PostgreSQL post / one function, 32 at once", "BenchmarkPostgres/spread/callers=32/post", "BenchmarkPostgres/spread/callers=32/hand", 0.4, 0.9},
	{"PostgreSQL hot account / one function", "BenchmarkPostgres/hot/callers=32/post", "BenchmarkPostgres/hot/callers=32/hand", 1.5, 5},
	{"PostgreSQL hot account / naive", "BenchmarkPostgres/hot/callers=32/post", "BenchmarkPostgres/hot/callers=32/naive", 3, 10},
	{"PostgreSQL first page of 1,000,000 / 10,000", "BenchmarkPostgresPage/long/first", "BenchmarkPostgresPage/short/first", 0.5, 1},
	{"PostgreSQL last page of 1,000,000 / first", "BenchmarkPostgresPage/long/last", "BenchmarkPostgresPage/long/first", 0.33, 1},
	{"sweep of 10,000 idle addresses / bare calls", "BenchmarkSweep/engine", "BenchmarkSweep/bare", 0.3, 0.8},
	{"line of the inspector seen in 300 ms", "BenchmarkLineSeen", "300 ms", 1, 1.2},
	{"its first page of 10,000 lines in 200 ms", "BenchmarkFirstPage", "200 ms", 1, 10},
	{"request recorded / not", "BenchmarkRecorder/with", "BenchmarkRecorder/without", 0.05, 0.5},
	{"transfer with a recorder that is off / none", "BenchmarkRecorderOff/off", "BenchmarkRecorderOff/none", 0.9, 0.98},
	{"amount parsed / by hand", "BenchmarkAmount/parse", "BenchmarkAmount/parse-by-hand", 0.67, 1},
	{"amount printed / by hand", "BenchmarkAmount/print", "BenchmarkAmount/print-by-hand", 0.67, 1},
}

// budgets are yardsticks that no benchmark measures, in bytes a row or in nanoseconds.
var budgets = map[string]float64{"250 B": 250, "450 B": 450, "200 ms": 200e6, "300 ms": 300e6}

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

// line is a result, as in "BenchmarkPost/hot-2   12345   678.9 ns/op" or
// "BenchmarkMemory/wallet   3   12345 ns/op   678 B/row".
var line = regexp.MustCompile(`^(Benchmark\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op(?:.*\s([\d.]+) (?:B/row|cpu-ns/op))?`)

// read returns the costs of every benchmark, one a round: bytes a row or processor
// time where it reports them, else nanoseconds.
func read(r io.Reader) (map[string][]float64, error) {
	rounds := map[string][]float64{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		m := line.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		cost, err := strconv.ParseFloat(cmp.Or(m[3], m[2]), 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m[1], err)
		}
		rounds[m[1]] = append(rounds[m[1]], cost)
	}
	return rounds, lines.Err()
}

// report prints the table of goals and returns whether all are met.
func report(w io.Writer, rounds map[string][]float64) bool {
	met := true
	fmt.Fprintf(w, "\n%-44s %7s %15s %6s %6s %7s\n", "ratio", "median", "spread", "floor", "goal", "rounds")
	for _, g := range goals {
		ratios := g.ratios(rounds)
		if len(ratios) == 0 {
			fmt.Fprintf(w, "%-44s not measured\n", g.name)
			met = false
			continue
		}
		median := ratios[len(ratios)/2]
		verdict := ""
		if median < g.floor {
			verdict, met = "  below its floor", false
		}
		fmt.Fprintf(w, "%-44s %7.2f %7.2f–%-7.2f %6.2f %6.2f %7d%s\n",
			g.name, median, ratios[0], ratios[len(ratios)-1], g.floor, g.goal, len(ratios), verdict)
	}
	return met
}

// ratios returns the ratio of each round in which both ran, in order of size.
func (g goal) ratios(rounds map[string][]float64) []float64 {
	ours, yardstick := rounds[g.ours], rounds[g.yardstick]
	if budget, fixed := budgets[g.yardstick]; fixed {
		yardstick = slices.Repeat([]float64{budget}, len(ours))
	}
	ratios := make([]float64, min(len(ours), len(yardstick)))
	for i := range ratios {
		ratios[i] = yardstick[i] / ours[i]
	}
	slices.Sort(ratios)
	return ratios
}
