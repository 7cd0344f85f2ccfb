package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestTestsSayWhatOneUSDCCosts(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	rate := func() string {
		return s.Get("/v1/stablecoin/onramp/rate?asset=USDC&currency=NGN").OK().Number("data.rate")
	}
	set := s.Post("/v1/test_helpers/rates", apitest.Object{"prices": []any{"1600", "1620.5", "1400"}, "every_seconds": 600}).OK()
	require.Equal(t, "600", set.Number("data.every_seconds"))
	require.Equal(t, "2026-03-02T09:15:00.000Z", set.Text("data.since"))
	for _, want := range []string{"1600", "1620.5", "1400", "1400"} {
		require.Equal(t, want, rate())
		s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 600}).OK()
	}
	for _, prices := range [][]any{{}, {"0"}, {"-1"}, {"x"}, {1500}} {
		s.Post("/v1/test_helpers/rates", apitest.Object{"prices": prices}).Fails(http.StatusBadRequest, "validation_error")
	}
	s.Post("/v1/test_helpers/rates", apitest.Object{"prices": []any{"1500"}, "every_seconds": 0}).Refuses("every_seconds", "Must be 1 to 31536000")
}

func TestAQuoteThatHasEndedIsNeverGiven(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, ask := range []func() apitest.Answer{
		func() apitest.Answer { return s.Get("/v1/stablecoin/onramp/rate?asset=USDC&currency=NGN") },
		func() apitest.Answer { return s.Get("/v1/stablecoin/offramp/rate?asset=USDC&currency=NGN") },
		func() apitest.Answer {
			return s.Post("/v1/stablecoin/offramp/quote", apitest.Object{"amount": 15_000, "asset": "USDC", "chain": "SOLANA", "currency": "NGN"})
		},
	} {
		s.Post("/v1/test_helpers/faults", apitest.Object{"target": "rates", "kind": "stale", "count": 1}).OK()
		ask().Fails(http.StatusServiceUnavailable, "provider_unavailable")
		ask().OK()
	}
}
