package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/store"
)

// keyRecord is what is known of the n-th key of a scope, with no field empty.
func keyRecord(scope ferry.Scope, n int) idempotency.Record {
	r := idempotency.Key{Scope: scope, Operation: "POST /v1/wallets", Client: idOf("k-", n)}.Record("f1")
	r.Resource, r.Finished, r.Status, r.Body = "res", true, 201, `{"ok":true}`
	r.BusyUntil, r.CreatedAt = after(n), after(n)
	return r
}

var keyCase = caseOf(kindCase[idempotency.ID, idempotency.Record]{
	kind: idempotency.RecordKind,
	row:  keyRecord,
	change: func(r *idempotency.Record) {
		r.Fingerprint, r.Resource, r.Finished, r.Status, r.Body, r.BusyUntil = "f2", "other", false, 0, "", time.Time{}
	},
})

// purgeKeys removes keys of an environment and notes how many there were.
func purgeKeys(env ferry.Env, before time.Time, limit int, purged *int) body {
	return func(ctx context.Context, p store.Ports) (err error) {
		*purged, err = idempotency.RecordKind.Purge(ctx, p, env, before, limit)
		return err
	}
}

func testIdempotency(t *testing.T, open func(*testing.T) store.Backend) {
	rows, first := keyCase, keyRecord(home, 1)
	gone := func(t *testing.T, b store.Backend, r idempotency.Record) {
		t.Helper()
		missing(t, b, idempotency.ErrUnknown, fails(rows.in(r.Scope, r)))
	}
	t.Run("the same client key of another scope or operation is another key", func(t *testing.T) {
		b := open(t)
		claim := func(key idempotency.Key) idempotency.Record {
			r := key.Record("f")
			r.CreatedAt = start
			return r
		}
		write(t, b, rows.inserted(claim(clientKey)))
		for _, key := range []idempotency.Key{
			{Scope: away, Operation: clientKey.Operation, Client: clientKey.Client},
			{Scope: live, Operation: clientKey.Operation, Client: clientKey.Client},
			{Scope: home, Operation: "POST /v1/customers", Client: clientKey.Client},
			{Scope: home, Operation: clientKey.Operation, Client: "K-1"},
		} {
			gone(t, b, claim(key))
			write(t, b, rows.inserted(claim(key)))
		}
	})
	t.Run("of many who claim a key at once one is the first", func(t *testing.T) {
		b := open(t)
		for round := range 10 {
			key := clientKey
			key.Client = fmt.Sprintf("k-%d", round)
			winners := 0
			for _, err := range race(8, func(int) error {
				return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
					_, err := idempotency.Begin(ctx, p, start, start, key.Record("f"))
					return err
				})
			}) {
				if err == nil {
					winners++
				} else {
					require.ErrorIs(t, err, ferry.Conflict)
				}
			}
			require.Equal(t, 1, winners, "round %d", round)
		}
	})
	t.Run("a purge takes at most the limit of the records made before an instant, the oldest first", func(t *testing.T) {
		b, keys := open(t), make([]idempotency.Record, 5)
		for n := range keys {
			keys[n] = keyRecord(home, n)
			keys[n].CreatedAt = start.Add(time.Duration(4-n) * time.Hour)
			write(t, b, rows.inserted(keys[n]))
		}
		var purged int
		purge := purgeKeys(home.Env, start.Add(3*time.Hour), 2, &purged)
		refuse(t, b, errFail, all(purge, func(context.Context, store.Ports) error { return errFail }))
		for round, want := range []int{2, 1, 0} {
			write(t, b, purge)
			require.Equal(t, want, purged)
			if round == 0 {
				look(t, b, rows.in(home, keys[2]))
			}
		}
		for n, r := range keys {
			if n >= 2 {
				gone(t, b, r)
			} else {
				look(t, b, rows.in(home, r))
			}
		}
		write(t, b, rows.inserted(keys[2]))
		again := keys[2]
		again.Version = 1
		require.Equal(t, again, look(t, b, rows.in(home, again)), "the key is free again")
	})
	t.Run("a purge of one environment leaves the records of the other", func(t *testing.T) {
		b, purged := open(t), 0
		write(t, b, all(rows.inserted(first), rows.inserted(keyRecord(live, 1))))
		write(t, b, purgeKeys(ferry.Test, after(2), 10, &purged))
		require.Equal(t, 1, purged)
		gone(t, b, first)
		look(t, b, rows.in(live, first))
	})
	readOnly(t, open, map[string]body{"Purge": purgeKeys(home.Env, start, 1, new(int))})
}
