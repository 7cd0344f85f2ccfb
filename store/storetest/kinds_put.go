package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
)

// testPut is about rows that are put, whether or not they are there.
func (k tested) testPut(t *testing.T, open func(*testing.T) store.Backend) {
	first := k.row(home, 1)
	put := func(row any) body {
		return func(ctx context.Context, p store.Ports) error { return k.rows.Put(ctx, p, row) }
	}
	ready := func(t *testing.T) store.Backend {
		b := open(t)
		if k.before != nil {
			write(t, b, func(ctx context.Context, p store.Ports) error { return k.before(ctx, p, first) })
		}
		return b
	}
	t.Run("one is put over the one that was read only", func(t *testing.T) {
		b := ready(t)
		refuse(t, b, ferry.ErrStale, put(k.stored(first, 3)))
		write(t, b, put(first))
		refuse(t, b, ferry.ErrStale, put(first))
		next := k.changed(k.stored(first, 1))
		write(t, b, put(next))
		refuse(t, b, ferry.ErrStale, put(next))
		require.Equal(t, k.stored(next, 2), look(t, b, k.in(home, first)))
	})
	t.Run("of units that each change what they have read, none is lost", func(t *testing.T) {
		b := ready(t)
		const units = 8
		together(t, units, func(int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				row, err := k.rows.GetOr(ctx, p, first)
				if err != nil {
					return err
				}
				return k.rows.Put(ctx, p, row)
			})
		})
		row := look(t, b, k.in(home, first))
		require.EqualValues(t, units, k.version(row))
	})
	missing(t, open(t), ferry.ErrReadOnly, put(first))
}
