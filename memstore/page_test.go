package memstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// A walk may change the rows that it meets, so that they leave the list.
func TestAPageFollowsARowThatHasLeftTheList(t *testing.T) {
	s := memstore.New()
	home := ferry.Scope{Business: "biz_1", Env: ferry.Test}
	write := func(body func(context.Context, store.Ports) error) {
		require.NoError(t, s.Write(t.Context(), body))
	}
	for i, id := range []wallets.ID{"wal_1", "wal_2", "wal_3"} {
		write(func(ctx context.Context, tx store.Ports) error {
			return wallets.WalletKind.Insert(ctx, tx, wallets.Wallet{
				ID: id, Scope: home, Reference: string(id), Status: wallets.Active,
				CreatedAt: time.Unix(int64(i), 0), UpdatedAt: time.Unix(int64(i), 0),
			})
		})
	}
	for _, id := range []wallets.ID{"wal_3", "wal_2"} {
		write(func(ctx context.Context, tx store.Ports) error {
			w, err := wallets.WalletKind.Get(ctx, tx, home, id)
			if err != nil {
				return err
			}
			w.Status = wallets.Closed
			return wallets.WalletKind.Update(ctx, tx, w)
		})
		require.NoError(t, s.Read(t.Context(), func(ctx context.Context, tx store.Ports) error {
			active := wallets.WalletFilter{Status: wallets.Active}.Query()
			rest, err := wallets.WalletKind.Page(ctx, tx, home, active, ferry.Page{Before: string(id)})
			require.NotEmpty(t, rest.Data, id)
			require.Equal(t, wallets.ID("wal_1"), rest.Data[len(rest.Data)-1].ID, id)
			return err
		}))
	}
}
