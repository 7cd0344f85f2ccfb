package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// named is the n-th row of a scope with a unique name of another row.
func (k tested) named(like any, unique int, scope ferry.Scope, n int) any {
	return k.copied(like, k.row(scope, n), k.own(unique))
}

// own is the columns of a unique name but those that say the owner.
func (k tested) own(unique int) []string {
	return slices.DeleteFunc(slices.Clone(k.kind.Unique[unique].Columns), func(column string) bool { return column == "env" || column == "business" })
}

func (k tested) testName(t *testing.T, open func(*testing.T) store.Backend, n int) {
	unique, first := k.kind.Unique[n], k.row(home, 1)
	if !k.holds(first, n) {
		t.Run("is none of other rows", func(t *testing.T) { k.testNoName(t, open, n) })
		return
	}
	find := func(like any) func(context.Context, store.Ports) (any, error) {
		return func(ctx context.Context, p store.Ports) (any, error) { return k.rows.Find(ctx, p, unique, like) }
	}
	t.Run("leads to its row, and no other name does", func(t *testing.T) {
		b := open(t)
		write(t, b, k.inserted(first))
		require.Equal(t, k.stored(first, 1), look(t, b, find(first)))
		missing(t, b, k.kind.Missing, fails(find(k.row(home, 2))))
	})
	t.Run("is another one when one column differs, if only by the case of its letters", func(t *testing.T) {
		for _, column := range k.own(n) {
			for _, text := range k.otherTexts(first, column) {
				b, other := open(t), k.with(first, column, text)
				write(t, b, k.inserted(first))
				missing(t, b, k.kind.Missing, fails(find(other)))
				second := k.named(other, n, home, 2)
				write(t, b, k.inserted(second))
				require.Equal(t, k.id(second), k.id(look(t, b, find(other))))
				require.Equal(t, k.id(first), k.id(look(t, b, find(first))))
			}
		}
	})
	t.Run("is taken once among those whose owners it names", func(t *testing.T) {
		b := open(t)
		write(t, b, k.inserted(first))
		refuse(t, b, unique.Taken, k.inserted(k.named(first, n, home, 2)))
		refuse(t, open(t), unique.Taken, func(ctx context.Context, p store.Ports) error {
			if err := k.insert(ctx, p, first); err != nil {
				return err
			}
			return k.insert(ctx, p, k.named(first, n, home, 2))
		})
		for at, other := range map[string]ferry.Scope{"business": away, "env": live} {
			row := k.named(first, n, other, 3)
			if slices.Contains(unique.Columns, at) {
				write(t, b, k.inserted(row))
				require.Equal(t, k.id(row), k.id(look(t, b, find(row))))
				require.Equal(t, k.id(first), k.id(look(t, b, find(first))))
			} else {
				refuse(t, b, unique.Taken, k.inserted(row))
			}
			b = open(t)
			write(t, b, k.inserted(first))
		}
	})
	t.Run("is refused in the words of whoever inserts", func(t *testing.T) {
		b, mine := open(t), errors.New("mine")
		write(t, b, k.inserted(first))
		refuse(t, b, mine, func(ctx context.Context, p store.Ports) error {
			return k.rows.InsertAs(ctx, p, k.named(first, n, home, 2), func(err error) error {
				require.ErrorIs(t, err, unique.Taken)
				return mine
			})
		})
	})
	t.Run("is had by one of those who take it at once", func(t *testing.T) {
		b := open(t)
		one(t, 4, unique.Taken, func(i int) error { return b.Write(t.Context(), k.inserted(k.named(first, n, home, i+1))) })
	})
	changed := k.changed(k.stored(first, 1))
	if !k.holds(changed, n) {
		t.Run("ends when its row changes", func(t *testing.T) {
			b := open(t)
			write(t, b, k.inserted(first))
			write(t, b, k.updated(changed))
			missing(t, b, k.kind.Missing, fails(find(first)))
			write(t, b, k.inserted(k.named(first, n, home, 2)))
			require.Equal(t, k.id(k.row(home, 2)), k.id(look(t, b, find(first))))

			b = open(t)
			write(t, b, k.inserted(first))
			write(t, b, all(k.updated(changed), k.inserted(k.named(first, n, home, 2))))
			require.Equal(t, k.id(k.row(home, 2)), k.id(look(t, b, find(first))))
		})
	}
	if !k.moves(n) {
		return
	}
	t.Run("moves with its row, in the unit that moves it already, and not in one that fails", func(t *testing.T) {
		b, second := open(t), k.row(home, 2)
		write(t, b, all(k.inserted(first), k.inserted(second)))
		refuse(t, b, unique.Taken, k.updated(k.copied(first, k.stored(second, 1), unique.Columns)))
		moving, taker := k.copied(k.row(home, 3), k.stored(second, 1), unique.Columns), k.named(second, n, home, 4)
		move := func(ctx context.Context, p store.Ports) error {
			if err := k.rows.Update(ctx, p, moving); err != nil {
				return err
			}
			require.ErrorIs(t, fails(find(second))(ctx, p), k.kind.Missing)
			if err := k.insert(ctx, p, taker); err != nil {
				return err
			}
			found, err := find(second)(ctx, p)
			require.Equal(t, k.id(taker), k.id(found))
			return err
		}
		refuse(t, b, errFail, all(move, failed))
		refuse(t, b, unique.Taken, k.inserted(taker))
		write(t, b, move)
		require.Equal(t, k.stored(moving, 2), look(t, b, find(k.row(home, 3))))
		require.Equal(t, k.id(taker), k.id(look(t, b, find(second))))
	})
	nameless := func(row any) any { return k.copied(k.rows.none(), row, k.own(n)) }
	if _, named := k.kind.NameLike(k.bound(nameless(first)), n); named {
		return
	}
	t.Run("may come later", func(t *testing.T) {
		b := open(t)
		write(t, b, all(k.inserted(nameless(first)), k.inserted(nameless(k.row(home, 2)))))
		write(t, b, k.updated(k.stored(first, 1)))
		require.Equal(t, k.stored(first, 2), look(t, b, find(first)))
	})
}

