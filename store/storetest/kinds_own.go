package storetest

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// testOwn is about maps, slices and pointers in rows: those of a program and those of a
// store are not the same.
func (k tested) testOwn(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	written := k.row(home, 1)
	write(t, b, k.inserted(written))
	scramble(reflect.ValueOf(&written))
	want := k.stored(k.row(home, 1), 1)
	require.Equal(t, want, look(t, b, k.in(home, want)), "after a change of what was written")
	q := records.Where(k.listed(want, k.kind.Key[:len(k.kind.Key)-1])...)
	write(t, b, func(ctx context.Context, p store.Ports) error {
		got, err := k.in(home, want)(ctx, p)
		if err != nil {
			return err
		}
		scramble(reflect.ValueOf(&got))
		rows, err := k.rows.After(ctx, p, q, "", 9)
		scramble(reflect.ValueOf(&rows))
		if len(k.kind.Lists) > 0 {
			var list ferry.List[any]
			list, err = k.rows.Page(ctx, p, home, records.Where(k.listed(want, k.kind.Lists[0])...), ferry.Page{Limit: 9})
			scramble(reflect.ValueOf(&list))
		}
		if err != nil {
			return err
		}
		again, err := k.in(home, want)(ctx, p)
		require.Equal(t, want, again, "within a unit, after a change of what was read")
		return err
	})
	require.Equal(t, want, look(t, b, k.in(home, want)), "after a change of what was read")
	k.testOwnAdded(t, open(t))
}

// testOwnAdded is about the row that Add returns.
func (k tested) testOwnAdded(t *testing.T, b store.Backend) {
	want := k.row(home, 1)
	var added any
	write(t, b, func(ctx context.Context, p store.Ports) (err error) {
		if k.before != nil {
			if err := k.before(ctx, p, want); err != nil {
				return err
			}
		}
		added, err = k.rows.Add(ctx, p, want)
		return err
	})
	stored := look(t, b, k.in(home, want))
	scramble(reflect.ValueOf(&added))
	require.Equal(t, stored, look(t, b, k.in(home, want)), "after a change of what Add returned")
}

// scramble empties all that a value points to.
func scramble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			scramble(v.Elem())
			v.Elem().SetZero()
		}
	case reflect.Interface:
		if !v.IsNil() {
			scramble(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scramble(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			scramble(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			scramble(v.MapIndex(key))
			v.SetMapIndex(key, reflect.Value{})
		}
	}
}
