//go:build postgres && unix

package sqlstore_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAServerWithOneConnectionForUnitsServesACrowd(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t)+"&pool_max_conns=1")
	require.NoError(t, s.Write(within(t), openBooks))
	var crowd sync.WaitGroup
	ctx := within(t)
	for range 32 {
		crowd.Go(func() {
			assert.NoError(t, s.Read(ctx, func(ctx context.Context, p store.Ports) error {
				_, err := p.Ledger().Account(ctx, till)
				return err
			}))
			assert.NoError(t, s.Write(ctx, func(ctx context.Context, p store.Ports) error {
				return p.Leases().Schedule(ctx, "queue", "key", noon)
			}))
		})
	}
	crowd.Wait()
	shop := serve(t, s, apitest.NewClock())
	treasury, purse := wallet(shop.Client, "treasury"), wallet(shop.Client, "purse")
	shop.Post("/v1/test_helpers/deposits", apitest.Object{"address": treasury, "amount": "5.5"}).OK()
	shop.Settle()
	require.Equal(t, 5, overdraw(t, shop.Client, 16, treasury, purse), "some of them ran alone")
	clean(t, shop.Client)
}
