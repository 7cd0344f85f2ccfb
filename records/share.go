package records

import (
	"bytes"
	"reflect"
)

// sharing is a value that points to what two copies of a row would share.
type sharing interface {
	// part gives the row what it points to for itself.
	part()
}

func (v bytesValue) part() { *v.at = bytes.Clone(*v.at) }
func (v jsonValue) part()  { *v.at = bytes.Clone(*v.at) }

func (v documentValue[T]) part() {
	at := reflect.ValueOf(v.at).Elem()
	at.Set(clone(at))
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

// clone returns a copy of a value with copies of all that it points to. Fields that are not
// exported are copied as they are.
func clone(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
	}
	switch v.Kind() {
	case reflect.Map:
		made := reflect.MakeMapWithSize(v.Type(), v.Len())
		for each := v.MapRange(); each.Next(); {
			made.SetMapIndex(each.Key(), clone(each.Value()))
		}
		return made
	case reflect.Slice:
		made := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(made, v)
		if points(v.Type().Elem()) {
			for i := range v.Len() {
				made.Index(i).Set(clone(v.Index(i)))
			}
		}
		return made
	case reflect.Pointer:
		made := reflect.New(v.Type().Elem())
		made.Elem().Set(clone(v.Elem()))
		return made
	case reflect.Interface:
		return clone(v.Elem())
	case reflect.Struct:
		made := reflect.New(v.Type()).Elem()
		made.Set(v)
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && points(f.Type) {
				made.Field(i).Set(clone(v.Field(i)))
			}
		}
		return made
	}
	return v
}

// points reports whether clone copies more than a value of the type itself.
func points(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer, reflect.Interface:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && points(f.Type) {
				return true
			}
		}
	}
	return false
}
