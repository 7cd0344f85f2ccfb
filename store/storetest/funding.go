package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
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
}

// source is the n-th source account of a scope.
func source(scope ferry.Scope, n int) funding.Account {
	return funding.Account{Scope: scope, Number: fmt.Sprintf("%010d", n)}
}

var sourceCase = caseOf(kindCase[string, funding.Account]{
	kind: funding.AccountKind, row: source, key: "Number",
	change: func(*funding.Account) {},
})

var _ = caseOf(kindCase[ferry.Env, funding.Feed]{
	kind: funding.FeedKind, key: "Env",
	row:    func(scope ferry.Scope, n int) funding.Feed { return funding.Feed{Env: envOf(scope, n), Cursor: "a"} },
	change: func(f *funding.Feed) { f.Cursor = "b" },
})
