package inspect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
)

// A program that serves a sandbox shows what it is asked.
func Example() {
	seen := inspect.NewRecorder()
	e := must(engine.New(engine.Config{Store: memstore.New(), Deliveries: seen.Deliveries}))
	tenant := must(e.Bootstrap(context.Background()))
	window := inspect.New(e, inspect.Config{API: server.New(e, server.Config{}), Tenant: tenant, Recorder: seen, Prefix: "/inspect/"})
	web := httptest.NewServer(window) // and window.Run follows events and money, while the server runs
	defer web.Close()

	asked := must(http.NewRequest(http.MethodGet, web.URL+"/v1/business", nil))
	asked.Header.Set("Authorization", "Bearer "+tenant.SecretKey)
	must(http.DefaultClient.Do(asked)).Body.Close()

	look := must(http.NewRequest(http.MethodGet, web.URL+"/inspect/", nil)) // a browser gets HTML
	look.Header.Set("Accept", "application/json")
	answer := must(http.DefaultClient.Do(look))
	defer answer.Body.Close()
	var page struct{ Lines []inspect.Line }
	if err := json.NewDecoder(answer.Body).Decode(&page); err != nil {
		panic(err)
	}
	for _, l := range page.Lines {
		fmt.Println(l.Kind, l.Title, l.Status)
	}
	// Output:
	// api GET /v1/business 200
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
