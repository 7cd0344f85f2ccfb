package records

import (
	"bytes"
	"reflect"
	"sync"
)

// sharing is a value that points to what two copies of a row would share.
type sharing interface {
	// part gives the row what it points to for itself.
	part()
}

func (v bytesValue) part() { *v.at = bytes.Clone(*v.at) }

func (v documentValue[T]) part() {
	if of, is := any(*v.at).(interface{ Clone() T }); is { // as metadata, which most rows have
		*v.at = of.Clone()
		return
	}
	unshare(reflect.ValueOf(v.at).Elem())
}

// part makes a row share nothing with the row that it is a copy of.
func (k *Shape) part(b *Bound) {
	for _, at := range k.sharing {
		b.Cells[at].Value.(sharing).part()
	}
}

// Own returns a copy of a stored row that shares nothing with it: whoever changes the copy
// changes no store.
func (k *Kind[K, R]) Own(stored any) R {
	if len(k.sharing) == 0 {
		return *stored.(*R)
	}
	b := k.Bind(stored)
	defer k.Release(b)
	k.part(b)
	return k.Row(b)
}

// OwnAll is Own of many stored rows.
func (k *Kind[K, R]) OwnAll(stored []any) []R {
	rows := make([]R, len(stored))
	for i, row := range stored {
		rows[i] = k.Own(row)
	}
	return rows
}

// unshare gives a value copies of all that it points to. Fields that are not exported stay as
// they are.
func unshare(v reflect.Value) {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
	}
	switch v.Kind() {
	case reflect.Map:
		made := reflect.MakeMapWithSize(v.Type(), v.Len())
		for each := v.MapRange(); each.Next(); {
			made.SetMapIndex(each.Key(), unshared(each.Value()))
		}
		v.Set(made)
	case reflect.Slice:
		made := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(made, v)
		if points(v.Type().Elem()) {
			for i := range v.Len() {
				unshare(made.Index(i))
			}
		}
		v.Set(made)
	case reflect.Pointer:
		made := reflect.New(v.Type().Elem())
		made.Elem().Set(v.Elem())
		unshare(made.Elem())
		v.Set(made)
	case reflect.Interface:
		v.Set(unshared(v))
	case reflect.Struct:
		for _, i := range pointing(v.Type()) {
			unshare(v.Field(i))
		}
	}
}

// unshared returns a copy of a value that shares nothing with it.
func unshared(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if !points(v.Type()) {
		return v
	}
	made := reflect.New(v.Type()).Elem()
	made.Set(v)
	unshare(made)
	return made
}

// points reports whether unshare copies more than a value of the type itself.
func points(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer, reflect.Interface:
		return true
	case reflect.Struct:
		return len(pointing(t)) > 0
	}
	return false
}

// pointing returns which fields of a struct unshare copies more than the values of.
func pointing(t reflect.Type) []int {
	if known, is := pointingFields.Load(t); is {
		return known.([]int)
	}
	var fields []int
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && points(f.Type) {
			fields = append(fields, i)
		}
	}
	pointingFields.Store(t, fields)
	return fields
}

// pointingFields is what pointing has found, by type: asking the type takes longer than the
// copy itself.
var pointingFields sync.Map
