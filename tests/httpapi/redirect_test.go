package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/tests/apitest"
)

// startLive runs a server whose live world is a simulated one, and makes its demo
// business one of that environment.
func startLive(t *testing.T, config apitest.Config) *apitest.Server {
	world := sandbox.New(sandbox.Config{Clock: apitest.NewClock(), Seed: 1})
	config.Engine = engine.Config{
		World: world, Live: engine.Providers{Chain: world.Chain(), Bank: world.Bank(), KYC: world.KYC(), Rates: world.Rates()},
		Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"),
	}
	s := apitest.Start(t, config)
	var err error
	s.Tenant, err = s.Engine.CreateTenant(t.Context(), ferry.Live, "Live shop")
	require.NoError(t, err)
	s.Client = s.As(s.Tenant.SecretKey)
	return s
}

func TestWithAPublicKeyLivePayersAreSentToNamedHostsOnly(t *testing.T) {
	s := startLive(t, apitest.Config{})
	web := s.As("")
	order := and(orderA(s, "order-1"), "redirect_url", "https://shop.example.com/done", "cancel_url", "https://evil.example/x")
	refused := web.Post("/v1/checkout", order).Fails(http.StatusUnprocessableEntity, "redirect_not_allowed")
	for _, field := range []string{"redirect_url", "cancel_url"} {
		require.Contains(t, refused.At("errors." + field).([]any)[0], "redirect_hosts", "no host was named, so there is none")
	}
	s.Get("/v1/checkout/status?trx_id=order-1").Fails(http.StatusNotFound, "checkout_not_found")
	s.Post("/v1/checkout/create", and(orderB(s, "order-b"), "redirect_url", "https://anywhere.example/")).OK()
	web.Post("/v1/checkout", orderA(s, "order-0")).OK()

	s.Patch("/v1/business", apitest.Object{"redirect_hosts": []string{"shop.example.com"}}).OK()
	refused = web.Post("/v1/checkout", order).Fails(http.StatusUnprocessableEntity, "redirect_not_allowed")
	require.Nil(t, refused.At("errors.redirect_url"))
	require.NotNil(t, refused.At("errors.cancel_url"))
	web.Post("/v1/checkout", and(order, "cancel_url", "https://Shop.example.com:8443/cart")).OK()
	web.Post("/v1/checkout", and(order, "cancel_url", "http://shop.example.com/")).Refuses("cancel_url", "Must be an https URL")
	s.Post("/v1/checkout/create", and(orderB(s, "order-c"), "redirect_url", "https://anywhere.example/")).
		Refuses("redirect_url", "Must lead to one of the business's redirect hosts")
}

func TestInTheSandboxAPublicKeySendsPayersAnywhere(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Patch("/v1/business", apitest.Object{"redirect_hosts": []string{"shop.example.com"}}).OK()
	s.As("").Post("/v1/checkout", and(orderA(s, "order-1"), "redirect_url", "http://localhost:3000/done")).OK()
}

func TestAReusedSessionLeadsWhereItsOwnOrderAsked(t *testing.T) {
	for name, members := range map[string][]any{
		"another page":                    {"success_url", "https://evil.example/"},
		"another field":                   {"redirect_url", "https://evil.example/"},
		"no page":                         nil,
		"the trx_id that it had, another": {"trx_id", "order-1", "success_url", "https://evil.example/"},
	} {
		t.Run(name, func(t *testing.T) {
			s := apitest.Start(t, apitest.Config{})
			own := s.As("").Post("/v1/checkout", and(orderA(s, "order-1"), "success_url", "https://shop.example.com/done")).OK()
			s.Advance(time.Minute)
			made := s.As("").Post("/v1/checkout", and(orderA(s, "order-2"), members...)).OK()
			require.Equal(t, true, made.At("data.reused"))
			require.Equal(t, own.Text("data.reference"), made.Text("data.reference"))
			s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success"}).OK()
			to := s.Get("/v1/checkout/status?trx_id=order-1").OK().Text("data.redirect_url")
			require.Contains(t, to, "https://shop.example.com/done?trx_id=order-1", "a later order leads nobody elsewhere")
		})
	}
}
