package budget_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/webhook"
)

// receiver starts a receiver of webhooks, and returns a channel with the ids that it received.
func receiver(t *testing.T, s *apitest.Server) (delivered chan string) {
	delivered = make(chan string, 500)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		delivered <- r.Header.Get("Webhook-Id")
	}))
	t.Cleanup(web.Close)
	_, err := s.Engine.Webhooks.Configure(t.Context(), s.Tenant.Business.Scope, webhook.ConfigureParams{URL: &web.URL})
	require.NoError(t, err)
	return delivered
}

// tell emits n events, each of a resource of its own.
func tell(t *testing.T, s *apitest.Server, n int) {
	for first := 0; first < n; first += 500 {
		require.NoError(t, s.Engine.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			for range min(n-first, 500) {
				resource := tx.NewID("res_")
				err := webhook.Emit(ctx, tx, webhook.Change{
					Scope: s.Tenant.Business.Scope, Type: "budget.event", Resource: resource, Data: map[string]string{"id": resource},
				})
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
}
