package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/store"
)

// A quote that an order named before quotes were for one order is used.
func TestQuotesOfOrdersThatWereThereAreUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	scope := ferry.Scope{Env: ferry.Test, Business: "biz_1"}
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for _, id := range []ramp.QuoteID{"qte_used", "qte_free"} {
			if err := ramp.QuoteKind.Insert(ctx, p, ramp.Quote{
				ID: id, Scope: scope, Side: ramp.Onramp, Fiat: money.NGN(150_000), Crypto: money.USDC(1_000_000), CreatedAt: time.UnixMilli(1),
			}); err != nil {
				return err
			}
		}
		return onramp.Kind.Insert(ctx, p, onramp.Order{
			ID: "onr_1", Scope: scope, Reference: "order-1", Status: ramp.Pending, Stage: ramp.AwaitingFunds,
			Amount: money.NGN(150_000), Crypto: money.USDC(1_000_000), Received: money.NGN(0), Quote: "qte_used", CreatedAt: time.UnixMilli(1),
		})
	}))
	require.NoError(t, s.Close(t.Context()))
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	execute(t, db, "0131_used_quotes", "UPDATE")
	require.NoError(t, db.Close())

	s = open(t, path)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for id, want := range map[ramp.QuoteID]string{"qte_used": "onr_1", "qte_free": ""} {
			quote, err := ramp.QuoteKind.Get(ctx, p, scope, id)
			require.NoError(t, err)
			require.Equal(t, want, quote.UsedBy, id)
		}
		return nil
	}))
}
