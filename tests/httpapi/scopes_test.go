package httpapi_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// keyWith makes a secret key with some scopes and returns a client that uses it.
func keyWith(s *apitest.Server, scopes ...string) *apitest.Client {
	made := s.Post("/v1/api-keys", apitest.Object{"type": "secret", "scopes": scopes}).OK()
	return s.As(made.Text("data.key"))
}

func TestAKeyDoesWhatItsScopesName(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "10")
	calls := map[string]func(*apitest.Client) apitest.Answer{
		"read":    func(c *apitest.Client) apitest.Answer { return c.Get("/v1/business") },
		"collect": func(c *apitest.Client) apitest.Answer { return c.Post("/v1/wallets", newWallet("")) },
		"pay_out": func(c *apitest.Client) apitest.Answer {
			return c.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1"))
		},
		"manage": func(c *apitest.Client) apitest.Answer { return c.Post("/v1/webhook/config", apitest.Object{}) },
	}
	for has := range calls {
		key := keyWith(s, has)
		for needs, call := range calls {
			if has == needs {
				call(key).OK()
				continue
			}
			refused := call(key).Fails(http.StatusForbidden, "forbidden")
			require.Equal(t, "The API key lacks the scope "+needs, refused.Text("message"))
		}
	}
	for _, call := range calls {
		call(s.Client).OK()
	}
}

func TestEveryRouteAsksForAScope(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	keys := map[string]*apitest.Client{}
	for _, scope := range []string{"read", "collect", "pay_out", "manage"} {
		keys[scope] = keyWith(s, scope)
	}
	for path, item := range apitest.Document(t).Paths.Map() {
		for method := range item.Operations() {
			line := method + " " + path
			if slices.Contains(keyless, line) || path == "/v1/test_helpers/reset" {
				continue
			}
			_, at := split(line)
			var opens []string
			for scope, key := range keys {
				answer := key.For(t).Do(method, at, nil)
				if answer.Status != http.StatusForbidden {
					opens = append(opens, scope)
				}
			}
			require.Len(t, opens, 1, "%s: one scope opens it; a route that writes names it", line)
			require.Equal(t, method == http.MethodGet, opens[0] == "read", line)
		}
	}
}

func TestListAndConfigurationShowScopes(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	all := []any{"read", "collect", "pay_out", "manage"}
	require.Equal(t, all, s.Get("/v1/api-keys/config").OK().At("data.scopes"))
	made := s.Post("/v1/api-keys", apitest.Object{"type": "secret", "scopes": []string{"collect", "read"}}).OK()
	require.Equal(t, []any{"collect", "read"}, made.At("data.scopes"))
	require.Equal(t, []any{"collect", "read"}, s.As(made.Text("data.key")).Get("/v1/api-keys/config").OK().At("data.scopes"))
	list := s.Get("/v1/api-keys").OK()
	require.Equal(t, []any{"collect", "read"}, list.At("data.0.scopes"))
	require.Equal(t, []any{}, list.At("data.1.scopes"), "a widget key")
	require.Equal(t, all, list.At("data.3.scopes"))
	require.Equal(t, all, s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().At("data.scopes"))
}

func TestScopesOfANewKeyAreChecked(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/api-keys", apitest.Object{"type": "secret", "scopes": []string{}}).Refuses("scopes", "Must name at least one scope")
	s.Post("/v1/api-keys", apitest.Object{"type": "public", "scopes": []string{"read"}}).Refuses("scopes", "Only secret keys have scopes")
	s.Post("/v1/api-keys", apitest.Object{"type": "secret", "scopes": []string{"read", "read"}}).Refuses("scopes", "Must not name a scope twice")
	s.Post("/v1/api-keys", apitest.Object{"type": "secret", "scopes": []string{"write"}}).
		Refuses("scopes", "Must be read or collect or pay_out or manage")
}

func TestAKeyGivesNoMoreThanItHas(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	limited := keyWith(s, "manage", "read")
	const lacks = "The API key lacks the scope collect, pay_out"
	for _, body := range []apitest.Object{
		{"type": "secret"},
		{"type": "secret", "scopes": []string{"read", "collect", "pay_out"}},
	} {
		require.Equal(t, lacks, limited.Post("/v1/api-keys", body).Fails(http.StatusForbidden, "forbidden").Text("message"))
	}
	limited.Post("/v1/api-keys", apitest.Object{"type": "secret", "scopes": []string{"read"}}).OK()
	full := s.Get("/v1/api-keys").OK().Text("data.4.id")
	require.Equal(t, lacks, limited.Post("/v1/api-keys/rotate-secret", apitest.Object{"id": full}).
		Fails(http.StatusForbidden, "forbidden").Text("message"), "nor does it get hold of a key with more")
}

func TestRotationKeepsScopes(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	rotated := keyWith(s, "manage", "read").Post("/v1/api-keys/rotate-secret", apitest.Object{}).OK()
	fresh := s.As(rotated.Text("data.key"))
	require.Equal(t, []any{"manage", "read"}, fresh.Get("/v1/api-keys/config").OK().At("data.scopes"))
	fresh.Post("/v1/wallets", newWallet("")).Fails(http.StatusForbidden, "forbidden")
}
