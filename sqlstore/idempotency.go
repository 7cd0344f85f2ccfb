package sqlstore

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
)

// keyRow is a record with the version that it has here.
type keyRow struct {
	idempotency.Record
	version int64
}

var keyTable = define(table[keyRow]{
	name: "idempotency_keys",
	key:  []string{"env", "business", "operation", "client"},
	fields: func(r *keyRow) []field {
		return []field{
			col("env", &r.Key.Scope.Env),
			col("business", &r.Key.Scope.Business),
			col("operation", &r.Key.Operation),
			col("client", &r.Key.Client),
			col("fingerprint", &r.Fingerprint),
			col("resource", &r.Resource),
			col("finished", &r.Finished),
			col("status", &r.Status),
			col("body", &r.Body),
			col("busy_until", instant(&r.BusyUntil)),
			col("created_at", instant(&r.CreatedAt)),
		}
	},
	version: func(r *keyRow) *int64 { return &r.version },
	first:   func(r keyRow) int64 { return max(r.CreatedAt.UnixMicro(), 1) }, // what was purged is older
	missing: idempotency.ErrUnknown,
	exists:  idempotency.ErrTaken,
})

type idempotencyStore struct{ *unit }

var _ idempotency.Store = idempotencyStore{}

// Idempotency returns the port of client keys.
func (u *unit) Idempotency() idempotency.Store { return idempotencyStore{u} }

func (s idempotencyStore) row(ctx context.Context, k idempotency.Key) (keyRow, error) {
	return keyTable.get(ctx, s.unit, k.Scope.Env, k.Scope.Business, k.Operation, k.Client)
}

func (s idempotencyStore) Record(ctx context.Context, k idempotency.Key) (idempotency.Record, error) {
	r, err := s.row(ctx, k)
	return r.Record, err
}

func (s idempotencyStore) Insert(_ context.Context, r idempotency.Record) error {
	return keyTable.insert(s.unit, keyRow{Record: r})
}

func (s idempotencyStore) Update(ctx context.Context, r idempotency.Record) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.row(ctx, r.Key)
	if err != nil {
		return err
	}
	r.CreatedAt = stored.CreatedAt // by which it is purged
	return keyTable.update(ctx, s.unit, keyRow{r, stored.version})
}

func (s idempotencyStore) Purge(ctx context.Context, env ferry.Env, before time.Time, limit int) (int, error) {
	if err := s.writable(); err != nil {
		return 0, err
	}
	old, err := keyTable.read(ctx, s.unit, "env = ? AND created_at < ? ORDER BY created_at LIMIT ?", []any{string(env), before, limit})
	if err != nil {
		return 0, err
	}
	for _, r := range old {
		if r, err = s.row(ctx, r.Key); err != nil {
			return 0, err
		}
		if err := keyTable.remove(s.unit, r); err != nil {
			return 0, err
		}
	}
	return len(old), nil
}
