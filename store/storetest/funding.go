package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
)

func testFunding(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a number says whose account it is in its environment", func(t *testing.T) {
		b, o := open(t), sourceCase.owned()
		other := source(live, 1)
		write(t, b, o.inserted(source(home, 1)))
		write(t, b, o.inserted(other))
		for _, scope := range []ferry.Scope{home, live} {
			require.Equal(t, o.stored(source(scope, 1), 1), look(t, b, func(ctx context.Context, p store.Ports) (funding.Account, error) {
				return funding.AccountByNumber(ctx, p, scope.Env, other.Number)
			}))
		}
		refuse(t, b, funding.ErrAccountTaken, o.inserted(source(away, 1)))
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
		"PutFeedCursor": putCursor(ferry.Test, "a"),
	})
}

// source is the n-th source account of a scope.
func source(scope ferry.Scope, n int) funding.Account {
	return funding.Account{Scope: scope, Number: fmt.Sprintf("%010d", n)}
}

var sourceCase = caseOf(kindCase[string, funding.Account]{
	kind: funding.AccountKind, row: source, key: "Number",
	change: func(*funding.Account) {},
})

func putCursor(env ferry.Env, c provider.Cursor) body {
	return func(ctx context.Context, p store.Ports) error { return p.Funding().PutFeedCursor(ctx, env, c) }
}

func cursorOf(env ferry.Env) func(context.Context, store.Ports) (provider.Cursor, error) {
	return func(ctx context.Context, p store.Ports) (provider.Cursor, error) {
		return p.Funding().FeedCursor(ctx, env)
	}
}
