package client_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/ferrytest"
)

func TestABaseURLMayHaveTheVersionAtItsEnd(t *testing.T) {
	s := scripted(t, success([]any{}))
	for _, end := range []string{"", "/", "/v1", "/v1/"} {
		c, err := client.New(client.Config{BaseURL: s.URL + end})
		require.NoError(t, err)
		_, err = c.FiatTransfers.Banks(t.Context())
		require.NoError(t, err)
	}
	for _, r := range s.heard {
		require.Equal(t, "/v1/fiat/transfers/banks", r.URL.Path)
	}
}

func TestWhatIsNoBaseURLIsRefused(t *testing.T) {
	for _, text := range []string{"127.0.0.1:8080", "ftp://x", "http://", "http://ada:secret@x", "http://x?y=1", "http://x#y", ":"} {
		_, err := client.New(client.Config{BaseURL: text})
		require.ErrorContains(t, err, "BaseURL must begin with http", "%s", text)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestTheKeyGoesInTheHeaderOnly(t *testing.T) {
	s := scripted(t, success(map[string]any{}))
	_, err := s.client(t, client.Config{Key: "sk_test_1"}).Customers.Get(t.Context(), "cus_1", client.WithRequestID("my-request"))
	require.NoError(t, err)
	require.Equal(t, "Bearer sk_test_1", s.heard[0].Header.Get("Authorization"))
	require.Equal(t, "my-request", s.heard[0].Header.Get("X-Request-Id"))
	require.Equal(t, "/v1/customers?id=cus_1", s.heard[0].URL.RequestURI())
}

func TestARedirectIsAnErrorAndTheKeyStays(t *testing.T) {
	var strangers []*http.Request
	stranger := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { strangers = append(strangers, r) }))
	t.Cleanup(stranger.Close)
	followed := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	for _, given := range []*http.Client{nil, followed} {
		for _, status := range []int{301, 302, 307, 308} {
			s := scripted(t, http.RedirectHandler(stranger.URL, status).ServeHTTP)
			_, err := s.client(t, client.Config{HTTPClient: given}).Payouts.Cancel(t.Context(), "pout_1")
			refused, ok := errors.AsType[*client.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, status, refused.Status)
			require.ErrorContains(t, err, "redirects are not followed")
		}
	}
	require.Empty(t, strangers)
	require.NoError(t, followed.CheckRedirect(nil, nil), "the caller's own client is as it was")
}

func TestNothingPrintsTheKey(t *testing.T) {
	config := client.Config{BaseURL: "http://127.0.0.1:1", Key: "sk_live_secret", Attempts: 1}
	c, err := client.New(config)
	require.NoError(t, err)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "config", config, "client", c)
	_, err = c.Payouts.Cancel(t.Context(), "pout_1")
	require.Error(t, err)
	printed := fmt.Sprintf("%v %+v %#v %s %v %+v %#v %v %+v", config, config, config, config, c, c, c, *c, *c)
	printed += fmt.Sprintf("%v %+v %#v", *c.Payouts, *c.Payouts, *c.Payouts) + log.String() + err.Error()
	require.NotContains(t, printed, "secret")
	require.Contains(t, log.String(), "client of http://127.0.0.1:1")
}

func TestALongAnswerIsNotRead(t *testing.T) {
	s := scripted(t, success(strings.Repeat("x", 5000)))
	_, err := s.client(t, client.Config{MaxAnswer: 1000}).Payouts.Get(t.Context(), "pout_1")
	require.ErrorContains(t, err, "longer than MaxAnswer")
	require.Len(t, s.heard, 1, "it would be as long the next time")
}

func TestTheVariantIsAsked(t *testing.T) {
	fake := ferrytest.Start(t)
	for variant, status := range map[client.Variant]client.PaymentLinkStatus{
		client.VariantA: client.PaymentLinkStatusActive, client.VariantB: client.PaymentLinkStatusPending,
	} {
		c, err := client.New(client.Config{BaseURL: fake.URL, Key: fake.SecretKey, Variant: variant})
		require.NoError(t, err)
		link, err := c.PaymentLinks.Create(t.Context(), client.CreatePaymentLinkParams{
			Title: "Jollof", Currency: client.CurrencyNGN, Amount: kobo(500_000),
		})
		require.NoError(t, err)
		require.Equal(t, status, link.Status)
	}
}
