package records

import "reflect"

// Size returns about how many bytes the texts, byte strings and documents of a row take.
func (k *Shape) Size(b *Bound) (size int) {
	for _, c := range b.Cells {
		if v, has := c.Value.(interface{ size() int }); has {
			size += v.size()
		}
	}
	return size
}

func (v textValue[T]) size() int     { return len(*v.at) }
func (v optionalValue[T]) size() int { return len(*v.at) }
func (v bytesValue) size() int       { return len(*v.at) }
func (v MarkedValue) size() int      { return len(*v.at) }
func (v documentValue[T]) size() int { return sizeOf(reflect.ValueOf(v.at).Elem()) }

// sizeOf returns about how many bytes a value takes, with what it points to.
func sizeOf(v reflect.Value) (size int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			size = sizeOf(v.Elem())
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next(); {
			size += sizeOf(each.Key()) + sizeOf(each.Value())
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Len()
		}
		for i := range v.Len() {
			size += sizeOf(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanInterface() { // exported
				size += sizeOf(f)
			}
		}
	default:
		size = int(v.Type().Size())
	}
	return size + 8
}
