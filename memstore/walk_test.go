package memstore

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// thing is a row that stands in no group.
type thing struct {
	ID, Color string
	Version   int64
}

// looks counts how often somebody asks a thing whether it is a thing.
var looks int

var thingKind = records.Define(records.Kind[string, thing]{
	Name: "things",
	Columns: func(x *thing) []records.Column {
		return []records.Column{
			records.ID(&x.ID), records.Version(&x.Version), records.Text("color", &x.Color),
			records.Made("thing", func() string { looks++; return "yes" }),
		}
	},
})

// holding returns a store with n things, every second of which is red.
func holding(t *testing.T, n int) *Store {
	s := New()
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
		for i := range n {
			if err := thingKind.Insert(ctx, tx, thing{ID: fmt.Sprintf("%06d", i), Color: []string{"red", "blue"}[i%2]}); err != nil {
				return err
			}
		}
		return nil
	}))
	return s
}

// red returns the ids of the red things, in the order of a walk.
func red(ctx context.Context, t *testing.T, tx records.Tx) (ids []string) {
	for row, err := range thingKind.Walk(ctx, tx, records.Where(records.Is("thing", "yes"), records.Is("color", "red"))) {
		require.NoError(t, err)
		ids = append(ids, row.ID)
	}
	return ids
}

func TestAWalkLooksAtEachRowOnceHoweverManyPagesItHas(t *testing.T) {
	for _, n := range []int{2_000, 8_000} {
		s := holding(t, n)
		looks = 0
		require.NoError(t, s.Read(t.Context(), func(ctx context.Context, tx store.Ports) error {
			require.Len(t, red(ctx, t, tx), n/2)
			return nil
		}))
		require.Equal(t, n, looks)
	}
}

func TestAWalkSeesWhatItsUnitHasWritten(t *testing.T) {
	s := holding(t, 2)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
		require.Equal(t, []string{"000000"}, red(ctx, t, tx))
		require.NoError(t, thingKind.Insert(ctx, tx, thing{ID: "000002", Color: "red"}))
		require.Equal(t, []string{"000000", "000002"}, red(ctx, t, tx))
		require.NoError(t, thingKind.Update(ctx, tx, thing{ID: "000000", Color: "blue", Version: 1}))
		require.Equal(t, []string{"000002"}, red(ctx, t, tx))
		return nil
	}))
}
