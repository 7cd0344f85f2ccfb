package records

import (
	"bytes"
	"maps"
	"reflect"

	"github.com/ferrypay/ferry"
)

// sharing is a value that points to what two copies of a row would share.
type sharing interface {
	// part gives the row what it points to for itself.
	part()
}

func (v bytesValue) part() { *v.at = bytes.Clone(*v.at) }
func (v jsonValue) part()  { *v.at = bytes.Clone(*v.at) }

func (v documentValue[T]) part() {
	if v.absent() {
		return
	}
	if metadata, is := any(v.at).(*ferry.Metadata); is { // in most rows; its values point to nothing
		*metadata = maps.Clone(*metadata)
		return
	}
	*v.at = clone(reflect.ValueOf(*v.at)).Interface().(T)
}

// part makes a row share nothing with the row that it is a copy of.
func (k *Shape) part(b *Bound) {
	for _, at := range k.sharing {
		b.Cells[at].Value.(sharing).part()
	}
}

// own returns a copy of a stored row that shares nothing with it: whoever changes the copy
// changes no store.
func (k *Kind[K, R]) own(stored any) R {
	if len(k.sharing) == 0 {
		return *stored.(*R)
	}
	b := k.Bind(stored)
	defer k.Release(b)
	k.part(b)
	return k.Row(b)
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
	made := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Map:
		made.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for key, value := range v.Seq2() {
			made.SetMapIndex(key, clone(value))
		}
	case reflect.Slice:
		made.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			made.Index(i).Set(clone(v.Index(i)))
		}
	case reflect.Pointer:
		made.Set(reflect.New(v.Type().Elem()))
		made.Elem().Set(clone(v.Elem()))
	case reflect.Interface:
		made.Set(clone(v.Elem()))
	case reflect.Struct:
		made.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				made.Field(i).Set(clone(v.Field(i)))
			}
		}
	default:
		return v
	}
	return made
}
