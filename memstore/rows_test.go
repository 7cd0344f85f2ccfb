package memstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/store"
)

var errTurnBack = errors.New("turn back")

// Rows come, change and go in many units, half of which turn back. What the store has is then what
// a map has to which only the other half was done.
func TestRowsOfUnitsThatTurnBackAreAsTheyWere(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	s := New()
	plain := map[string]thing{}
	for range 400 {
		next := map[string]thing{}
		for id, x := range plain {
			next[id] = x
		}
		back := random.IntN(2) == 0
		err := s.Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
			for range random.IntN(20) {
				write(ctx, t, tx, next, fmt.Sprintf("%02d", random.IntN(60)), fmt.Sprint(random.IntN(1000)), random.IntN(3) == 0)
			}
			if back {
				return errTurnBack
			}
			return nil
		})
		if back {
			require.ErrorIs(t, err, errTurnBack)
		} else {
			require.NoError(t, err)
			plain = next
		}
		holds(t, s, plain)
	}
}

// write inserts a thing, or changes the one that there is, or removes it.
func write(ctx context.Context, t *testing.T, tx store.Ports, plain map[string]thing, id, color string, remove bool) {
	old, there := plain[id]
	switch {
	case !there:
		require.NoError(t, thingKind.Insert(ctx, tx, thing{ID: id, Color: color}))
		plain[id] = thing{ID: id, Color: color, Version: 1}
	case remove:
		u := tx.(*unit)
		shelf := u.tables.shelves.of(thingKind.Shape)
		shelf.remove(u.undo, shelf.rows.find(id))
		delete(plain, id)
	default:
		old.Color = color
		require.NoError(t, thingKind.Update(ctx, tx, old))
		old.Version++
		plain[id] = old
	}
}

// holds compares all that a store has with a map.
func holds(t *testing.T, s *Store, plain map[string]thing) {
	t.Helper()
	rows := &s.tables.shelves.of(thingKind.Shape).rows
	all := map[string]thing{}
	for row := range rows.all() {
		all[row.key] = *row.row.(*thing)
		require.Equal(t, row.key, rows.find(row.key).key)
	}
	require.Equal(t, plain, all)
	require.Nil(t, rows.find("none"))
}
