// Command receive-webhook listens for ferry's events, verifies their signatures
// and prints them. It refuses deliveries without a fresh timestamp, which anybody
// could have captured and sent again. It takes the webhook secret from FERRY_WEBHOOK_SECRET, which the
// banner of ferry dev has, and where to listen from RECEIVE_ADDR:
//
//	RECEIVE_ADDR=127.0.0.1:8090 go run ./examples/receive-webhook
//
// Then tell ferry the address, by POST /v1/webhook/config.
package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/ferrypay/ferry/webhook"
)

func main() {
	secret := os.Getenv("FERRY_WEBHOOK_SECRET")
	if secret == "" {
		fmt.Fprintln(os.Stderr, "receive-webhook: set FERRY_WEBHOOK_SECRET to the webhook secret (whsec_…)")
		os.Exit(2)
	}
	address := cmp.Or(os.Getenv("RECEIVE_ADDR"), "127.0.0.1:8090")
	events := webhook.Handler(func(_ context.Context, event webhook.Received) error {
		fmt.Printf("verified %s %s\n", event.Type, event.Data)
		return nil
	}, secret)
	server := &http.Server{Addr: address, Handler: events, ReadHeaderTimeout: 5 * time.Second}
	fmt.Println("receiving at http://" + address)
	if err := server.ListenAndServe(); err != nil {
		fmt.Fprintln(os.Stderr, "receive-webhook:", err)
		os.Exit(1)
	}
}
