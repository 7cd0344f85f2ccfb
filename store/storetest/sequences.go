package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// numbers returns the sequences of a scope's events by resource, in order of cursor. The
// cursors have no gaps.
func numbers(t testing.TB, b store.Backend, scope ferry.Scope) map[string][]int64 {
	t.Helper()
	all, events := map[string][]int64{}, eventsAfter(t, b, scope, 0, 1000)
	inOrder(t, events, 0)
	for _, e := range events {
		all[e.Resource] = append(all[e.Resource], e.Sequence)
	}
	return all
}

func lastSequence(t testing.TB, b store.Backend, scope ferry.Scope, resource string) int64 {
	t.Helper()
	return look(t, b, func(ctx context.Context, p store.Ports) (int64, error) {
		newest, err := p.Webhooks().Newest(ctx, scope, resource)
		if errors.Is(err, webhook.ErrEventNotFound) {
			return 0, nil
		}
		return newest.Sequence, err
	})
}

func testSequences(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("each resource counts its events from 1, in order of the units and of the calls", func(t *testing.T) {
		b := open(t)
		write(t, b, appendEvents(event(1, "res"), event(2, "other")))
		write(t, b, appendEvents(event(3, "res"), event(4, "res"), event(5, "other"), event(6, "res")))
		write(t, b, appendEvents(event(7, "other")))
		require.Equal(t, map[string][]int64{"res": {1, 2, 3, 4}, "other": {1, 2, 3}}, numbers(t, b, home))
	})
	t.Run("each scope counts apart", func(t *testing.T) {
		b := open(t)
		for n, scope := range []ferry.Scope{home, away, live, home} {
			e := event(n, "res")
			e.Scope = scope
			write(t, b, appendEvents(e))
		}
		for scope, want := range map[ferry.Scope][]int64{home: {1, 2}, away: {1}, live: {1}} {
			require.Equal(t, map[string][]int64{"res": want}, numbers(t, b, scope))
			require.EqualValues(t, len(want), lastSequence(t, b, scope, "res"))
		}
	})
	t.Run("the last sequence is that of the newest event, whatever its state, or 0", func(t *testing.T) {
		b := open(t)
		require.Zero(t, lastSequence(t, b, home, "res"))
		sent := event(2, "res")
		sent.State = webhook.Unsent
		write(t, b, appendEvents(event(1, "res"), sent, event(3, "other")))
		require.EqualValues(t, 2, lastSequence(t, b, home, "res"))
	})
	t.Run("a unit that fails or is refused leaves no gap", func(t *testing.T) {
		b := open(t)
		write(t, b, appendEvents(event(1, "res")))
		refuse(t, b, errFail, all(appendEvents(event(2, "res"), event(3, "new")), failed))
		refuse(t, b, webhook.ErrEventExists, appendEvents(event(4, "res"), event(5, "new"), event(1, "res")))
		require.EqualValues(t, 1, lastSequence(t, b, home, "res"))
		require.Zero(t, lastSequence(t, b, home, "new"))
		write(t, b, appendEvents(event(6, "res"), event(7, "new")))
		require.Equal(t, map[string][]int64{"res": {1, 2}, "new": {1}}, numbers(t, b, home))
	})
	t.Run("an event that its own unit changes keeps its sequence and its cursor", func(t *testing.T) {
		b := open(t)
		write(t, b, appendEvents(event(1, "res")))
		write(t, b, func(ctx context.Context, p store.Ports) error {
			if err := p.Outbox().Insert(ctx, event(2, "res")); err != nil {
				return err
			}
			own, err := webhook.EventKind.Get(ctx, p, home, idOf("evt_", 2))
			if err != nil {
				return err
			}
			own.State, own.Sequence, own.Cursor = webhook.Unsent, 9, 9
			return webhook.EventKind.Update(ctx, p, own)
		})
		row := look(t, b, eventOf(home, idOf("evt_", 2)))
		require.Equal(t, []int64{2, 2}, []int64{row.Sequence, row.Cursor})
		require.Equal(t, webhook.Unsent, row.State)
	})
	t.Run("units that append to one resource at once all succeed", func(t *testing.T) {
		b := open(t)
		const workers, rounds = 16, 5
		together(t, workers, func(w int) error {
			for r := range rounds {
				n := (w*rounds + r) * 2
				if err := b.Write(t.Context(), appendEvents(event(n, "res"), event(n+1, "res"))); err != nil {
					return fmt.Errorf("round %d: %w", r, err)
				}
			}
			return nil
		})
		requirePairs(t, eventsAfter(t, b, home, 0, 1000), workers*rounds)
		require.EqualValues(t, 2*workers*rounds, lastSequence(t, b, home, "res"))
	})
}

// requirePairs checks that events have the sequences from 1, and that those that a
// unit appended together, an even one and the next, stand together.
func requirePairs(t testing.TB, events []webhook.Event, pairs int) {
	t.Helper()
	require.Len(t, events, 2*pairs)
	for i, e := range events {
		require.EqualValues(t, i+1, e.Sequence)
		require.EqualValues(t, i+1, e.Cursor)
	}
	for i := range pairs {
		var n int
		_, err := fmt.Sscanf(events[2*i].ID, "evt_%x", &n)
		require.NoError(t, err)
		require.Equal(t, idOf("evt_", n+1), events[2*i+1].ID)
	}
}
