// Package memfake shows how to test your own service against ferry in memory:
// Shop is such a service, and shop_test.go tests it with package ferrytest:
//
//	go test ./examples/memfake
package memfake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/ferrypay/ferry/webhook"
)

// Shop sells things for USDC. It knows ferry by its HTTP API only.
type Shop struct {
	ferryURL, secretKey string

	mu   sync.Mutex
	paid map[string]string // deposit address -> USDC received
}

// NewShop returns a shop that collects through the ferry at a URL.
func NewShop(ferryURL, secretKey string) *Shop {
	return &Shop{ferryURL: ferryURL, secretKey: secretKey, paid: map[string]string{}}
}

// Checkout returns the address to which an order is to be paid.
func (s *Shop) Checkout(ctx context.Context, order string) (string, error) {
	var wallet struct {
		Data struct {
			PrimaryAddress string `json:"primary_address"`
		} `json:"data"`
	}
	err := s.post(ctx, "/v1/wallets", map[string]string{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": order,
	}, &wallet)
	return wallet.Data.PrimaryAddress, err
}

// Paid returns what has arrived at an address.
func (s *Shop) Paid(address string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paid[address]
}

// Webhooks receives ferry's events.
func (s *Shop) Webhooks(secret string) http.Handler {
	return webhook.Handler(func(_ context.Context, event webhook.Received) error {
		if event.Type != "stablecoin.received" {
			return nil
		}
		var deposit struct {
			Address string      `json:"address"`
			Amount  json.Number `json:"amount"`
		}
		if err := json.Unmarshal(event.Data, &deposit); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.paid[deposit.Address] = deposit.Amount.String()
		return nil
	}, secret)
}

// Watch tells ferry where Webhooks is served.
func (s *Shop) Watch(ctx context.Context, url string) error {
	return s.post(ctx, "/v1/webhook/config", map[string]string{"url": url}, nil)
}

func (s *Shop) post(ctx context.Context, path string, body, answer any) error {
	payload, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.ferryURL+path, bytes.NewReader(payload))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.secretKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("shop: ferry answered %s", response.Status)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
