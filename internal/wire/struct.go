package wire

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
)

// member is a member of the object that a struct is in JSON.
type member struct {
	// name is its name with the colon, as it is written.
	name []byte
	// index leads to its field.
	index []int
	// omitted reports whether a value is left out, or is nil.
	omitted func(reflect.Value) bool
	write   writer
}

// newStruct returns the writer of a struct. One whose tags or embedded types are out of the
// common is left to encoding/json.
func newStruct(t reflect.Type, in []reflect.Type) writer {
	members, common := membersOf(t, in)
	if !common {
		return byLibrary
	}
	return func(to []byte, v reflect.Value) (_ []byte, err error) {
		to = append(to, '{')
		begin := len(to)
		for i := range members {
			m := &members[i]
			value := v.Field(m.index[0])
			if len(m.index) > 1 {
				value = value.FieldByIndex(m.index[1:])
			}
			if m.omitted != nil && m.omitted(value) {
				continue
			}
			if len(to) > begin {
				to = append(to, ',')
			}
			if to, err = m.write(append(to, m.name...), value); err != nil {
				return to, err
			}
		}
		return append(to, '}'), nil
	}
}

// membersOf returns the members of a struct, those of embedded ones in their place, and
// reports whether there is nothing in it that is out of the common.
func membersOf(t reflect.Type, in []reflect.Type) (members []member, common bool) {
	for _, f := range reflect.VisibleFields(t) {
		tag := f.Tag.Get("json")
		name, option, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous && (f.Type.Kind() != reflect.Struct || tag != ""):
			return nil, false
		case f.Anonymous, !f.IsExported(), tag == "-":
			continue
		}
		m := member{index: f.Index, write: newWriter(f.Type, in)}
		if name == "" {
			name = f.Name
		}
		quoted, _ := AppendText(nil, name) // a text has no error
		m.name = append(quoted, ':')
		_, zeroByItself := f.Type.MethodByName("IsZero")
		switch {
		case option == "":
		case option == "omitempty":
			m.omitted = isEmpty
		case option == "omitzero" && !zeroByItself:
			m.omitted = reflect.Value.IsZero
		default:
			return nil, false
		}
		if slices.ContainsFunc(members, func(other member) bool { return bytes.Equal(other.name, m.name) }) {
			return nil, false
		}
		members = append(members, m)
	}
	return members, true
}

// isEmpty reports whether omitempty leaves a value out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
