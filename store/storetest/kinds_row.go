package storetest

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// insert adds a row, and before it what it refers to.
func (k tested) insert(ctx context.Context, p store.Ports, row any) error {
	if k.before != nil {
		if err := k.before(ctx, p, row); err != nil {
			return err
		}
	}
	return k.rows.Insert(ctx, p, row)
}

func (k tested) inserted(row any) body {
	return func(ctx context.Context, p store.Ports) error { return k.insert(ctx, p, row) }
}

func (k tested) updated(row any) body {
	return func(ctx context.Context, p store.Ports) error { return k.rows.Update(ctx, p, row) }
}

// in reads a row in a scope, without what the store itself gave.
func (k tested) in(scope ferry.Scope, row any) func(context.Context, store.Ports) (any, error) {
	return func(ctx context.Context, p store.Ports) (any, error) {
		return k.without(k.rows.Get(ctx, p, k.scope(scope), k.id(row)))
	}
}

// stored is the row as it comes back.
func (k tested) stored(row any, version int64) any {
	b := k.rows.borrow(row)
	defer k.kind.Release(b)
	*k.kind.VersionOf(b) = version
	return k.rows.of(b)
}

// testRow checks what holds for a row of every kind.
func (k tested) testRow(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a row comes back as it went in, with version 1", func(t *testing.T) {
		b, row := open(t), k.row(home, 1)
		write(t, b, k.inserted(k.stored(row, 7)))
		require.Equal(t, k.stored(row, 1), look(t, b, k.in(home, row)))
	})
	t.Run("a row comes back without what it went in without, a business too", func(t *testing.T) {
		for _, scope := range []ferry.Scope{home, {Env: home.Env}} {
			b, row := open(t), k.bare(k.row(scope, 1))
			write(t, b, k.inserted(row))
			require.Equal(t, k.stored(row, 1), look(t, b, k.in(k.owner(row), row)))
			if k.owner(row) != k.scope(home) {
				missing(t, b, k.kind.Missing, fails(k.in(home, row)))
			}
		}
	})
	t.Run("nobody else sees it", func(t *testing.T) {
		b, row := open(t), k.row(home, 1)
		write(t, b, k.inserted(row))
		for _, scope := range k.others() {
			missing(t, b, k.kind.Missing, fails(k.in(scope, row)))
		}
		missing(t, b, k.kind.Missing, fails(k.in(home, k.row(home, 2))))
	})
	t.Run("a change raises the version and is seen within the unit", func(t *testing.T) {
		b, row := open(t), k.row(home, 1)
		write(t, b, k.inserted(row))
		row = k.stored(row, 1)
		row = k.change(row)
		write(t, b, func(ctx context.Context, p store.Ports) error {
			if err := k.rows.Update(ctx, p, row); err != nil {
				return err
			}
			seen, err := k.in(home, row)(ctx, p)
			require.Equal(t, k.stored(row, 2), seen)
			return err
		})
		require.Equal(t, k.stored(row, 2), look(t, b, k.in(home, row)))
	})
	t.Run("rows that one unit changes have each what was written to it last", func(t *testing.T) {
		b, rows := open(t), []any{k.row(home, 1), k.row(home, 2), k.bare(k.row(home, 3))}
		if k.before != nil || k.id(rows[0]) == k.id(rows[1]) {
			return // what they refer to, or a scope, has only one
		}
		for i, row := range rows {
			write(t, b, k.inserted(row))
			rows[i] = look(t, b, k.in(k.owner(row), row))
		}
		once, twice := k.change(rows[0]), k.change(k.stored(rows[1], 2))
		write(t, b, all(k.updated(once), k.updated(rows[1]), k.updated(rows[2]), k.updated(twice)))
		for _, row := range []any{k.stored(once, 2), k.stored(twice, 3), k.stored(rows[2], 2)} {
			require.Equal(t, row, look(t, b, k.in(k.owner(row), row)))
		}
	})
	t.Run("a change of what has moved on is refused", func(t *testing.T) {
		b, row := open(t), k.row(home, 1)
		write(t, b, k.inserted(row))
		row = k.stored(row, 1)
		write(t, b, k.updated(row))
		refuse(t, b, ferry.ErrStale, k.updated(row))
	})
	t.Run("a change of what is not there is refused", func(t *testing.T) {
		refuse(t, open(t), k.kind.Missing, k.updated(k.stored(k.row(home, 1), 1)))
	})
	t.Run("an update under another scope is refused and changes nothing", func(t *testing.T) {
		b, row := open(t), k.row(home, 1)
		write(t, b, k.inserted(row))
		stored := look(t, b, k.in(home, row))
		for _, scope := range k.others() {
			foreign := stored
			foreign = k.change(foreign)
			refuse(t, b, k.kind.Missing, k.updated(k.givenTo(foreign, scope)))
		}
		require.Equal(t, stored, look(t, b, k.in(home, row)))
	})
	t.Run("an update changes every field but those that are fixed, within the unit too", func(t *testing.T) {
		b := open(t)
		write(t, b, k.inserted(k.row(home, 1)))
		stored := look(t, b, k.in(home, k.row(home, 1)))
		changed := k.differing(stored)
		changed = k.change(changed)
		want := k.kept(t, stored, k.stored(changed, 2))
		write(t, b, all(k.updated(changed), func(ctx context.Context, p store.Ports) error {
			seen, err := k.in(home, stored)(ctx, p)
			require.Equal(t, want, seen)
			return err
		}))
		require.Equal(t, want, look(t, b, k.in(home, stored)))
	})
	t.Run("a unit that fails leaves no row", func(t *testing.T) {
		b, row := open(t), k.row(home, 1)
		refuse(t, b, errFail, all(k.inserted(row), failed))
		missing(t, b, k.kind.Missing, fails(k.in(home, row)))
		write(t, b, k.inserted(row))
	})
	readOnly(t, open, map[string]body{
		"an insert": k.inserted(k.row(home, 1)),
		"an update": k.updated(k.row(home, 1)),
	})
}

