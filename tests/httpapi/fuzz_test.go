package httpapi_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// raw bodies and queries are answered, whatever they are, and never by a fault.

func FuzzBodiesAreAnswered(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "[]", "null", `{"amount":1e400}`, `{"amount":"-0"}`, `{"metadata":{"a":{}}}`, "{\"label\":\"\xff\"}",
		`{"from_address":"F","to_address":"T","network":"solana","asset":"USDC","amount":"1"}`,
	} {
		f.Add(seed)
	}
	s := apitest.Start(f, apitest.Config{})
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"/v1/customers", "/v1/wallets", "/v1/wallets/transfer", "/v1/customers/identity/initiate"} {
			answer := s.For(t).With("Content-Type", "application/json").With("Idempotency-Key", "f").Post(path, body)
			require.Less(t, answer.Status, http.StatusInternalServerError, "%s", answer.Raw)
		}
	})
}

func FuzzQueriesAreAnswered(f *testing.F) {
	for _, seed := range []string{"page=1", "limit=%zz", "id=uid_", "date_from=2026-13-01", "has_balance=;", "a=b&a=c", "address=\x00"} {
		f.Add(seed)
	}
	s := apitest.Start(f, apitest.Config{})
	f.Fuzz(func(t *testing.T, query string) {
		if _, err := url.Parse("/?" + query); err != nil || strings.ContainsAny(query, "# \r\n") {
			return // no request has such a target
		}
		for _, path := range []string{"/v1/customers", "/v1/wallets/addresses", "/v1/wallets/transfers", "/v1/events"} {
			answer := s.For(t).Get(path + "?" + query)
			require.Less(t, answer.Status, http.StatusInternalServerError, "%s", answer.Raw)
		}
	})
}
