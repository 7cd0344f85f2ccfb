package scenario_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestOrdersOfAVisitAtOnceAreAllMadeAndSeenToTheirEnd(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		v, token := visits(s, "")
		sides := []apitest.Object{
			{"type": "onramp", "amount": 15000, "address": stranger(t, 1)},
			{"type": "offramp", "amount": 15000, "bank_code": "058", "account_number": "0123456780"},
		}
		orders := together(16, func(n int) apitest.Answer { return v.Post("/v1/ramp/session/initiate", sides[n%2]) })
		for _, order := range orders {
			order.OK()
		}
		require.Equal(t, "16", s.Get("/v1/ramp/transactions").OK().Number("meta.total"))
		s.advance(900)
		for _, order := range orders {
			v.Get("/v1/ramp/session/status?id="+order.Text("data.id")).Fails(http.StatusUnauthorized, "unauthorized")
		}
		v, _ = visits(s, token)
		for _, order := range orders {
			require.Equal(t, "expired", v.Get("/v1/ramp/session/status?id="+order.Text("data.id")).OK().Text("data.stage"))
		}
		s.clean()
	})
}

func TestARepeatedOrderIsTheSameInEverySessionOfAVisit(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		first, token := visits(s, "")
		body := apitest.Object{"type": "onramp", "amount": 15000, "address": stranger(t, 1)}
		made := first.With("Idempotency-Key", "k1").Post("/v1/ramp/session/initiate", body).OK().Text("data.id")
		s.advance(900)
		first.With("Idempotency-Key", "k1").Post("/v1/ramp/session/initiate", body).Fails(http.StatusUnauthorized, "unauthorized")
		second, _ := visits(s, token)
		require.Equal(t, made, second.With("Idempotency-Key", "k1").Post("/v1/ramp/session/initiate", body).OK().Text("data.id"))
		require.NotEqual(t, made, visitor(s).With("Idempotency-Key", "k1").Post("/v1/ramp/session/initiate", body).OK().Text("data.id"))
		s.clean()
	})
}

func TestASessionEndsWhenItsKeyIsRevoked(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		v := visitor(s)
		for _, key := range s.Get("/v1/api-keys").OK().At("data").([]any) {
			if key := key.(map[string]any); key["type"] == "widget" {
				s.Post("/v1/api-keys/revoke", apitest.Object{"id": key["id"]}).OK()
			}
		}
		v.Post("/v1/ramp/session/initiate", apitest.Object{"type": "onramp", "amount": 15000, "address": stranger(t, 1)}).
			Fails(http.StatusUnauthorized, "unauthorized")
	})
}

func TestAnOriginThatNoBrowserSendsOpensNoSession(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		for _, origin := range []string{"https://shop\xff.example", "https://\u00fc.example", "https://shop .example", "https://" + strings.Repeat("a", 300)} {
			s.As("").With("Origin", origin).Post("/v1/ramp/widgets/session", apitest.Object{"public_key": s.Tenant.WidgetKey}).
				Fails(http.StatusForbidden, "forbidden")
		}
	})
}
