package httpapi_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/tests/apitest"
)

// raw sends a request of any form and returns the answer.
func raw(t *testing.T, s *apitest.Server, method, path string, header map[string]string, body io.Reader) *http.Response {
	t.Helper()
	request, err := http.NewRequest(method, s.URL+path, body)
	require.NoError(t, err)
	for name, value := range header {
		request.Header.Set(name, value)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func TestSuccessCarriesBothEnvelopes(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	one := s.Get("/v1/business").OK()
	require.Equal(t, "success", one.Text("status"))
	require.Equal(t, "200", one.Number("status_code"))
	require.Equal(t, "Business retrieved successfully", one.Text("message"))
	require.Equal(t, one.Header.Get("X-Request-Id"), one.Text("request_id"))
	require.False(t, one.Has("pagination"))
	require.False(t, one.Has("meta"))

	list := s.Get("/v1/customers").OK()
	require.Equal(t, list.At("pagination"), list.At("meta"))
	require.Equal(t, "0", list.Number("meta.total_pages"))
	require.Equal(t, false, list.At("pagination.has_more"))
	require.Equal(t, []any{}, list.At("data"))
}

func TestFailureCarriesBothEnvelopes(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	refused := s.Post("/v1/wallets/transfer", apitest.Object{}).Fails(http.StatusBadRequest, "validation_error")
	require.Equal(t, false, refused.At("success"))
	require.Equal(t, "error", refused.Text("status"))
	require.Equal(t, "400", refused.Number("status_code"))
	require.Equal(t, refused.Text("message"), refused.Text("error.message"))
	require.Equal(t, refused.Header.Get("X-Request-Id"), refused.Text("request_id"))
	require.Equal(t, []any{"Missing required field"}, refused.At("errors.amount"))
	require.Equal(t, 5, refused.Len("error.details"))
	require.False(t, refused.Has("retry_after"))
}

func TestUnknownPathsAreNotFoundInTheEnvelope(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, path := range []string{"/v1/nothing", "/v1/customers/", "/v1//customers", "/v1/../v1/customers", "/", "/v1", "/openapi.json/", "/v1%2Fcustomers"} {
		s.Get(path).Fails(http.StatusNotFound, "not_found")
	}
}

func TestAnotherMethodIsRefusedWithAllow(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for path, allow := range map[string]string{
		"/v1/customers":        "GET, HEAD, PATCH, POST",
		"/v1/customers/update": "POST",
		"/v1/wallets/transfers/trx_019cadd4569875d7a1b61a53693e7f0f": "GET, HEAD",
		"/v1/wallets/addresses/x":                                    "PATCH",
		"/v1/wallets/x/addresses":                                    "POST",
	} {
		refused := s.Do(http.MethodDelete, path, nil).Fails(http.StatusMethodNotAllowed, "method_not_allowed")
		require.Equal(t, allow, refused.Header.Get("Allow"), path)
	}
}

func TestAPathIsTheSameHoweverItsLettersAreEscaped(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, path := range []string{"/v1/%63ustomers", "/v1/customer%73?limit=1", "/v1/busines%73/balance"} {
		s.Get(path).OK()
	}
	s.Get("/v1/wallets/transfers/trx_%30").Fails(http.StatusNotFound, "transaction_not_found")
	s.Get("/v1/wallets/transfers/").Fails(http.StatusNotFound, "not_found")
}

func TestHeadIsAnsweredLikeGetWithoutABody(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	answer := s.Do(http.MethodHead, "/v1/business", nil)
	require.Equal(t, http.StatusOK, answer.Status)
	require.Empty(t, answer.Raw)
}

func TestASaneRequestIDIsEchoed(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	mine := s.With("X-Request-Id", "order-17.retry_2").Get("/v1/business").OK()
	require.Equal(t, "order-17.retry_2", mine.Text("request_id"))
	require.Equal(t, "order-17.retry_2", mine.Header.Get("X-Request-Id"))
	for _, odd := range []string{"with space", strings.Repeat("x", 129), "ümlaut", "a\"b"} {
		replaced := s.With("X-Request-Id", odd).Get("/v1/nothing")
		require.Regexp(t, `^req_[0-9a-f]{32}$`, replaced.Text("request_id"))
		require.Equal(t, replaced.Text("request_id"), replaced.Header.Get("X-Request-Id"))
	}
}

func TestAnswersAreNeverCachedNorGuessedAt(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, answer := range []apitest.Answer{s.Get("/v1/business"), s.Get("/v1/nothing"), s.As("").Get("/v1/business")} {
		require.Equal(t, "no-store", answer.Header.Get("Cache-Control"))
		require.Equal(t, "nosniff", answer.Header.Get("X-Content-Type-Options"))
		require.Equal(t, "application/json; charset=utf-8", answer.Header.Get("Content-Type"))
	}
}

func TestStrictJSON(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for name, test := range map[string]struct{ body, field, message string }{
		"two documents":        {`{} {}`, "body", "Must be a single JSON document"},
		"no JSON":              {`{"type":`, "body", "Must be valid JSON"},
		"invalid UTF-8":        {"{\"type\":\"\xff\"}", "body", "Must be valid UTF-8"},
		"a name twice":         {`{"type":"a","type":"b"}`, "type", "Must not be given twice"},
		"too deep":             {strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33), "body", "Must not be nested deeper than 32 levels"},
		"no object":            {`[]`, "body", "Must be an object"},
		"NUL":                  {`{"type":"\u0000"}`, "type", "Must not contain control characters"},
		"a newline in a label": {`{"label":"a\nb"}`, "label", "Must not contain control characters"},
	} {
		t.Run(name, func(t *testing.T) {
			refused := s.For(t).Post("/v1/wallets", test.body).Fails(http.StatusBadRequest, "validation_error")
			require.Equal(t, []any{test.message}, refused.At("errors."+test.field), "%s", refused.Raw)
		})
	}
	t.Run("wrong types and missing fields are named together", func(t *testing.T) {
		refused := s.For(t).Post("/v1/customers", `{"type": 5, "email": [], "phone": "x"}`)
		refused.Fails(http.StatusBadRequest, "validation_error")
		require.Equal(t, []any{"Must be a string"}, refused.At("errors.type"))
		require.Equal(t, []any{"Must be a string"}, refused.At("errors.email"))
		require.Equal(t, []any{"Invalid phone format"}, refused.At("errors.phone"))
	})
	t.Run("control characters hide no other member", func(t *testing.T) {
		body := newWallet("with\a")
		body["label"] = strings.Repeat("x", 101)
		s.For(t).Post("/v1/wallets", body).
			Refuses("reference", "Must not contain control characters", "label", "Must be at most 100 characters")
	})
	t.Run("of a document that cannot be read nothing else is said", func(t *testing.T) {
		s.For(t).Post("/v1/wallets", `{"type":"a","type":"b"}`).Refuses("type", "Must not be given twice")
	})
	t.Run("unknown members are ignored", func(t *testing.T) {
		body := newWallet("ignoring")
		body["colour"] = "green"
		s.For(t).Post("/v1/wallets", body).OK()
	})
	t.Run("names match in their exact letter case", func(t *testing.T) {
		s.For(t).Post("/v1/wallets", `{"Type":"stablecoin","network":"solana","asset":"USDC"}`).
			Refuses("type", "Missing required field")
	})
}

func TestTheBodyIsJSONAndNotTooLarge(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	auth := map[string]string{"Authorization": "Bearer " + s.Tenant.SecretKey}
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"} {
		auth["Content-Type"] = kind
		response := raw(t, s, http.MethodPost, "/v1/webhook/config", auth, strings.NewReader("{}"))
		require.Equal(t, http.StatusUnsupportedMediaType, response.StatusCode, kind)
	}
	auth["Content-Type"] = "application/json; charset=utf-8"
	require.Equal(t, http.StatusOK, raw(t, s, http.MethodPost, "/v1/webhook/config", auth, strings.NewReader("{}")).StatusCode)
	auth["Content-Encoding"] = "gzip"
	require.Equal(t, http.StatusUnsupportedMediaType, raw(t, s, http.MethodPost, "/v1/webhook/config", auth, strings.NewReader("{}")).StatusCode, "a compressed body is not read")
	auth["Content-Encoding"] = "identity"
	require.Equal(t, http.StatusOK, raw(t, s, http.MethodPost, "/v1/webhook/config", auth, strings.NewReader("{}")).StatusCode)
	delete(auth, "Content-Encoding")
	delete(auth, "Content-Type")
	require.Equal(t, http.StatusOK, raw(t, s, http.MethodPost, "/v1/webhook/config", auth, http.NoBody).StatusCode)

	pad := func(n int) string { return `{"x":"` + strings.Repeat("a", n-len(`{"x":""}`)) + `"}` }
	s.Post("/v1/webhook/config", pad(256<<10)).OK()
	s.Post("/v1/webhook/config", pad(256<<10+1)).Fails(http.StatusRequestEntityTooLarge, "payload_too_large")
}

func TestAPanicIsA500ThatTellsNothing(t *testing.T) {
	var log bytes.Buffer
	s := apitest.Start(t, apitest.Config{API: httpapi.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}})
	s.Engine.Webhooks = nil // a fault, as good as any
	broken := s.With("X-Request-Id", "the-broken-one").Get("/v1/events").Fails(http.StatusInternalServerError, "internal_error")
	require.Equal(t, "the-broken-one", broken.Text("request_id"))
	require.NotContains(t, string(broken.Raw), "nil pointer")
	require.Contains(t, log.String(), "nil pointer")
	require.Contains(t, log.String(), "stack=")
	s.Get("/v1/business/balance").OK()
}
