package wire

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// AppendJSON appends the JSON of a value: what encoding/json writes, without escapes for HTML,
// which no client of an API needs. It looks at a type once, and takes what its MarshalJSON
// returns as it is: compact. What answers seldom have, as maps, is left to encoding/json.
func AppendJSON(to []byte, v any) ([]byte, error) {
	if v == nil {
		return append(to, "null"...), nil
	}
	value := reflect.ValueOf(v)
	return writerOf(value.Type())(to, value)
}

// JSON returns what AppendJSON appends.
func JSON(v any) (string, error) {
	return Written(func(to []byte) ([]byte, error) { return AppendJSON(to, v) })
}

// Written returns what a function appends. It takes no more memory than that.
func Written(what func(to []byte) ([]byte, error)) (string, error) {
	room := rooms.Get().(*[]byte) //nolint:forcetypeassert // the pool holds nothing else
	text, err := what((*room)[:0])
	if err != nil {
		return "", err
	}
	exact := string(text)
	if cap(text) <= keptRoom {
		*room = text
		rooms.Put(room)
	}
	return exact, nil
}

// rooms are kept for what is written, because they grow with it.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// keptRoom is the greatest room that is kept after a huge text.
const keptRoom = 64 << 10

// AppendText appends the JSON of a text.
func AppendText(to []byte, text string) ([]byte, error) {
	if !plain(text) && (strings.ContainsFunc(text, escaped) || !utf8.ValidString(text)) {
		return byLibrary(to, reflect.ValueOf(text))
	}
	return append(append(append(to, '"'), text...), '"'), nil
}

// plain reports whether a text has only bytes that stand for themselves.
func plain(text string) bool {
	for i := range len(text) {
		if !stands[text[i]] {
			return false
		}
	}
	return true
}

// stands has the bytes of ASCII that JSON writes as they are.
var stands = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = !escaped(c)
	}
	return table
}()

// escaped reports whether encoding/json escapes a character.
func escaped(c rune) bool {
	return c < ' ' || c == '"' || c == '\\' || c == '\u2028' || c == '\u2029'
}

// writer appends the JSON of a value of its type.
type writer func(to []byte, v reflect.Value) ([]byte, error)

// writers caches the results of newWriter, by type.
var writers sync.Map

func writerOf(t reflect.Type) writer {
	if known, ok := writers.Load(t); ok {
		return known.(writer) //nolint:forcetypeassert // the map holds nothing else
	}
	w := newWriter(t, nil)
	writers.Store(t, w)
	return w
}

// newWriter returns the writer of a type that stands in others. A type that stands in itself
// is left to encoding/json.
func newWriter(t reflect.Type, in []reflect.Type) writer {
	if slices.Contains(in, t) {
		return byLibrary
	}
	in = append(in, t)
	switch kind := t.Kind(); {
	case kind != reflect.Interface && t.Implements(reflect.TypeFor[json.Marshaler]()):
		if kind == reflect.Pointer {
			return orNull(byItself)
		}
		return byItself
	case t == reflect.TypeFor[json.Number]():
		return number
	case hasOwnForm(t):
		return byLibrary
	case kind == reflect.Struct:
		return newStruct(t, in)
	case kind == reflect.Pointer:
		w := newWriter(t.Elem(), in)
		return orNull(func(to []byte, v reflect.Value) ([]byte, error) { return w(to, v.Elem()) })
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return orNull(newList(newWriter(t.Elem(), in)))
	case kind == reflect.Interface:
		return func(to []byte, v reflect.Value) ([]byte, error) { return AppendJSON(to, v.Interface()) }
	case kind == reflect.String:
		return func(to []byte, v reflect.Value) ([]byte, error) { return AppendText(to, v.String()) }
	case kind == reflect.Map:
		return orNull(newMap(t))
	case kind == reflect.Bool:
		return func(to []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(to, v.Bool()), nil }
	case reflect.Int <= kind && kind <= reflect.Int64:
		return func(to []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(to, v.Int(), 10), nil }
	}
	return byLibrary
}

// hasOwnForm reports whether encoding/json treats a type otherwise than others of its kind.
func hasOwnForm(t reflect.Type) bool {
	pointer := reflect.PointerTo(t)
	return pointer.Implements(reflect.TypeFor[json.Marshaler]()) || pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// number writes digits and a point as they are, as those of an amount, and leaves other
// numbers to encoding/json.
func number(to []byte, v reflect.Value) ([]byte, error) {
	text := v.String()
	before, after, pointed := strings.Cut(text, ".")
	whole := before == "0" || before != "" && before[0] != '0'
	if !whole || !digits(before) || !digits(after) || pointed && after == "" {
		return byLibrary(to, v)
	}
	return append(to, text...), nil
}

func digits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// newMap writes a map without entries, as metadata mostly are, and leaves others to
// encoding/json.
func newMap(t reflect.Type) writer {
	if key := t.Key().Kind(); key != reflect.String {
		return byLibrary
	}
	return func(to []byte, v reflect.Value) ([]byte, error) {
		if v.Len() == 0 {
			return append(to, "{}"...), nil
		}
		return byLibrary(to, v)
	}
}

// orNull writes null for nil.
func orNull(w writer) writer {
	return func(to []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(to, "null"...), nil
		}
		return w(to, v)
	}
}

// boxed is a value in an interface. It copies nothing: what has an address comes as a pointer
// to it, which has the same JSON.
func boxed(v reflect.Value) any {
	if v.CanAddr() && v.Kind() != reflect.Pointer {
		return v.Addr().Interface()
	}
	return v.Interface()
}

func byItself(to []byte, v reflect.Value) ([]byte, error) {
	text, err := boxed(v).(json.Marshaler).MarshalJSON() //nolint:forcetypeassert // newWriter has looked
	return append(to, text...), err
}

func byLibrary(to []byte, v reflect.Value) ([]byte, error) {
	text := writing{to}
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(boxed(v))
	return bytes.TrimSuffix(text.to, []byte("\n")), err
}

type writing struct{ to []byte }

func (w *writing) Write(text []byte) (int, error) {
	w.to = append(w.to, text...)
	return len(text), nil
}

func newList(element writer) writer {
	return func(to []byte, v reflect.Value) (_ []byte, err error) {
		to = append(to, '[')
		for i := range v.Len() {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = element(to, v.Index(i)); err != nil {
				return to, err
			}
		}
		return append(to, ']'), nil
	}
}
