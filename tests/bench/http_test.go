package bench_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

const transferBody = `{"from_address":%q,"to_address":%q,"amount":0.01,"network":"Solana","asset":"USDC","reference":%q}`

// BenchmarkHTTPHello is the least that the standard library does.
func BenchmarkHTTPHello(b *testing.B) { benchmarkHandler(b, http.MethodGet, hello) }

// BenchmarkHTTPEcho is the least that a POST with a body takes.
func BenchmarkHTTPEcho(b *testing.B) { benchmarkHandler(b, http.MethodPost, echo) }

func benchmarkHandler(b *testing.B, method string, handler http.HandlerFunc) {
	web := httptest.NewServer(handler)
	defer web.Close()
	client := loopbackClient()
	body := fmt.Sprintf(transferBody, "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU", "transfer-1")
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			do(b, client, method, web.URL, "key", "", body)
		}
	})
}

// BenchmarkHTTPTransfer creates an internal transfer with an idempotency key of
// its own: authenticated, decoded, posted, told, rendered.
func BenchmarkHTTPTransfer(b *testing.B) {
	r := setup(b, 64)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			t := r.transfer(r.serial.Load())
			do(b, r.client, http.MethodPost, r.web.URL+"/v1/wallets/transfer", r.SecretKey, t.Reference,
				fmt.Sprintf(transferBody, t.From, t.To, t.Reference))
		}
	})
}

// BenchmarkHTTPGetTransfer reads one transfer.
func BenchmarkHTTPGetTransfer(b *testing.B) {
	r := setup(b, 2)
	t, err := r.Outgoing.Transfer(b.Context(), r.scope(), r.transfer(0))
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			do(b, r.client, http.MethodGet, r.web.URL+"/v1/wallets/transfers/"+string(t.ID), r.SecretKey, "", "")
		}
	})
}
