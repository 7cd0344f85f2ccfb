package bankfeed

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// byNumber finds an account of any business by the Env of its Scope and by Number.
var byNumber = &records.Unique{Columns: []string{"env", "number"}, Taken: ErrAccountTaken}

// AccountKind is what a source account is as a row.
var AccountKind = records.Define(records.Kind[string, Account]{
	Name: "source_accounts",
	Columns: func(a *Account) []records.Column {
		return []records.Column{
			records.Text("number", &a.Number), records.Owner(&a.Scope), records.Version(&a.Version),
		}
	},
	Key:     []string{"env", "business", "number"},
	Scope:   func(a *Account) ferry.Scope { return a.Scope },
	Unique:  []*records.Unique{byNumber},
	Missing: ErrAccountUnknown,
	Exists:  ErrAccountTaken,
})

// AccountByNumber returns the account that has a number in an environment, whosever it
// is, or ErrAccountUnknown.
func AccountByNumber(ctx context.Context, tx records.Tx, env ferry.Env, number string) (Account, error) {
	return AccountKind.Find(ctx, tx, byNumber, Account{Scope: ferry.Scope{Env: env}, Number: number})
}

// FeedKind is what a feed is as a row: one for each environment whose bank was read.
var FeedKind = records.Define(records.Kind[ferry.Env, Feed]{
	Name: "bank_feeds",
	Columns: func(f *Feed) []records.Column {
		return []records.Column{records.Env(&f.Env), records.Version(&f.Version), records.Text("cursor", &f.Cursor)}
	},
	Key:   []string{"env"},
	Scope: func(f *Feed) ferry.Scope { return ferry.Scope{Env: f.Env} },
})

// feedOf returns the place reached in an environment's feed, an empty one at first.
func feedOf(ctx context.Context, tx Tx, env ferry.Env) (Feed, error) {
	return FeedKind.GetOr(ctx, tx, Feed{Env: env})
}
