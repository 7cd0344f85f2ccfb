package memstore

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

type businessTables struct {
	businesses table[ferry.Scope, business.Business]
	byEnv      index[ferry.Env, ferry.BusinessID] // by id
	keys       table[business.KeyID, business.Key]
	byDigest   table[string, business.KeyID]
	byScope    index[ferry.Scope, business.KeyID]
}

type businessStore struct{ *unit }

var _ business.Store = businessStore{}

// Businesses returns the port of tenants and their keys.
func (u *unit) Businesses() business.Store { return businessStore{u} }

func (s businessStore) Insert(_ context.Context, b business.Business) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.businesses
	if t.businesses.has(b.Scope) {
		return business.ErrExists
	}
	b.Version = 1
	t.businesses.insert(s.undo, b.Scope, b)
	t.byEnv.add(s.undo, b.Scope.Env, place[ferry.BusinessID]{id: b.Scope.Business})
	return nil
}

func (s businessStore) Business(_ context.Context, scope ferry.Scope) (business.Business, error) {
	b, found := s.tables.businesses.businesses.get(scope)
	if !found {
		return b, business.ErrNotFound
	}
	return b, nil
}

func (s businessStore) Update(ctx context.Context, b business.Business) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Business(ctx, b.Scope)
	if err != nil {
		return err
	}
	if stored.Version != b.Version {
		return ferry.ErrStale
	}
	b.Version++
	s.tables.businesses.businesses.put(s.undo, b.Scope, b)
	return nil
}

func (s businessStore) Businesses(_ context.Context, env ferry.Env, after ferry.BusinessID, limit int) ([]business.Business, error) {
	t := &s.tables.businesses
	var all []business.Business
	for p := range t.byEnv.of(env).after(place[ferry.BusinessID]{id: after}) {
		if len(all) >= limit {
			break
		}
		all = append(all, t.businesses.row(ferry.Scope{Business: p.id, Env: env}))
	}
	return all, nil
}

func (s businessStore) InsertKey(_ context.Context, k business.Key) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.businesses
	sameID := t.keys.has(k.ID)
	sameDigest := t.byDigest.has(k.Digest)
	if sameID || sameDigest {
		return fmt.Errorf("%w: %s", business.ErrKeyTaken, k.ID)
	}
	k.Version = 1
	t.keys.insert(s.undo, k.ID, k)
	t.byDigest.insert(s.undo, k.Digest, k.ID)
	t.byScope.add(s.undo, k.Scope, placeOf(k.CreatedAt, k.ID))
	return nil
}

func (s businessStore) Key(_ context.Context, scope ferry.Scope, id business.KeyID) (business.Key, error) {
	k, found := s.tables.businesses.keys.get(id)
	if !found || k.Scope != scope {
		return business.Key{}, business.ErrKeyNotFound
	}
	return k, nil
}

func (s businessStore) KeyByDigest(_ context.Context, digest string) (business.Key, error) {
	t := &s.tables.businesses
	k, found := t.keys.get(t.byDigest.row(digest))
	if !found {
		return k, business.ErrKeyNotFound
	}
	return k, nil
}

func (s businessStore) UpdateKey(ctx context.Context, k business.Key) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Key(ctx, k.Scope, k.ID)
	if err != nil {
		return err
	}
	if stored.Version != k.Version {
		return ferry.ErrStale
	}
	k.Version++
	k.Digest, k.CreatedAt = stored.Digest, stored.CreatedAt // what the key is found by never changes
	s.tables.businesses.keys.put(s.undo, k.ID, k)
	return nil
}

func (s businessStore) Keys(_ context.Context, scope ferry.Scope) ([]business.Key, error) {
	t := &s.tables.businesses
	l := t.byScope.of(scope)
	keys := make([]business.Key, 0, l.length)
	for p := range l.down(0) {
		keys = append(keys, t.keys.row(p.id))
	}
	return keys, nil
}
