package storetest

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/store"
)

func testIdempotency(t *testing.T, open func(*testing.T) store.Backend) {
	first := idempotency.Record{Key: clientKey, Fingerprint: "f1", Resource: "res", CreatedAt: start, BusyUntil: start.Add(time.Minute)}
	insert := func(r idempotency.Record) body {
		return func(ctx context.Context, p store.Ports) error { return p.Idempotency().Insert(ctx, r) }
	}
	update := func(r idempotency.Record) body {
		return func(ctx context.Context, p store.Ports) error { return p.Idempotency().Update(ctx, r) }
	}
	record := func(key idempotency.Key) func(context.Context, store.Ports) (idempotency.Record, error) {
		return func(ctx context.Context, p store.Ports) (idempotency.Record, error) {
			return p.Idempotency().Record(ctx, key)
		}
	}
	known := func(key idempotency.Key) body {
		return func(ctx context.Context, p store.Ports) error { _, err := record(key)(ctx, p); return err }
	}

	t.Run("a record comes back as it was inserted", func(t *testing.T) {
		b := open(t)
		write(t, b, insert(first))
		require.Equal(t, first, look(t, b, record(clientKey)))
	})
	t.Run("a key is inserted once", func(t *testing.T) {
		b := open(t)
		write(t, b, insert(first))
		second := first
		second.Fingerprint = "f2"
		refuse(t, b, idempotency.ErrTaken, insert(second))
		require.Equal(t, first, look(t, b, record(clientKey)))
	})
	t.Run("the same client key of another scope or operation is another key", func(t *testing.T) {
		b := open(t)
		write(t, b, insert(first))
		for _, key := range []idempotency.Key{
			{Scope: away, Operation: clientKey.Operation, Client: clientKey.Client},
			{Scope: live, Operation: clientKey.Operation, Client: clientKey.Client},
			{Scope: home, Operation: "POST /v1/customers", Client: clientKey.Client},
			{Scope: home, Operation: clientKey.Operation, Client: "K-1"},
		} {
			missing(t, b, idempotency.ErrUnknown, known(key))
			write(t, b, insert(idempotency.Record{Key: key, CreatedAt: start}))
		}
	})
	t.Run("an update replaces a record that is there", func(t *testing.T) {
		b := open(t)
		refuse(t, b, idempotency.ErrUnknown, update(first))
		write(t, b, insert(first))
		done := first
		done.Finished, done.Status, done.Body = true, 201, []byte(`{"ok":true}`)
		write(t, b, update(done))
		require.Equal(t, done, look(t, b, record(clientKey)))
	})
	t.Run("the answer of a record is the caller's own", func(t *testing.T) {
		b := open(t)
		done := first
		done.Finished, done.Body = true, []byte("answer")
		for _, change := range []func(idempotency.Record) body{insert, update} {
			given := done
			given.Body = bytes.Clone(done.Body)
			write(t, b, change(given))
			given.Body[0]++
			write(t, b, func(ctx context.Context, p store.Ports) error {
				r, err := record(clientKey)(ctx, p)
				require.Equal(t, done, r, "after a change of what was written")
				r.Body[0]++
				return err
			})
			require.Equal(t, done, look(t, b, record(clientKey)), "after a change of what was read")
		}
	})
	t.Run("of many who claim a key at once one is the first", func(t *testing.T) {
		b := open(t)
		for round := range 10 {
			r := first
			r.Key.Client = fmt.Sprintf("k-%d", round)
			winners := 0
			for _, err := range race(8, func(int) error {
				return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
					_, err := idempotency.Begin(ctx, p.Idempotency(), start, start, r)
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
	t.Run("a purge takes at most the limit of the records made before an instant", func(t *testing.T) {
		b := open(t)
		for n := range 5 {
			r := first
			r.Key.Client, r.CreatedAt = fmt.Sprintf("k-%d", n), start.Add(time.Duration(4-n)*time.Hour)
			write(t, b, insert(r))
		}
		for _, want := range []int{2, 1, 0} {
			var purged int
			write(t, b, func(ctx context.Context, p store.Ports) (err error) {
				purged, err = p.Idempotency().Purge(ctx, clientKey.Scope.Env, start.Add(3*time.Hour), 2)
				return err
			})
			require.Equal(t, want, purged)
		}
		for n, gone := range []bool{false, false, true, true, true} {
			key := clientKey
			key.Client = fmt.Sprintf("k-%d", n)
			if gone {
				missing(t, b, idempotency.ErrUnknown, known(key))
			} else {
				look(t, b, record(key))
			}
		}
	})
	t.Run("a purge of one environment leaves the records of the other", func(t *testing.T) {
		b := open(t)
		live := first
		live.Key.Scope.Env = ferry.Live
		write(t, b, insert(first))
		write(t, b, insert(live))
		write(t, b, func(ctx context.Context, p store.Ports) error {
			purged, err := p.Idempotency().Purge(ctx, ferry.Test, start.Add(time.Hour), 10)
			require.Equal(t, 1, purged)
			return err
		})
		missing(t, b, idempotency.ErrUnknown, known(first.Key))
		look(t, b, record(live.Key))
	})
	readOnly(t, open, map[string]body{
		"Insert": insert(first),
		"Update": update(first),
		"Purge": func(ctx context.Context, p store.Ports) error {
			_, err := p.Idempotency().Purge(ctx, clientKey.Scope.Env, start, 1)
			return err
		},
	})
}
