package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/store"
)

func testBankFeed(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a number says whose account it is in its environment", func(t *testing.T) {
		b, o := open(t), sourceCase.owned()
		other := source(live, 1)
		write(t, b, o.inserted(source(home, 1)))
		write(t, b, o.inserted(other))
		for _, scope := range []ferry.Scope{home, live} {
			require.Equal(t, o.stored(source(scope, 1), 1), look(t, b, func(ctx context.Context, p store.Ports) (bankfeed.Account, error) {
				return bankfeed.AccountByNumber(ctx, p, scope.Env, other.Number)
			}))
		}
		refuse(t, b, bankfeed.ErrAccountTaken, o.inserted(source(away, 1)))
	})
}

// source is the n-th source account of a scope.
func source(scope ferry.Scope, n int) bankfeed.Account {
	return bankfeed.Account{Scope: scope, Number: fmt.Sprintf("%010d", n)}
}

var sourceCase = caseOf(kindCase[string, bankfeed.Account]{
	kind: bankfeed.AccountKind, row: source, key: "Number",
	change: func(*bankfeed.Account) {},
})

var _ = caseOf(kindCase[ferry.Env, bankfeed.Feed]{
	kind: bankfeed.FeedKind, key: "Env",
	row:    func(scope ferry.Scope, n int) bankfeed.Feed { return bankfeed.Feed{Env: envOf(scope, n), Cursor: "a"} },
	change: func(f *bankfeed.Feed) { f.Cursor = "b" },
})
