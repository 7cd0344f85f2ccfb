package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
)

// The API is a handler: a program may serve it beside routes of its own.
func Example() {
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(context.Background()))
	mux := http.NewServeMux()
	mux.Handle("/v1/", httpapi.New(e, httpapi.Config{}))

	request := httptest.NewRequest(http.MethodPost, "/v1/wallets", strings.NewReader(
		`{"type":"stablecoin","network":"solana","asset":"USDC","reference":"main"}`))
	request.Header.Set("Authorization", "Bearer "+shop.SecretKey)
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, request)

	var body struct {
		Data struct{ Reference, Status string }
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil {
		panic(err)
	}
	fmt.Println(answer.Code, body.Data.Reference, body.Data.Status)
	// Output: 200 main active
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
