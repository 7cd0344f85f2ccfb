package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// event returns the n-th event of the scope home, pending.
func event(n int, resource string) webhook.Event {
	return webhook.Event{
		ID: idOf("evt_", n), Scope: home, Type: "thing.changed", Resource: resource,
		CreatedAt: after(n), Data: `{"n":1}`, State: webhook.Pending,
	}
}

func appendEvents(events ...webhook.Event) body {
	return func(ctx context.Context, p store.Ports) error {
		for _, e := range events {
			if err := p.Outbox().Insert(ctx, e); err != nil {
				return err
			}
		}
		return nil
	}
}

func eventsAfter(t testing.TB, b store.Backend, scope ferry.Scope, after int64, limit int) []webhook.Event {
	t.Helper()
	return look(t, b, func(ctx context.Context, p store.Ports) ([]webhook.Event, error) {
		return p.Webhooks().Feed(ctx, scope, after, time.Time{}, limit)
	})
}

func eventsSince(t testing.TB, b store.Backend, after int64, since time.Time, limit int) []webhook.Event {
	t.Helper()
	return look(t, b, func(ctx context.Context, p store.Ports) ([]webhook.Event, error) {
		return p.Webhooks().Feed(ctx, home, after, since, limit)
	})
}

func testOutbox(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("Events returns what follows a cursor, at most the limit", func(t *testing.T) {
		b := open(t)
		for n := 1; n <= 5; n++ {
			write(t, b, appendEvents(event(n, "res")))
		}
		require.Equal(t, []string{idOf("evt_", 3), idOf("evt_", 4)}, inOrder(t, eventsAfter(t, b, home, 2, 2), 2))
		require.Empty(t, eventsAfter(t, b, home, 5, 10))
		require.Empty(t, eventsAfter(t, b, home, 99, 10))
	})
	t.Run("Events since an instant leaves out what is older", func(t *testing.T) {
		b := open(t)
		for n := 1; n <= 5; n++ {
			write(t, b, appendEvents(event(n, "res")))
		}
		require.Equal(t, []string{idOf("evt_", 4), idOf("evt_", 5)}, inOrder(t, eventsSince(t, b, 1, after(4), 10), 3))
		require.Equal(t, []string{idOf("evt_", 3)}, inOrder(t, eventsSince(t, b, 0, after(3), 1), 2))
		require.Empty(t, eventsSince(t, b, 0, after(6), 10))
	})
	t.Run("a reader that follows the cursor misses nothing while units commit and fail", func(t *testing.T) {
		b := open(t)
		const workers, rounds = 6, 20
		done, followed := make(chan struct{}), make(chan []string, 1)
		go func() { followed <- follow(t, b, done) }()
		together(t, workers, func(w int) error { return emitOrFail(t.Context(), b, w, rounds) })
		close(done)
		require.Equal(t, inOrder(t, eventsAfter(t, b, home, 0, 1000), 0), <-followed)
		requireStreams(t, b, workers, rounds)
	})
	readOnly(t, open, map[string]body{
		"Insert": appendEvents(event(1, "res")),
	})
}

// inOrder checks that cursors follow `after` without gaps and returns the ids.
func inOrder(t testing.TB, events []webhook.Event, after int64) []string {
	t.Helper()
	var ids []string
	for i, e := range events {
		require.Equal(t, after+int64(i)+1, e.Cursor)
		ids = append(ids, e.ID)
	}
	return ids
}

// emitOrFail appends two events a unit, to a stream of its own and to a shared
// one; every third unit fails.
func emitOrFail(ctx context.Context, b store.Backend, w, rounds int) error {
	for r := range rounds {
		err := b.Write(ctx, func(ctx context.Context, p store.Ports) error {
			for i, resource := range []string{fmt.Sprintf("own-%d", w), "shared"} {
				if err := p.Outbox().Insert(ctx, event((w*rounds+r)*2+i, resource)); err != nil {
					return err
				}
			}
			if r%3 == 2 {
				return errFail
			}
			return nil
		})
		if failed := r%3 == 2; failed != errors.Is(err, errFail) || !failed && err != nil {
			return fmt.Errorf("round %d: %w", r, err)
		}
	}
	return nil
}

// follow reads events after the last cursor it knows until done, and then once
// more, and returns their ids.
func follow(t *testing.T, b store.Backend, done <-chan struct{}) []string {
	var ids []string
	for last := false; ; {
		events, err := ferry.InRead(t.Context(), b, func(ctx context.Context, p store.Ports) ([]webhook.Event, error) {
			return p.Webhooks().Feed(ctx, home, int64(len(ids)), time.Time{}, 1000)
		})
		if err != nil {
			t.Errorf("following the events: %v", err)
			return nil
		}
		for _, e := range events {
			ids = append(ids, e.ID)
		}
		if last {
			return ids
		}
		select {
		case <-done:
			last = true
		default:
		}
	}
}

// requireStreams checks that the events of each stream are numbered from 1 in
// order of cursor.
func requireStreams(t *testing.T, b store.Backend, workers, rounds int) {
	t.Helper()
	committed := rounds - rounds/3
	last := map[string]int64{}
	for _, e := range eventsAfter(t, b, home, 0, 1000) {
		last[e.Resource]++
		require.Equal(t, last[e.Resource], e.Sequence, e.Resource)
	}
	require.EqualValues(t, workers*committed, last["shared"])
	for w := range workers {
		require.EqualValues(t, committed, last[fmt.Sprintf("own-%d", w)])
	}
}
