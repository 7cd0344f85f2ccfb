package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/tests/apitest"
)

// limited starts a server whose rate limits run on a clock of the test.
func limited(t *testing.T, perSecond int) (*apitest.Server, *apitest.Clock) {
	clock := apitest.NewClock()
	return apitest.Start(t, apitest.Config{API: httpapi.Config{
		RateLimit: perSecond, Limiter: httpapi.NewLimiter(clock.Now),
	}}), clock
}

func TestAKeyHasABucketOfRequests(t *testing.T) {
	s, clock := limited(t, 25)
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK().Text("data.secret_key"))
	for range 99 { // one was taken by the request above
		s.Get("/v1/business").OK()
	}
	over := s.Get("/v1/business").Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	require.Equal(t, "1", over.Header.Get("Retry-After"))
	require.Equal(t, "1", over.Number("retry_after"))
	other.Get("/v1/business").OK()
	s.As("").Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")

	clock.Add(40 * time.Millisecond)
	s.Get("/v1/business").OK()
	s.Get("/v1/business").Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	clock.Add(time.Hour)
	for range 100 {
		s.Get("/v1/business").OK()
	}
	s.Get("/v1/business").Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
}

func TestNewAddressesHaveABucketOfTheirOwn(t *testing.T) {
	s, clock := limited(t, 1_000_000)
	wallet := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.id")
	create := apitest.Object{"wallet_id": wallet, "network": "solana"}
	paths := []string{"/v1/wallets/addresses", "/v1/stablecoin/wallets/addresses", "/v1/wallets/" + wallet + "/addresses"}
	for i := range 100 {
		clock.Add(time.Millisecond / 10) // refills the requests, hardly the addresses
		s.Post(paths[i%3], create).OK()
	}
	for _, path := range paths {
		over := s.Post(path, create).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
		require.Equal(t, "1", over.Number("retry_after"))
	}
	s.Get("/v1/wallets/addresses").OK()
	clock.Add(time.Second)
	for range 10 {
		s.Post("/v1/wallets/addresses", create).OK()
	}
	s.Post("/v1/wallets/addresses", create).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
}

func TestRefusedCredentialsHaveABucketPerPartOfTheNetwork(t *testing.T) {
	s, clock := limited(t, 25)
	stranger := s.As("sk_test_" + strings.Repeat("A", 48))
	for range 20 {
		stranger.Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
	}
	over := stranger.Get("/v1/business").Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	require.Equal(t, "1", over.Number("retry_after"))
	s.As("").Get("/v1/business").Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	s.Get("/v1/business").OK() // who has a key is not held up by neighbours
	clock.Add(time.Second)
	stranger.Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
	stranger.Get("/v1/business").Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
}

func TestRefusedPublicKeysCount(t *testing.T) {
	s, _ := limited(t, 25)
	unknown := "pk_test_" + strings.Repeat("A", 48)
	for range 10 {
		s.As("").Post("/v1/checkout", and(orderA(s, "o"), "public_key", unknown)).Fails(http.StatusBadRequest, "invalid_public_key")
		s.As("").Get("/v1/checkout/quote?amount=1&public_key="+unknown).Fails(http.StatusBadRequest, "invalid_public_key")
	}
	s.As("").Post("/v1/checkout", and(orderA(s, "o"), "public_key", unknown)).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	s.As("").Get("/v1/checkout/quote?amount=1&public_key="+unknown).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	s.As("sk_test_x").Get("/v1/business").Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	s.As("").Post("/v1/checkout", orderA(s, "o")).OK()
	s.Post("/v1/checkout/create", and(orderB(s, "b"), "public_key", unknown)).Fails(http.StatusBadRequest, "invalid_public_key")
}

func TestSessionsByAPublicKeyHaveABucketPerPartOfTheNetwork(t *testing.T) {
	s, clock := limited(t, 1_000_000)
	link := payable(s)
	for n := range 50 {
		if n%2 == 0 {
			s.As("").Post("/v1/checkout", and(orderA(s, fmt.Sprint("order-", n)), "amount", n+1)).OK()
		} else {
			s.As("").Post("/v1/payment-links/pay", payer(s, link, n)).OK()
		}
	}
	over := s.As("").Post("/v1/checkout", orderA(s, "over")).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	require.Equal(t, "1", over.Number("retry_after"))
	s.As("").Post("/v1/payment-links/pay", payer(s, link, 51)).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	s.Post("/v1/checkout/create", orderB(s, "by-secret-key")).OK()
	s.As("").Get("/v1/checkout/quote?amount=1&public_key=" + s.Tenant.PublicKey).OK()
	other := s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK().Text("data.public_key")
	s.As("").Post("/v1/checkout", and(orderA(s, "theirs"), "public_key", other)).OK()
	clock.Add(200 * time.Millisecond)
	s.As("").Post("/v1/checkout", orderA(s, "again")).OK()
	s.As("").Post("/v1/checkout", orderA(s, "over")).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
}

func TestAKeyOfTheWrongTypeIsLimitedToo(t *testing.T) {
	s, _ := limited(t, 25)
	public := s.As(s.Tenant.PublicKey)
	for range 100 {
		public.Get("/v1/business").Fails(http.StatusForbidden, "forbidden")
	}
	public.Get("/v1/business").Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
}

func TestWithoutLimitsThereAreNone(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for range 150 {
		s.Get("/v1/business").OK()
		s.As("").Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
	}
}

func TestWhatVisitorsOfAWidgetMakeHasABucketPerPartOfTheNetwork(t *testing.T) {
	s, clock := limited(t, 1_000_000)
	v := visitor(s)
	orders := []apitest.Object{
		{"type": "onramp", "amount": 15000, "address": "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"},
		{"type": "offramp", "amount": 15000, "bank_code": "058", "account_number": "0123456780"},
	}
	for n := range 50 {
		v.Post("/v1/ramp/session/initiate", orders[n%2]).OK()
	}
	v.Post("/v1/ramp/session/initiate", orders[0]).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	visitor(s).Post("/v1/ramp/session/verify", apitest.Object{"bank_code": "058", "account_number": "0123456780"}).
		Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	v.Get("/v1/ramp/session/options").OK()
	clock.Add(200 * time.Millisecond)
	v.Post("/v1/ramp/session/initiate", orders[0]).OK()
	v.Post("/v1/ramp/session/initiate", orders[0]).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
}
