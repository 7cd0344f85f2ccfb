package storetest

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// testChanges checks which row an update reaches, and which of its fields.
func (o owned[R]) testChanges(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an update under another scope is refused and changes nothing", func(t *testing.T) {
		b, row := open(t), o.row(home, 1)
		write(t, b, o.inserted(row))
		stored := look(t, b, o.in(home, row))
		for _, scope := range o.elsewhere() {
			foreign := stored
			o.change(&foreign)
			if o.given != nil {
				o.given(&foreign, scope)
			} else {
				fieldOf(&foreign, "Scope").Set(reflect.ValueOf(scope))
			}
			refuse(t, b, o.missing, o.updated(foreign))
		}
		require.Equal(t, stored, look(t, b, o.in(home, row)))
	})
	t.Run("an update changes every field but those that are fixed", func(t *testing.T) {
		b := open(t)
		write(t, b, o.inserted(o.row(home, 1)))
		stored := look(t, b, o.in(home, o.row(home, 1)))
		changed := o.differing(stored)
		o.change(&changed)
		write(t, b, o.updated(changed))
		want := o.stored(changed, *o.version(&stored)+1)
		if o.keep != nil {
			o.keep(t, stored, &want)
		}
		for _, name := range o.fixed {
			fixed := fieldOf(&stored, name)
			require.NotEqual(t, fixed.Interface(), fieldOf(&want, name).Interface(), "%s is the same", name)
			fieldOf(&want, name).Set(fixed)
		}
		require.Equal(t, want, look(t, b, o.in(home, stored)))
	})
}

// differing returns a row that has another value in every field, except those that
// name it.
func (o owned[R]) differing(row R) R {
	same := append([]string{"Scope", "Version"}, o.keys...)
	if len(o.keys) == 0 {
		same = append(same, "ID")
	}
	differ(reflect.ValueOf(&row).Elem(), same)
	return row
}

func fieldOf[R any](row *R, name string) reflect.Value {
	return reflect.ValueOf(row).Elem().FieldByName(name)
}

// differ gives a value and all its fields another value, but leaves out fields of its
// own that have some names.
func differ(v reflect.Value, except []string) {
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		*at = at.Add(time.Hour)
		return
	case *money.Amount:
		*at = money.Of(at.Asset(), at.Minor()+1)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			switch {
			case slices.Contains(except, field.Name):
			case field.Anonymous:
				differ(v.Field(i), except)
			default:
				differ(v.Field(i), nil)
			}
		}
	case reflect.Slice:
		v.Set(differingSlice(v))
	case reflect.Map:
		v.SetZero()
	default:
		differScalar(v)
	}
}

// differingSlice returns a slice with its first element once more.
func differingSlice(v reflect.Value) reflect.Value {
	twice := reflect.MakeSlice(v.Type(), 0, v.Len()+1)
	return reflect.Append(reflect.AppendSlice(twice, v), v.Index(0))
}

func differScalar(v reflect.Value) {
	switch {
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
