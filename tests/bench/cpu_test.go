package bench_test

import (
	"fmt"
	"net/http"
	"testing"
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
	off := start(b, "recorder off")
	off.warm(b, callers, off.transfer)
	b.Run("transfer-recorder-off", func(b *testing.B) { off.measure(b, callers, off.transfer) })
}
