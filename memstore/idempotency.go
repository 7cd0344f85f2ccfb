package memstore

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
)

// idempotencyTables keeps records by their key as one text, and those texts in
// order of time.
type idempotencyTables struct {
	records table[string, idempotency.Record]
	byAge   index[ferry.Env, string]
}

type idempotencyStore struct{ *unit }

var _ idempotency.Store = idempotencyStore{}

// Idempotency returns the port of client keys.
func (u *unit) Idempotency() idempotency.Store { return idempotencyStore{u} }

// recordKey is the text of a key. No part of a key has a line break.
func recordKey(k idempotency.Key) string {
	return strings.Join([]string{string(k.Scope.Env), string(k.Scope.Business), k.Operation, k.Client}, "\n")
}

func (s idempotencyStore) Record(_ context.Context, key idempotency.Key) (idempotency.Record, error) {
	r, known := s.tables.idempotency.records.get(recordKey(key))
	if !known {
		return r, idempotency.ErrUnknown
	}
	r.Body = bytes.Clone(r.Body)
	return r, nil
}

func (s idempotencyStore) Insert(_ context.Context, r idempotency.Record) error {
	if err := s.writable(); err != nil {
		return err
	}
	t, key := &s.tables.idempotency, recordKey(r.Key)
	if t.records.has(key) {
		return idempotency.ErrTaken
	}
	r.Body = bytes.Clone(r.Body)
	t.records.insert(s.undo, key, r)
	t.byAge.add(s.undo, r.Key.Scope.Env, placeOf(r.CreatedAt, key))
	return nil
}

func (s idempotencyStore) Update(_ context.Context, r idempotency.Record) error {
	if err := s.writable(); err != nil {
		return err
	}
	t, key := &s.tables.idempotency, recordKey(r.Key)
	old, known := t.records.get(key)
	if !known {
		return idempotency.ErrUnknown
	}
	r.CreatedAt = old.CreatedAt // by which it is purged
	r.Body = bytes.Clone(r.Body)
	t.records.put(s.undo, key, r)
	return nil
}

func (s idempotencyStore) Purge(_ context.Context, env ferry.Env, before time.Time, limit int) (int, error) {
	if err := s.writable(); err != nil {
		return 0, err
	}
	t := &s.tables.idempotency
	var old []place[string]
	for p := range t.byAge.of(env).all() {
		if len(old) == limit || p.at >= before.UnixMicro() {
			break
		}
		old = append(old, p)
	}
	for _, p := range old {
		t.byAge.drop(s.undo, env, p)
		t.records.delete(s.undo, p.id)
	}
	return len(old), nil
}
