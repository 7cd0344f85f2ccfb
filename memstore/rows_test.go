package memstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
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
	for number := range rows.numbers() {
		row := rows.at(number)
		all[row.key] = *row.row.(*thing)
		require.Equal(t, row.key, rows.find(row.key).key)
	}
	require.Equal(t, plain, all)
	require.Nil(t, rows.find("none"))
}

// animal is a row of a scope in a group that spans scopes.
type animal struct {
	Scope     ferry.Scope
	ID, Color string
	Version   int64
}

func TestAGroupThatSpansScopesIsWalkedByKey(t *testing.T) {
	kind := records.Define(records.Kind[string, animal]{
		Name: "animals",
		Columns: func(a *animal) []records.Column {
			return []records.Column{records.Owner(&a.Scope), records.ID(&a.ID), records.Version(&a.Version), records.Text("color", &a.Color)}
		},
		Key: []string{"env", "business", "id"}, Scope: func(a *animal) ferry.Scope { return a.Scope },
		Groups: []records.Group{{By: []string{"color"}}},
	})
	first, second := ferry.Scope{Env: ferry.Test, Business: "a"}, ferry.Scope{Env: ferry.Test, Business: "b"}
	require.NoError(t, New().Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
		for _, a := range []animal{{Scope: second, ID: "1"}, {Scope: second, ID: "2"}, {Scope: first, ID: "3"}} {
			a.Color = "red"
			require.NoError(t, kind.Insert(ctx, tx, a))
		}
		red := records.Where(records.Is("env", "test"), records.Is("business", "b"), records.Is("color", "red"))
		rows, err := tx.Records().After(ctx, kind.Shape, red, "1", 10)
		require.NoError(t, err)
		require.Len(t, rows, 1)
		return nil
	}))
}

// stubborn becomes JSON that it does not take back.
type stubborn struct{ N int }

var errStubborn = errors.New("stubborn")

func (*stubborn) UnmarshalJSON([]byte) error { return errStubborn }

type holder struct {
	ID       string
	Version  int64
	Stubborn *stubborn
}

func TestAnUpdateThatCannotBeReadBackIsRefused(t *testing.T) {
	kind := records.Define(records.Kind[string, holder]{
		Name: "holders",
		Columns: func(h *holder) []records.Column {
			return []records.Column{records.ID(&h.ID), records.Version(&h.Version), records.Document("stubborn", &h.Stubborn)}
		},
	})
	require.NoError(t, New().Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
		require.NoError(t, kind.Insert(ctx, tx, holder{ID: "a"}))
		require.ErrorIs(t, kind.Update(ctx, tx, holder{ID: "a", Version: 1, Stubborn: &stubborn{7}}), errStubborn)
		h, err := kind.Get(ctx, tx, ferry.Scope{}, "a")
		require.NoError(t, err)
		require.Equal(t, holder{ID: "a", Version: 1}, h)
		return nil
	}))
}
