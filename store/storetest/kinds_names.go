package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// named is the n-th row of a scope with a unique name of another row.
func (k kindCase[K, R]) named(like R, unique int, scope ferry.Scope, n int) R {
	from, to := k.kind.Borrow(like), k.kind.Borrow(k.row(scope, n))
	defer k.kind.Release(from, to)
	for _, name := range k.kind.Unique[unique].Columns {
		if name != "business" && name != "env" {
			k.cell(to, name).Copy(k.cell(from, name))
		}
	}
	return k.kind.Row(to)
}

func (k kindCase[K, R]) testName(t *testing.T, open func(*testing.T) store.Backend, n int) {
	o, unique, first := k.owned(), k.kind.Unique[n], k.row(home, 1)
	if !k.holds(first, n) {
		t.Run("is none of other rows", func(t *testing.T) { k.testNoName(t, open, n) })
		return
	}
	find := func(like R) func(context.Context, store.Ports) (R, error) {
		return func(ctx context.Context, p store.Ports) (R, error) { return k.kind.Find(ctx, p, unique, like) }
	}
	t.Run("leads to its row, and no other name does", func(t *testing.T) {
		b := open(t)
		write(t, b, o.inserted(first))
		require.Equal(t, o.stored(first, 1), look(t, b, find(first)))
		missing(t, b, k.kind.Missing, func(ctx context.Context, p store.Ports) error {
			_, err := find(k.row(home, 2))(ctx, p)
			return err
		})
	})
	t.Run("is taken once among those whose owners it names", func(t *testing.T) {
		b := open(t)
		write(t, b, o.inserted(first))
		refuse(t, b, unique.Taken, o.inserted(k.named(first, n, home, 2)))
		refuse(t, open(t), unique.Taken, func(ctx context.Context, p store.Ports) error {
			if err := o.insert(ctx, p, first); err != nil {
				return err
			}
			return o.insert(ctx, p, k.named(first, n, home, 2))
		})
		for at, other := range map[string]ferry.Scope{"business": away, "env": live} {
			row := k.named(first, n, other, 3)
			if slices.Contains(unique.Columns, at) {
				write(t, b, o.inserted(row))
				require.Equal(t, k.id(row), k.id(look(t, b, find(row))))
				require.Equal(t, k.id(first), k.id(look(t, b, find(first))))
			} else {
				refuse(t, b, unique.Taken, o.inserted(row))
			}
			b = open(t)
			write(t, b, o.inserted(first))
		}
	})
	t.Run("is had by one of those who take it at once", func(t *testing.T) {
		b, won := open(t), 0
		for _, err := range race(4, func(i int) error { return b.Write(t.Context(), o.inserted(k.named(first, n, home, i+1))) }) {
			if err == nil {
				won++
			} else {
				require.ErrorIs(t, err, unique.Taken)
			}
		}
		require.Equal(t, 1, won)
	})
	changed := k.changed(o.stored(first, 1))
	if !k.holds(changed, n) {
		t.Run("ends when its row changes", func(t *testing.T) {
			b := open(t)
			write(t, b, o.inserted(first))
			write(t, b, o.updated(changed))
			missing(t, b, k.kind.Missing, fails(find(first)))
			write(t, b, o.inserted(k.named(first, n, home, 2)))
			require.Equal(t, k.id(k.row(home, 2)), k.id(look(t, b, find(first))))
		})
	}
	if unique.Kept || !k.moves(unique) {
		return
	}
	t.Run("moves with its row, and is refused when another has it", func(t *testing.T) {
		b, second := open(t), k.row(home, 2)
		write(t, b, o.inserted(first))
		write(t, b, o.inserted(second))
		taking := k.rename(o.stored(second, 1), first, n)
		refuse(t, b, unique.Taken, o.updated(taking))
		moving := k.rename(o.stored(second, 1), k.row(home, 3), n)
		write(t, b, o.updated(moving))
		require.Equal(t, o.stored(moving, 2), look(t, b, find(k.row(home, 3))))
		missing(t, b, k.kind.Missing, func(ctx context.Context, p store.Ports) error {
			_, err := find(second)(ctx, p)
			return err
		})
	})
}

// moves reports whether an update can give a row another name among those of its owner.
func (k kindCase[K, R]) moves(u *records.Unique) bool {
	return !slices.ContainsFunc(u.Columns, func(column string) bool {
		return column != "env" && column != "business" && k.kind.IsFixed(column)
	})
}

// rename gives a row a unique name of another one.
func (k kindCase[K, R]) rename(row, like R, unique int) R {
	from, to := k.kind.Borrow(like), k.kind.Borrow(row)
	defer k.kind.Release(from, to)
	for _, name := range k.kind.Unique[unique].Columns {
		k.cell(to, name).Copy(k.cell(from, name))
	}
	return k.kind.Row(to)
}

// testNoName is about rows that do not match what a name requires.
func (k kindCase[K, R]) testNoName(t *testing.T, open func(*testing.T) store.Backend, n int) {
	b, o, first := open(t), k.owned(), k.row(home, 1)
	write(t, b, o.inserted(first))
	write(t, b, o.inserted(k.named(first, n, home, 2)))
	missing(t, b, k.kind.Missing, func(ctx context.Context, p store.Ports) error {
		_, err := k.kind.Find(ctx, p, k.kind.Unique[n], first)
		return err
	})
}

// holds reports whether a row has its n-th unique name.
func (k kindCase[K, R]) holds(row R, n int) bool {
	b := k.kind.Borrow(row)
	defer k.kind.Release(b)
	return k.kind.Holds(b, n)
}

// changed is a row with what changes, as an update keeps it.
func (k kindCase[K, R]) changed(row R) R {
	to := row
	k.change(&to)
	from, b := k.kind.Borrow(row), k.kind.Borrow(to)
	defer k.kind.Release(from, b)
	k.kind.Keep(from, b)
	return k.kind.Row(b)
}