// otherTexts is what else could stand in a column of a unique name.
func (k tested) otherTexts(row any, column string) (texts []string) {
	b := k.bound(row)
	text, _ := k.cell(b, column).Key()
	if slices.Contains(k.kind.WordColumns(), column) || k.cell(b, column).(interface{ Type() string }).Type() == "text, folded; written only" {
		return nil
	}
	if marked, is := k.cell(b, column).(records.MarkedValue); is {
		texts = append(texts, marked.Mark()+text)
	}
	upper := strings.ToUpper(text)
	if upper == text {
		upper += "x"
	}
	return append(texts, upper)
}

// moves reports whether an update can give a row another name among those of its owner.
func (k tested) moves(n int) bool {
	return !k.kind.Unique[n].Kept && !slices.ContainsFunc(k.own(n), k.kind.IsFixed)
}

// testNoName is about rows that do not match what a name requires.
func (k tested) testNoName(t *testing.T, open func(*testing.T) store.Backend, n int) {
	b, first := open(t), k.row(home, 1)
	write(t, b, k.inserted(first))
	write(t, b, all(k.inserted(k.named(first, n, home, 2)), k.inserted(k.named(first, n, home, 3))))
	missing(t, b, k.kind.Missing, func(ctx context.Context, p store.Ports) error {
		_, err := k.rows.Find(ctx, p, k.kind.Unique[n], first)
		return err
	})
}

// holds reports whether a row has its n-th unique name.
func (k tested) holds(row any, n int) bool {
	b := k.rows.borrow(row)
	defer k.kind.Release(b)
	return k.kind.Holds(b, n)
}

// changed is a row with what changes, as an update keeps it.
func (k tested) changed(row any) any {
	to := row
	to = k.change(to)
	from, b := k.rows.borrow(row), k.rows.borrow(to)
	defer k.kind.Release(from, b)
	k.kind.Keep(from, b)
	return k.rows.of(b)
}
