package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/tests/apitest"
)

const (
	unauthorized = "Unauthorized"
	forbidden    = "Forbidden"
)

func TestEveryRouteAsksForASecretKey(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	live := liveKey(t, s)
	for _, line := range specified {
		if slices.Contains(keyless, line) {
			continue
		}
		method, path := split(line)
		t.Run(line, func(t *testing.T) {
			helper := strings.HasPrefix(path, "/v1/test_helpers/")
			for cause, key := range map[string]string{
				"missing":           "",
				"malformed":         "sk_test_short",
				"unknown":           "sk_test_" + strings.Repeat("A", 43),
				"of other prefix":   strings.Replace(s.Tenant.SecretKey, "sk_test_", "sk_live_", 1),
				"not a key at all":  "Zm9vOmJhcg==",
				"in another letter": strings.ToUpper(s.Tenant.SecretKey),
			} {
				refused := s.For(t).As(key).Do(method, path, nil).Fails(http.StatusUnauthorized, "unauthorized")
				require.Equal(t, unauthorized, refused.Text("message"), cause)
			}
			for _, key := range []string{s.Tenant.PublicKey, s.Tenant.WidgetKey} {
				refused := s.For(t).As(key).Do(method, path, nil).Fails(http.StatusForbidden, "forbidden")
				require.Equal(t, forbidden, refused.Text("message"))
			}
			if helper {
				s.For(t).As(live).Do(method, path, nil).Fails(http.StatusNotFound, "not_found")
			} else {
				refused := s.For(t).As(live).Do(method, path, nil).Fails(http.StatusForbidden, "forbidden")
				require.Equal(t, forbidden, refused.Text("message"))
			}
		})
	}
}

// liveKey makes a live secret key of the demo business, on an engine without
// live providers.
func liveKey(t *testing.T, s *apitest.Server) string {
	scope := ferry.Scope{Business: s.Tenant.Business.Scope.Business, Env: ferry.Live}
	made, err := s.Engine.Businesses.Create(context.Background(), scope, business.CreateParams{Name: "Demo business"})
	require.NoError(t, err)
	return made.Secret.Secret
}

func TestTheAuthorizationHeaderIsReadStrictly(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	key := s.Tenant.SecretKey
	for name, header := range map[string]string{
		"no scheme":     key,
		"another one":   "Basic " + key,
		"two words":     "Bearer " + key + " " + key,
		"nothing in it": "Bearer ",
	} {
		t.Run(name, func(t *testing.T) {
			refused := s.For(t).As("").With("Authorization", header).Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
			require.Equal(t, "Bearer", refused.Header.Get("Www-Authenticate"))
		})
	}
	s.As("").With("Authorization", "bearer "+key).Get("/v1/business").OK()
}

func TestARevokedKeyIsUnauthorizedAtOnce(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK()
	other := s.As(made.Text("data.key"))
	other.Get("/v1/business").OK()
	s.Post("/v1/api-keys/revoke", apitest.Object{"id": made.Text("data.id")}).OK()
	other.Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
}

func TestTestHelpersExistInASandboxOnly(t *testing.T) {
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Production: true}})
	for _, line := range specified {
		method, path := split(line)
		if strings.HasPrefix(path, "/v1/test_helpers/") {
			s.Do(method, path, nil).Fails(http.StatusNotFound, "not_found")
			s.As("").Do(method, path, nil).Fails(http.StatusNotFound, "not_found")
		}
	}
	s.Get("/v1/business").OK()
}

func TestTheCredentialIsJudgedBeforeTheFields(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.As("").Post("/v1/wallets", "{").Fails(http.StatusUnauthorized, "unauthorized")
	s.As(s.Tenant.PublicKey).Post("/v1/wallets", "{").Fails(http.StatusForbidden, "forbidden")
	s.Post("/v1/wallets", "{").Fails(http.StatusBadRequest, "validation_error")
}

func TestAnotherBusinessSeesNothing(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	wallet := s.Post("/v1/wallets", newWallet("treasury")).OK()
	made := s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK()
	other := s.As(made.Text("data.secret_key"))
	other.Get("/v1/wallets?id="+wallet.Text("data.id")).Fails(http.StatusNotFound, "wallet_not_found")
	other.Get("/v1/wallets?reference=treasury").Fails(http.StatusNotFound, "wallet_not_found")
	other.Post("/v1/wallets", newWallet("treasury")).OK()
}
