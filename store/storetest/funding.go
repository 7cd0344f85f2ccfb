package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
)

func testFunding(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an account number says whose it is in its environment", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAccount(sourceAccount(home)))
		write(t, b, insertAccount(sourceAccount(live)))
		require.Equal(t, sourceAccount(home), look(t, b, sourceOf(ferry.Test, "0123456789")))
		require.Equal(t, sourceAccount(live), look(t, b, sourceOf(ferry.Live, "0123456789")))
		missing(t, b, funding.ErrAccountUnknown, func(ctx context.Context, p store.Ports) error {
			_, err := p.Funding().AccountByNumber(ctx, ferry.Test, "9999999999")
			return err
		})
	})
	t.Run("an account number has one owner", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAccount(sourceAccount(home)))
		refuse(t, b, funding.ErrAccountTaken, insertAccount(sourceAccount(away)))
		require.Equal(t, sourceAccount(home), look(t, b, sourceOf(ferry.Test, "0123456789")))
	})
	t.Run("the place in a feed is kept for each environment", func(t *testing.T) {
		b := open(t)
		require.Empty(t, look(t, b, cursorOf(ferry.Test)))
		write(t, b, putCursor(ferry.Test, "a"))
		write(t, b, putCursor(ferry.Test, "b"))
		require.Equal(t, provider.Cursor("b"), look(t, b, cursorOf(ferry.Test)))
		require.Empty(t, look(t, b, cursorOf(ferry.Live)))
	})
	readOnly(t, open, map[string]body{
		"InsertAccount": insertAccount(sourceAccount(home)),
		"PutFeedCursor": putCursor(ferry.Test, "a"),
	})
}

func sourceAccount(scope ferry.Scope) funding.Account {
	return funding.Account{Env: scope.Env, Number: "0123456789", Scope: scope}
}

func insertAccount(a funding.Account) body {
	return func(ctx context.Context, p store.Ports) error { return p.Funding().InsertAccount(ctx, a) }
}

func putCursor(env ferry.Env, c provider.Cursor) body {
	return func(ctx context.Context, p store.Ports) error { return p.Funding().PutFeedCursor(ctx, env, c) }
}

func sourceOf(env ferry.Env, number string) func(context.Context, store.Ports) (funding.Account, error) {
	return func(ctx context.Context, p store.Ports) (funding.Account, error) {
		return p.Funding().AccountByNumber(ctx, env, number)
	}
}

func cursorOf(env ferry.Env) func(context.Context, store.Ports) (provider.Cursor, error) {
	return func(ctx context.Context, p store.Ports) (provider.Cursor, error) {
		return p.Funding().FeedCursor(ctx, env)
	}
}