// differing returns a row that has another value in every field, except those by which an
// update finds it.
func (k tested) differing(row any) any {
	changed := reworked(row, differ)
	same := append([]string{"env", "business", "version"}, k.kind.Key...)
	return k.copied(row, changed, slices.DeleteFunc(same, func(column string) bool { return !k.has(column) }))
}

// bare is a row with all fields empty but its key, owner, words and creation.
func (k tested) bare(row any) any {
	bare := reworked(row, empty)
	needed := append([]string{"env", "business", "created_at", "updated_at"}, slices.Concat(k.kind.WordColumns(), k.kind.Key, k.needed)...)
	return k.copied(row, bare, slices.DeleteFunc(needed, func(column string) bool { return !k.has(column) }))
}

// reworked is a copy of a row after a function got it.
func reworked(row any, by func(reflect.Value)) any {
	copied := reflect.New(reflect.TypeOf(row)).Elem()
	copied.Set(reflect.ValueOf(row))
	by(copied)
	return copied.Interface()
}

// empty empties a value and all its fields. Amounts keep their asset.
func empty(v reflect.Value) {
	switch at := v.Addr().Interface().(type) {
	case *money.Amount:
		*at = money.Of(at.Asset(), 0)
		return
	case *time.Time:
		*at = time.Time{}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			empty(v.Field(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	default:
		v.SetZero()
	}
}

// differ gives a value and all its fields another value.
func differ(v reflect.Value) {
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		*at = at.Add(time.Hour)
		return
	case *money.Amount:
		*at = money.Of(at.Asset(), at.Minor()+1)
		return
	}
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			differ(v.Field(i))
		}
	case v.Kind() == reflect.Slice: // its first element once more
		twice := reflect.MakeSlice(v.Type(), 0, v.Len()+1)
		v.Set(reflect.Append(reflect.AppendSlice(twice, v), v.Index(0)))
	case v.Kind() == reflect.Map:
		v.SetZero()
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() + 1)
	}
}
