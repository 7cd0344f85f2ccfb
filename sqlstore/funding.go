package sqlstore

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/provider/bank"
)

// sourceRow is a source account. Its owner is in the environment of the number.
type sourceRow struct {
	env      ferry.Env
	number   string
	business ferry.BusinessID
	version  int64
}

var sourceTable = define(table[sourceRow]{
	name: "source_accounts",
	key:  []string{"env", "number"},
	fields: func(r *sourceRow) []field {
		return []field{
			col("env", &r.env),
			col("number", &r.number),
			col("business", &r.business),
		}
	},
	version: func(r *sourceRow) *int64 { return &r.version },
	missing: funding.ErrAccountUnknown,
	exists:  funding.ErrAccountTaken,
})

// feedRow is the place reached in the feed of an environment.
type feedRow struct {
	env     ferry.Env
	cursor  bank.Cursor
	version int64
}

// errNoFeed is the absence of a place, which the port shows as an empty one.
var errNoFeed = errors.New("sqlstore: the feed was not read yet")

var feedTable = define(table[feedRow]{
	name: "bank_feeds",
	key:  []string{"env"},
	fields: func(r *feedRow) []field {
		return []field{
			col("env", &r.env),
			col("cursor", &r.cursor),
		}
	},
	version: func(r *feedRow) *int64 { return &r.version },
	missing: errNoFeed,
})

type fundingStore struct{ *unit }

var _ funding.Store = fundingStore{}

// Funding returns the port of source accounts and bank feeds.
func (u *unit) Funding() funding.Store { return fundingStore{u} }

func (s fundingStore) InsertAccount(_ context.Context, a funding.Account) error {
	return sourceTable.insert(s.unit, sourceRow{env: a.Env, number: a.Number, business: a.Scope.Business})
}

func (s fundingStore) AccountByNumber(ctx context.Context, env ferry.Env, number string) (funding.Account, error) {
	r, err := sourceTable.get(ctx, s.unit, env, number)
	if err != nil {
		return funding.Account{}, err
	}
	return funding.Account{Env: env, Number: number, Scope: ferry.Scope{Business: r.business, Env: env}}, nil
}

func (s fundingStore) FeedCursor(ctx context.Context, env ferry.Env) (bank.Cursor, error) {
	r, err := s.feed(ctx, env)
	return r.cursor, err
}

func (s fundingStore) PutFeedCursor(ctx context.Context, env ferry.Env, c bank.Cursor) error {
	r, err := s.feed(ctx, env)
	if err != nil {
		return err
	}
	r.cursor = c
	return feedTable.put(ctx, s.unit, r)
}

// feed returns the row of an environment, new when there is none.
func (s fundingStore) feed(ctx context.Context, env ferry.Env) (feedRow, error) {
	r, err := feedTable.get(ctx, s.unit, env)
	if errors.Is(err, errNoFeed) {
		return feedRow{env: env}, nil
	}
	return r, err
}
