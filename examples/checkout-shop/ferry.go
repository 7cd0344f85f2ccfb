package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// priceInKobo is what the book costs: 15,000 naira.
const priceInKobo = 15_000_00

// ferry is as much of the HTTP API as the shop needs.
type ferry struct {
	url, secretKey, publicKey string
	client                    http.Client
}

// dial returns a client of the ferry at a URL. It asks for the public key, which a
// session is made with beside the secret one.
func dial(ctx context.Context, address, secretKey string) (*ferry, error) {
	f := &ferry{url: strings.TrimSuffix(address, "/"), secretKey: secretKey, client: http.Client{Timeout: 10 * time.Second}}
	var keys struct {
		PublicKey string `json:"public_key"`
	}
	err := f.get(ctx, "/v1/api-keys/config", &keys)
	f.publicKey = keys.PublicKey
	return f, err
}

// watch sets the URL to which ferry sends events.
func (f *ferry) watch(ctx context.Context, address string) error {
	return f.post(ctx, "/v1/webhook/config", map[string]string{"url": address}, nil)
}

// createCheckout makes a session for an order and returns the page on which it is
// paid, and which leads back to an address of the shop.
func (f *ferry) createCheckout(ctx context.Context, order, back string) (string, error) {
	var session struct {
		CheckoutURL string `json:"checkout_url"`
	}
	err := f.post(ctx, "/v1/checkout/create", map[string]any{
		"public_key": f.publicKey, "trx_id": order, "email": "reader@example.com",
		"amount": priceInKobo, "currency": "NGN", "redirect_url": back,
	}, &session)
	return session.CheckoutURL, err
}

// payment is what ferry knows of the payment of an order: pending, success, and
// else how it ended.
type payment struct {
	Status     string   `json:"status"`
	Exceptions []string `json:"exceptions"`
}

// InFull reports whether the order is paid, to the last kobo.
func (p payment) InFull() bool {
	return p.Status == "success" && !slices.Contains(p.Exceptions, "underpaid")
}

// payment asks for the payment of an order.
func (f *ferry) payment(ctx context.Context, order string) (p payment, err error) {
	err = f.get(ctx, "/v1/payments?id="+url.QueryEscape(order), &p)
	return p, err
}

// get reads the data of an answer.
func (f *ferry) get(ctx context.Context, path string, data any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url+path, http.NoBody)
	if err != nil {
		return err
	}
	return f.do(request, data)
}

// post sends a body and reads the data of the answer, unless data is nil.
func (f *ferry) post(ctx context.Context, path string, body, data any) error {
	payload, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url+path, bytes.NewReader(payload))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	return f.do(request, data)
}

func (f *ferry) do(request *http.Request, data any) error {
	request.Header.Set("Authorization", "Bearer "+f.secretKey)
	response, err := f.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer := struct {
		Message string `json:"message"`
		Data    any    `json:"data"`
	}{Data: data}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s %s: %s: %w", request.Method, request.URL.Path, response.Status, err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s: %s", request.Method, request.URL.Path, response.Status, answer.Message)
	}
	return nil
}
