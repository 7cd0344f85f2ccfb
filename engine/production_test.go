package engine_test

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/webhook"
)

func TestWebhooksOfAProductionEngineNeverReachItsOwnMachine(t *testing.T) {
	receiver := httptest.NewServer(nil)
	defer receiver.Close()
	e, err := engine.New(engine.Config{Store: memstore.New(), Production: true})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	_, err = e.Webhooks.Configure(t.Context(), tenant.Business.Scope, webhook.ConfigureParams{URL: &receiver.URL})
	require.ErrorIs(t, err, ferry.ErrValidation)
}

func TestAProductionEngineAllowsNoPrivateReceivers(t *testing.T) {
	allowed, err := webhook.ParseAllowed("app", "172.18.0.0/16")
	require.NoError(t, err)
	_, err = engine.New(engine.Config{Store: memstore.New(), Production: true, AllowWebhooks: allowed})
	require.ErrorIs(t, err, engine.ErrAllowWebhooks)
}
