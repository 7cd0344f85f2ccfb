package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
)

// asReader asks an API in the name of the program itself.
func asReader(ctx context.Context, api http.Handler, method, path string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader("{}"))
	r.Header.Set("Content-Type", "application/json")
	api.ServeHTTP(answer, r)
	return answer
}

func TestAReaderChangesNothingByWhateverRoute(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	shop, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	api := httpapi.New(e, httpapi.Config{})
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	text := httptest.NewRecorder()
	api.ServeHTTP(text, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	require.NoError(t, json.Unmarshal(text.Body.Bytes(), &document))
	ctx, refused, read := httpapi.Reading(t.Context(), shop.Business.Scope), 0, 0
	for path, operations := range document.Paths {
		for _, in := range []string{"{id}", "{slug}", "{session}"} {
			path = strings.ReplaceAll(path, in, "x")
		}
		for method := range operations {
			status := asReader(ctx, api, strings.ToUpper(method), path).Code
			if method == "get" {
				require.NotEqual(t, http.StatusUnauthorized, status, path)
				read++
				continue
			}
			require.Equal(t, http.StatusForbidden, status, method+" "+path)
			refused++
		}
	}
	require.Greater(t, refused, 50)
	require.Greater(t, read, 30)
}

func TestAReaderSeesTheBusinessThatIsMeantWithoutALimit(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	shop, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	other, err := e.CreateTenant(t.Context(), shop.Business.Scope.Env, "Other")
	require.NoError(t, err)
	api := httpapi.New(e, httpapi.Config{RateLimit: 1})
	for range 150 { // more than the burst of a limit
		answer := asReader(httpapi.Reading(t.Context(), other.Business.Scope), api, http.MethodGet, "/v1/business")
		require.Equal(t, http.StatusOK, answer.Code)
		require.Contains(t, answer.Body.String(), string(other.Business.Scope.Business))
	}
	require.Equal(t, http.StatusUnauthorized, asReader(t.Context(), api, http.MethodGet, "/v1/business").Code)
}
