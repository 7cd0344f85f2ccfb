package storetest

import (
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
)

// source is the n-th source account of a scope.
func source(scope ferry.Scope, n int) bankfeed.Account {
	return bankfeed.Account{Scope: scope, Number: fmt.Sprintf("%010d", n)}
}

var _ = caseOf(kindCase[string, bankfeed.Account]{
	kind: bankfeed.AccountKind, row: source,
	change: func(*bankfeed.Account) {},
})

var _ = caseOf(kindCase[ferry.Env, bankfeed.Feed]{
	kind:   bankfeed.FeedKind,
	row:    func(scope ferry.Scope, n int) bankfeed.Feed { return bankfeed.Feed{Env: envOf(scope, n), Cursor: "a"} },
	change: func(f *bankfeed.Feed) { f.Cursor = "b" },
})
