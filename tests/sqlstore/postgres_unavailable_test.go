//go:build postgres && unix

package sqlstore_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestWhileTheServerRefusesConnectionsTheAPIIsUnavailable(t *testing.T) {
	t.Parallel()
	c := pgtest.NewCluster(t, pgtest.Options{})
	s := serve(t, openServer(t, c.URL(t)), apitest.NewClock())
	once := s.With("Idempotency-Key", "once")
	make := func() apitest.Answer {
		return once.Post("/v1/wallets", apitest.Object{"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": "purse"})
	}
	read := func() apitest.Answer { return s.Get("/v1/wallets/addresses") }
	read().OK()
	require.NoError(t, c.Stop(pgtest.Fast))
	for range 10 { // with connections that were open, and without
		for _, ask := range []func() apitest.Answer{read, make} {
			down := ask().Fails(http.StatusServiceUnavailable, "provider_unavailable")
			require.Equal(t, "5", down.Header.Get("Retry-After"))
		}
	}
	require.NoError(t, c.Start())
	require.Empty(t, make().OK().Header.Get("Idempotency-Replayed"), "nothing was done before")
	require.Equal(t, "1", read().OK().Number("meta.total"))
}
