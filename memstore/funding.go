package memstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/provider/bank"
)

type fundingTables struct {
	cursors table[ferry.Env, bank.Cursor]
}

type fundingStore struct{ *unit }

// Funding returns the unit's port for source accounts.
func (u *unit) Funding() funding.Store { return fundingStore{u} }

func (s fundingStore) FeedCursor(_ context.Context, env ferry.Env) (bank.Cursor, error) {
	return s.tables.funding.cursors.row(env), nil
}

func (s fundingStore) PutFeedCursor(_ context.Context, env ferry.Env, c bank.Cursor) error {
	if err := s.writable(); err != nil {
		return err
	}
	s.tables.funding.cursors.put(s.undo, env, c)
	return nil
}
