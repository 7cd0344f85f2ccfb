package sqlstore

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/provider/bank"
)

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

// Funding returns the port of source accounts and bank feeds.
func (u *unit) Funding() funding.Store { return fundingStore{u} }

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
