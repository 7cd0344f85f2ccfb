package bench_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// BenchmarkProcessorTime measures the processor time that a server process takes
// for a request, while its client is another process: of handlers that do the
// least, and of an engine in memory with its workers. Its ns/op depend on the
// client, and mean nothing.
func BenchmarkProcessorTime(b *testing.B) {
	const callers = 8
	yardsticks, engine := start(b, "yardsticks"), start(b, "memory")
	yardsticks.Addresses = engine.Addresses
	engine.warm(b, callers, engine.transfer)
	b.Run("hello", func(b *testing.B) {
		yardsticks.measure(b, callers, func(b *testing.B, _ int64) {
			do(b, yardsticks.client, http.MethodGet, yardsticks.URL+"/hello", engine.Key, "", "")
		})
	})
	b.Run("echo", func(b *testing.B) {
		yardsticks.measure(b, callers, func(b *testing.B, n int64) {
			do(b, yardsticks.client, http.MethodPost, yardsticks.URL+"/echo", engine.Key, fmt.Sprintf("key-%d", n), yardsticks.body(n))
		})
	})
	b.Run("read", func(b *testing.B) {
		engine.measure(b, callers, func(b *testing.B, _ int64) {
			do(b, engine.client, http.MethodGet, engine.URL+"/v1/wallets/transfers/"+engine.Transfer, engine.Key, "", "")
		})
	})
	b.Run("transfer", func(b *testing.B) { engine.measure(b, callers, engine.transfer) })
}

// BenchmarkRecorderOff measures the processor time of a transfer in a server that has a recorder which is
// off, and in one that has none. They take turns, as the machine changes meanwhile by more than what they may
// differ, and make equally many transfers, as a store that has grown costs more.
func BenchmarkRecorderOff(b *testing.B) {
	const callers, turns, transfers = 8, 10, 1000
	servers := []*process{start(b, "memory"), start(b, "recorder off")}
	for _, p := range servers {
		p.warm(b, callers, p.transfer)
	}
	spent := make([]time.Duration, len(servers))
	for turn := range turns {
		for n := range servers {
			n = (n + turn) % len(servers)
			server, _ := servers[n].spend(b, transfers, callers, servers[n].transfer)
			spent[n] += server
		}
	}
	for n, name := range []string{"none", "off"} {
		b.Run(name, func(b *testing.B) { b.ReportMetric(float64(spent[n])/(turns*transfers), "cpu-ns/op") })
	}
}
