package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestASandboxAnswersEveryOrigin(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, origin := range []string{"null", "https://shop.example.com", "file://"} {
		preflight := raw(t, s, http.MethodOptions, "/v1/wallets", map[string]string{
			"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,idempotency-key",
		}, nil)
		require.Equal(t, http.StatusNoContent, preflight.StatusCode)
		require.Equal(t, "*", preflight.Header.Get("Access-Control-Allow-Origin"))
		require.Contains(t, preflight.Header.Get("Access-Control-Allow-Methods"), "POST")
		require.Contains(t, preflight.Header.Get("Access-Control-Allow-Headers"), "Authorization")
		require.Contains(t, preflight.Header.Get("Access-Control-Allow-Headers"), "Idempotency-Key")
		require.Empty(t, preflight.Header.Get("Access-Control-Allow-Credentials"))
		for _, answer := range []apitest.Answer{
			s.With("Origin", origin).Get("/v1/business"),
			s.With("Origin", origin).As("").Get("/v1/business"),
			s.With("Origin", origin).Get("/v1/nothing"),
		} {
			require.Equal(t, "*", answer.Header.Get("Access-Control-Allow-Origin"))
			require.Contains(t, answer.Header.Get("Access-Control-Expose-Headers"), "X-Request-Id")
		}
	}
	require.Equal(t, http.StatusMethodNotAllowed, raw(t, s, http.MethodOptions, "/v1/wallets", nil, nil).StatusCode)
}

const shopOrigin = "https://shop.example.com"

func TestProductionAnswersConfiguredOriginsOnRoutesOfThePublicKey(t *testing.T) {
	s := apitest.Start(t, apitest.Config{
		Engine: engine.Config{Production: true},
		API:    httpapi.Config{Origins: []httpapi.Origin{shopOrigin, "http://localhost:3000"}},
	})
	ask := func(origin, method, path string) *http.Response {
		return raw(t, s, http.MethodOptions, path, map[string]string{
			"Origin": origin, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "content-type",
		}, nil)
	}
	for path, method := range map[string]string{
		"/v1/checkout": "POST", "/v1/payment-links/pay": "POST", "/v1/checkout/quote?amount=1": "GET", "/v1/checkout/assets": "GET",
	} {
		for _, origin := range []string{shopOrigin, "http://localhost:3000"} {
			preflight := ask(origin, method, path)
			require.Equal(t, http.StatusNoContent, preflight.StatusCode, path)
			require.Equal(t, origin, preflight.Header.Get("Access-Control-Allow-Origin"))
			require.Equal(t, method, preflight.Header.Get("Access-Control-Allow-Methods"))
			require.Contains(t, preflight.Header.Get("Access-Control-Allow-Headers"), "Content-Type")
			require.NotContains(t, preflight.Header.Get("Access-Control-Allow-Headers"), "Authorization")
			require.Empty(t, preflight.Header.Get("Access-Control-Allow-Credentials"))
			require.Contains(t, preflight.Header.Values("Vary"), "Origin")
		}
		for _, origin := range []string{"https://evil.example", "null", "https://shop.example.com.evil.example", "http://shop.example.com", "https://shop.example.com:8443", "HTTPS://SHOP.EXAMPLE.COM"} {
			preflight := ask(origin, method, path)
			require.Equal(t, http.StatusMethodNotAllowed, preflight.StatusCode)
			requireNoCORS(t, preflight.Header)
		}
	}
	made := s.As("").With("Origin", shopOrigin).Post("/v1/checkout", orderA(s, "order-1")).OK()
	require.Equal(t, shopOrigin, made.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, made.Header.Get("Access-Control-Expose-Headers"), "X-Request-Id")
	refused := s.As("").With("Origin", shopOrigin).Post("/v1/checkout", apitest.Object{}).Fails(http.StatusBadRequest, "validation_error")
	require.Equal(t, shopOrigin, refused.Header.Get("Access-Control-Allow-Origin"), "the page must be able to read why")
	requireNoCORS(t, s.As("").With("Origin", "https://evil.example").Post("/v1/checkout", orderA(s, "order-2")).OK().Header)
}

func TestProductionAnswersNoOriginOnOtherRoutes(t *testing.T) {
	s := apitest.Start(t, apitest.Config{
		Engine: engine.Config{Production: true}, API: httpapi.Config{Origins: []httpapi.Origin{shopOrigin}},
	})
	for path, method := range map[string]string{
		"/v1/wallets": "POST", "/v1/business": "GET", "/v1/checkout": "GET", "/v1/checkout/create": "POST", "/v1/nothing": "GET", "/openapi.json": "GET",
	} {
		preflight := raw(t, s, http.MethodOptions, path, map[string]string{"Origin": shopOrigin, "Access-Control-Request-Method": method}, nil)
		require.NotEqual(t, http.StatusNoContent, preflight.StatusCode, path)
		requireNoCORS(t, preflight.Header)
		requireNoCORS(t, s.With("Origin", shopOrigin).Do(method, path, nil).Header)
	}
	requireNoCORS(t, raw(t, s, http.MethodPost, "/v1//checkout", map[string]string{"Origin": shopOrigin}, nil).Header)
	none := apitest.Start(t, apitest.Config{Engine: engine.Config{Production: true}})
	requireNoCORS(t, none.As("").With("Origin", shopOrigin).Post("/v1/checkout", orderA(none, "order-1")).OK().Header)
	requireNoCORS(t, none.As("").With("Origin", "").Post("/v1/checkout", orderA(none, "order-2")).OK().Header)
}

func requireNoCORS(t *testing.T, h http.Header) {
	t.Helper()
	for name := range h {
		require.NotContains(t, name, "Access-Control-")
	}
}

func TestAnOriginIsSchemeHostAndPort(t *testing.T) {
	for _, text := range []string{
		"https://shop.example.com", "https://shop.example.com:8443", "http://localhost", "http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000", "https://xn--bcher-kva.example",
	} {
		origin, err := httpapi.ParseOrigin(text)
		require.NoError(t, err)
		require.Equal(t, httpapi.Origin(text), origin)
	}
	for text, want := range map[string]string{
		"": "is no origin", "*": "is no origin", "null": "is no origin", "shop.example.com": "is no origin", "https://": "is no origin",
		"https://shop.example.com/": "nothing after it", "https://shop.example.com/cart": "nothing after it", "https://shop.example.com?x=1": "nothing after it",
		"https://shop.example.com#x": "nothing after it", "https://user@shop.example.com": "is no origin",
		"https://Shop.example.com": "lower case", "https://*.example.com": "stands for itself", "https://b\u00fccher.example": "lower case and ASCII",
		"http://shop.example.com": "the scheme is https", "ftp://shop.example.com": "the scheme is https", "http://localhost.evil.example": "the scheme is https",
		"https://shop.example.com:443": "leave the port", "http://localhost:80": "leave the port", "https://shop.example.com:": "leave the port",
	} {
		_, err := httpapi.ParseOrigin(text)
		require.ErrorContains(t, err, want, text)
	}
}
