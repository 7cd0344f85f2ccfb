package memstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/provider/bank"
)

type fundingTables struct {
	accounts table[accountNumber, funding.Account]
	cursors  table[ferry.Env, bank.Cursor]
}

type accountNumber struct {
	env    ferry.Env
	number string
}

type fundingStore struct{ *unit }

var _ funding.Store = fundingStore{}

// Funding returns the unit's port for source accounts.
func (u *unit) Funding() funding.Store { return fundingStore{u} }

func (s fundingStore) InsertAccount(_ context.Context, a funding.Account) error {
	if err := s.writable(); err != nil {
		return err
	}
	key := accountNumber{a.Env, a.Number}
	if s.tables.funding.accounts.has(key) {
		return funding.ErrAccountTaken
	}
	s.tables.funding.accounts.insert(s.undo, key, a)
	return nil
}

func (s fundingStore) AccountByNumber(_ context.Context, env ferry.Env, number string) (funding.Account, error) {
	a, ok := s.tables.funding.accounts.get(accountNumber{env, number})
	if !ok {
		return funding.Account{}, funding.ErrAccountUnknown
	}
	return a, nil
}

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
