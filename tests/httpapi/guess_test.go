package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/tests/apitest"
)

// wrongBVN is goodBVN with other digits behind the mask.
func wrongBVN(n int) string { return fmt.Sprintf("222123%04d0", n) }

// guessing is a server on which goodBVN is known, with every way to ask about a number.
func guessing(t *testing.T, config engine.Config) (*apitest.Server, map[string]func(bvn string) apitest.Answer) {
	s := apitest.Start(t, apitest.Config{Engine: config})
	body := newCustomer(1)
	body["bvn"] = goodBVN
	person := s.Post("/v1/customers", body).OK().Text("data.id")
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK()
	return s, map[string]func(string) apitest.Answer{
		"read":  func(n string) apitest.Answer { return s.Get("/v1/customers/identity?type=bvn&number=" + n) },
		"patch": func(n string) apitest.Answer { return s.Patch("/v1/customers?id="+person, apitest.Object{"bvn": n}) },
		"update": func(n string) apitest.Answer {
			return s.Post("/v1/customers/update", apitest.Object{"customer_id": person, "bvn": n})
		},
		"validate": func(n string) apitest.Answer {
			return s.Post("/v1/customers/identity/validate", validation(n, "654321"))
		},
	}
}

func TestTheHiddenDigitsOfANumberCannotBeTriedOut(t *testing.T) {
	missed := map[string]int{"read": 404, "patch": 400, "update": 400, "validate": 404}
	for name, status := range missed {
		t.Run(name, func(t *testing.T) {
			s, ask := guessing(t, engine.Config{})
			for n := range 50 {
				require.Equal(t, status, ask[name](wrongBVN(n)).Status)
			}
			for other := range missed {
				for _, number := range []string{wrongBVN(51), goodBVN} {
					over := ask[other](number).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
					require.Equal(t, "1728", over.Number("retry_after"), "a fiftieth of a day")
					require.Equal(t, "1728", over.Header.Get("Retry-After"))
				}
			}
			s.Advance(1728 * time.Second)
			require.NotEqual(t, http.StatusTooManyRequests, ask[name](goodBVN).Status)
			require.Equal(t, status, ask[name](wrongBVN(52)).Status)
			ask[name](goodBVN).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
		})
	}
}

func TestARightNumberAndAMalformedOneAreNoGuess(t *testing.T) {
	s, ask := guessing(t, engine.Config{NumberGuesses: 1})
	for range 3 {
		ask["read"](goodBVN).OK()
		ask["patch"](goodBVN).OK()
		ask["update"](goodBVN).OK()
		ask["validate"](goodBVN).Fails(http.StatusBadRequest, "invalid_otp")
		ask["read"]("222123****0").Refuses("number", "Invalid BVN format")
		for _, change := range []string{"patch", "update"} {
			ask[change]("222123****0").OK()
			for _, other := range []string{"222124****0", "222123****1", "222123***70", "2221234567*", "****", "2221234567"} {
				ask[change](other).Refuses("bvn", fixed)
			}
		}
	}
	require.Equal(t, http.StatusNotFound, ask["read"](wrongBVN(1)).Status)
	ask["read"](goodBVN).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	s.Patch("/v1/customers?id="+s.Post("/v1/customers", newCustomer(2)).OK().Text("data.id"), apitest.Object{"nin": "55512345670"}).OK()

	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK().Text("data.secret_key"))
	other.Get("/v1/customers/identity?type=bvn&number="+goodBVN).Fails(http.StatusNotFound, "identity_not_found")
	s.Post("/v1/test_helpers/reset", nil).OK()
	ask["read"](goodBVN).Fails(http.StatusNotFound, "identity_not_found")
}

func TestAMaskIsNoWayRoundTheLimitOfGuesses(t *testing.T) {
	s, ask := guessing(t, engine.Config{NumberGuesses: 1})
	ask["patch"](wrongBVN(1)).Refuses("bvn", fixed)
	person := s.Get("/v1/customers").OK().Text("data.0.id")
	with := func(bvn string) apitest.Answer { // a mask beside it
		return s.Patch("/v1/customers?id="+person, apitest.Object{"nin": "222123****0", "bvn": bvn})
	}
	for _, number := range []string{wrongBVN(2), goodBVN} {
		ask["patch"](number).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
		with(number).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
		ask["patch"](number[:10]+"*").Refuses("bvn", fixed)
		ask["patch"](number+"*").Refuses("bvn", fixed)
	}
	ask["patch"]("222123****0").OK()
}

func TestEveryNumberOfAChangeIsAGuess(t *testing.T) {
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{NumberGuesses: 3}})
	body := newCustomer(1)
	body["bvn"], body["nin"] = goodBVN, "55512345670"
	person := s.Post("/v1/customers", body).OK().Text("data.id")
	change := func(o apitest.Object) apitest.Answer { return s.Patch("/v1/customers?id="+person, o) }
	both := apitest.Object{"bvn": wrongBVN(1), "nin": "55512345680"}
	change(both).Refuses("bvn", fixed, "nin", fixed)
	change(both).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	company := s.Post("/v1/customers", newCompany(1)).OK()
	s.Patch("/v1/customers?id="+company.Text("data.id"), apitest.Object{"cac_number": company.Text("data.cac_number")}).
		Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	change(apitest.Object{"city": "Kano"}).OK()
}
