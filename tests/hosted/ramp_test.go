package hosted_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/store"
)

// rampWidget makes a widget for pages of origins, with more fields, and returns its public key.
func (s *stage) rampWidget(fields map[string]any, origins ...string) string {
	s.t.Helper()
	body := map[string]any{"name": "Top up", "domains": origins}
	for name, value := range fields {
		body[name] = value
	}
	return s.api(http.MethodPost, "/v1/ramp/widgets", body)["data"].(map[string]any)["public_key"].(string)
}

// visits removes all sessions of visitors, and returns how many there were.
func (s *stage) visits() (removed int) {
	s.t.Helper()
	require.NoError(s.t, s.engine.Units(ferry.Test).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
		removed, err = widgets.SessionKind.Purge(ctx, tx, ferry.Test, tx.Now().Add(time.Hour), 100)
		return err
	}))
	return removed
}

// visitor calls a route of visitors as a page of an origin does, and returns status and data.
func (s *stage) visitor(origin, token, method, path string, body map[string]any) (int, map[string]any) {
	s.t.Helper()
	sent, err := json.Marshal(body)
	require.NoError(s.t, err)
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+"/v1/ramp/"+path, bytes.NewReader(sent))
	require.NoError(s.t, err)
	request.Header.Set("Origin", origin)
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := s.client.Do(request)
	require.NoError(s.t, err)
	defer response.Body.Close()
	var answer struct{ Data map[string]any }
	require.NoError(s.t, json.NewDecoder(response.Body).Decode(&answer))
	return response.StatusCode, answer.Data
}

// enters opens a session for a page of an origin, and returns its token.
func (s *stage) enters(origin, key string) string {
	s.t.Helper()
	status, opened := s.visitor(origin, "", http.MethodPost, "widgets/session", map[string]any{"public_key": key})
	require.Equal(s.t, http.StatusOK, status)
	return opened["session_token"].(string)
}

const buyer = "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"

func TestAForeignOrAnExpiredTokenSeesNothingOfAnOrder(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const shop = "https://shop.example.com"
	key := s.rampWidget(nil, shop)
	token := s.enters(shop, key)
	status, order := s.visitor(shop, token, http.MethodPost, "session/initiate", map[string]any{"type": "onramp", "amount": 15000, "address": buyer})
	require.Equal(t, http.StatusOK, status)
	look := "session/status?id=" + order["id"].(string)
	other := s.api(http.MethodPost, "/v1/test_helpers/businesses", map[string]any{"name": "Other"})["data"].(map[string]any)
	for name, c := range map[string]struct {
		origin, token string
		want          int
	}{
		"its own session":               {shop, token, http.StatusOK},
		"another visit":                 {shop, s.enters(shop, key), http.StatusNotFound},
		"another widget":                {shop, s.enters(shop, s.rampWidget(nil, shop)), http.StatusNotFound},
		"another business":              {shop, s.enters(shop, other["widget_key"].(string)), http.StatusNotFound},
		"a page of another origin":      {"https://evil.example.com", token, http.StatusUnauthorized},
		"a page without an origin":      {"null", token, http.StatusUnauthorized},
		"the key instead of a token":    {shop, key, http.StatusUnauthorized},
		"a token that nobody was given": {shop, token[:len(token)-1] + "_", http.StatusUnauthorized},
	} {
		status, _ := s.visitor(c.origin, c.token, http.MethodGet, look, nil)
		require.Equal(t, c.want, status, name)
	}
	s.advance(widgets.SessionLife)
	status, _ = s.visitor(shop, token, http.MethodGet, look, nil)
	require.Equal(t, http.StatusUnauthorized, status)
	status, opened := s.visitor(shop, "", http.MethodPost, "widgets/session", map[string]any{"public_key": key, "session_token": token})
	require.Equal(t, http.StatusOK, status)
	status, order = s.visitor(shop, opened["session_token"].(string), http.MethodGet, look, nil)
	require.Equal(t, http.StatusOK, status, "its page sees how the order ends")
	require.Equal(t, "expired", order["stage"])
}

func TestTheScriptOfWidgetsIsSmallAndSaysOnlyWhatItWasGiven(t *testing.T) {
	t.Parallel()
	s := setup(t)
	require.LessOrEqual(t, s.received("/ramp.js"), 14<<10) // with its words in six languages
	served := s.page("/ramp.js")
	require.Equal(t, "text/javascript; charset=utf-8", served.Header.Get("Content-Type"))
	require.Equal(t, "cross-origin", served.Header.Get("Cross-Origin-Resource-Policy"))
	require.Equal(t, "*", served.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "public, max-age=300", served.Header.Get("Cache-Control"))
	require.Equal(t, strictPolicy, served.Header.Get("Content-Security-Policy"))
	require.Equal(t, http.StatusNotModified, s.page("/ramp.js", "If-None-Match", served.Header.Get("ETag")).Status)

	said := regexp.MustCompile(`texts = (\{.*\});`).FindStringSubmatch(served.Body)
	require.NotNil(t, said)
	var texts map[string]map[string]string
	require.NoError(t, json.Unmarshal([]byte(said[1]), &texts))
	source, err := os.ReadFile("../../hosted/assets/ramp.js")
	require.NoError(t, err)
	asked := regexp.MustCompile(`say\((?:[a-z.]+ \? )?"([a-z_.]+)"`).FindAllStringSubmatch(string(source), -1)
	require.Greater(t, len(asked), 40)
	for _, lang := range pageLanguages(t) {
		for _, m := range asked {
			require.NotEmpty(t, texts[lang][m[1]], "%s %s", lang, m[1])
		}
		for _, stage := range []string{
			"onramp.awaiting_funds", "onramp.funds_received", "onramp.payment_submitted", "onramp.done", "onramp.expired", "onramp.refunded",
			"offramp.awaiting_deposit", "offramp.funds_received", "offramp.payment_submitted", "offramp.done", "offramp.expired", "offramp.refunded",
			"onramp", "offramp", "expired", "refunded",
		} {
			require.NotEmpty(t, texts[lang]["ramp."+stage], "%s %s", lang, stage)
		}
	}
	require.NotRegexp(t, `innerHTML|insertAdjacentHTML|document\.write|localStorage|sessionStorage|document\.cookie|parseFloat`, string(source))
}
