package scenario_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestOrdersOfAVisitAtOnceAreAllMadeAndSeenToTheirEnd(t *testing.T) {
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		v := visitor(s)
		sides := []apitest.Object{
			{"type": "onramp", "amount": 15000, "address": stranger(t, 1)},
			{"type": "offramp", "amount": 15000, "bank_code": "058", "account_number": "0123456780"},
		}
		s.advance(60) // so that each order lets the session go on
		orders := together(16, func(n int) apitest.Answer { return v.Post("/v1/ramp/session/initiate", sides[n%2]) })
		for _, order := range orders {
			order.OK()
		}
		require.Equal(t, "16", s.Get("/v1/ramp/transactions").OK().Number("meta.total"))
		s.advance(900)
		for _, order := range orders {
			require.Equal(t, "expired", v.Get("/v1/ramp/session/status?id="+order.Text("data.id")).OK().Text("data.stage"))
		}
		s.advance(900)
		v.Get("/v1/ramp/session/options").Fails(http.StatusUnauthorized, "unauthorized")
		s.clean()
	})
}
