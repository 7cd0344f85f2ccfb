package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAKeyIsShownOnce(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	once := s.With("Idempotency-Key", "key-1")
	made := once.Post("/v1/api-keys", apitest.Object{"type": "secret", "label": "billing"}).OK()
	key := made.Text("data.key")
	require.Regexp(t, `^sk_test_[A-Za-z0-9_-]{43,}$`, key)
	require.Equal(t, "billing", made.Text("data.label"))
	s.As(key).Get("/v1/business").OK()

	again := once.Post("/v1/api-keys", apitest.Object{"type": "secret", "label": "billing"}).OK()
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	require.Equal(t, made.Text("data.id"), again.Text("data.id"))
	require.False(t, again.Has("data.key"))

	list := s.Get("/v1/api-keys?limit=2").OK()
	require.Equal(t, "4", list.Number("meta.total"))
	require.Equal(t, made.Text("data.id"), list.Text("data.0.id"), "newest first")
	require.Equal(t, "sk_test_", list.Text("data.0.prefix"))
	require.Equal(t, key[len(key)-4:], list.Text("data.0.last_four"))
	require.NotContains(t, string(list.Raw), key)
	require.Nil(t, list.At("data.0.revoked_at"))

	s.Post("/v1/api-keys", apitest.Object{"type": "master"}).Refuses("type", "Must be secret, public or widget")
	s.Post("/v1/api-keys", apitest.Object{}).Refuses("type", "Missing required field")
}

func TestKeyConfig(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	config := s.Get("/v1/api-keys/config").OK()
	require.Equal(t, s.Tenant.PublicKey, config.Text("data.public_key"))
	require.Equal(t, "test", config.Text("data.mode"))
	require.Equal(t, "86400", config.Number("data.overlap_seconds"))
}

func TestAKeyIsRotated(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	once := s.With("Idempotency-Key", "rotate-1")
	rotated := once.Post("/v1/api-keys/rotate-secret", apitest.Object{"overlap_seconds": 3600}).OK()
	fresh := s.As(rotated.Text("data.key"))
	require.NotEqual(t, rotated.Text("data.id"), rotated.Text("data.previous_id"))
	require.Equal(t, "2026-03-02T10:15:00.000Z", rotated.Text("data.previous_valid_until"))
	again := once.Post("/v1/api-keys/rotate-secret", apitest.Object{"overlap_seconds": 3600}).OK()
	require.False(t, again.Has("data.key"))
	require.Equal(t, rotated.Text("data.id"), again.Text("data.id"))
	require.Equal(t, rotated.Text("data.previous_id"), again.Text("data.previous_id"))
	require.Equal(t, rotated.Text("data.previous_valid_until"), again.Text("data.previous_valid_until"))

	fresh.Get("/v1/business").OK()
	s.Get("/v1/business").OK()
	s.Clock.Add(time.Hour)
	s.Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
	fresh.Get("/v1/business").OK()
	fresh.Post("/v1/api-keys/rotate-secret", apitest.Object{"overlap_seconds": -1}).Refuses("overlap_seconds", "Must be 0 to 604800")
	fresh.Post("/v1/api-keys/rotate-secret", apitest.Object{"id": "key_x"}).Fails(http.StatusNotFound, "key_not_found")
	fresh.Post("/v1/api-keys/rotate-secret", nil).OK()
}

func TestAKeyWithAnEndGivesNoKeyWithoutOne(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Get("/v1/business").OK() // the key is remembered as it was
	rotated := s.Post("/v1/api-keys/rotate-secret", nil).OK()
	fresh := s.As(rotated.Text("data.key"))
	for _, id := range []string{rotated.Text("data.id"), rotated.Text("data.previous_id"), ""} {
		body := apitest.Object{}
		if id != "" {
			body["id"] = id
		}
		s.Post("/v1/api-keys/rotate-secret", body).Fails(http.StatusForbidden, "forbidden")
	}
	for _, kind := range []string{"secret", "public", "widget"} {
		s.Post("/v1/api-keys", apitest.Object{"type": kind}).Fails(http.StatusForbidden, "forbidden")
		fresh.Post("/v1/api-keys", apitest.Object{"type": kind}).OK()
	}
	s.Get("/v1/business").OK()
	fresh.Post("/v1/api-keys/rotate-secret", nil).OK()
}

func TestAKeyWithAnEndCannotShutOutItsSuccessor(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	rotated := s.Post("/v1/api-keys/rotate-secret", nil).OK()
	s.Post("/v1/api-keys/revoke", apitest.Object{"id": rotated.Text("data.id")}).Fails(http.StatusConflict, "invalid_state_transition")
	s.As(rotated.Text("data.key")).Post("/v1/api-keys/revoke", apitest.Object{"id": rotated.Text("data.previous_id")}).OK()
	s.Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
}

func TestTheLastSecretKeyStays(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	list := s.Get("/v1/api-keys").OK()
	for _, row := range list.Body.(map[string]any)["data"].([]any) {
		key := row.(map[string]any)
		answer := s.Post("/v1/api-keys/revoke", apitest.Object{"id": key["id"]})
		if key["type"] == "secret" {
			answer.Fails(http.StatusConflict, "invalid_state_transition")
		} else {
			require.NotNil(t, answer.OK().At("data.revoked_at"))
		}
	}
	require.Nil(t, s.Get("/v1/api-keys/config").OK().At("data.public_key"))
	s.Post("/v1/api-keys/revoke", apitest.Object{"id": "key_00000000000000000000000000000000"}).Fails(http.StatusNotFound, "key_not_found")
	s.Post("/v1/api-keys/revoke", apitest.Object{}).Refuses("id", "Missing required field")
}
