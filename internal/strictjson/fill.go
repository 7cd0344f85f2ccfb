package strictjson

import (
	stdjson "encoding/json"
	"errors"
	"reflect"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Literal is a JSON number or string, kept as it was written: "25.50" and 25.50
// are the same Literal. It is how amounts reach package money unrounded.
type Literal string

// filler stands before the decoder at every Go value. It takes over where the
// decoder would be lenient or lossy, and notes a value of the wrong type
// instead of failing, so that a caller hears of all of them at once.
type filler struct {
	options  json.Options
	problems []Problem
}

// fillers are kept, because their options remember the types they have seen.
var fillers = sync.Pool{New: func() any {
	f := new(filler)
	f.options = json.WithUnmarshalers(json.UnmarshalFromFunc(f.fill))
	return f
}}

// fill decodes the next value into target, or returns errors.ErrUnsupported to
// leave it to the decoder.
func (f *filler) fill(d *jsontext.Decoder, target any) error {
	kind := d.PeekKind()
	if kind == 'n' {
		return errors.ErrUnsupported
	}
	switch t := target.(type) {
	case *any:
		return anything(d, kind, t)
	case *Literal:
		if kind != '0' && kind != '"' {
			return f.refuse(d, NotLiteral)
		}
		text, err := text(d)
		*t = Literal(text)
		return err
	}
	return f.typed(d, kind, reflect.ValueOf(target).Elem())
}

// typed compares the next value with the target's type.
func (f *filler) typed(d *jsontext.Decoder, kind jsontext.Kind, target reflect.Value) error {
	switch target.Kind() {
	case reflect.String:
		return f.expect(d, kind == '"', NotString)
	case reflect.Bool:
		return f.expect(d, kind == 't' || kind == 'f', NotBoolean)
	case reflect.Struct, reflect.Map:
		return f.expect(d, kind == '{', NotObject)
	case reflect.Slice:
		return f.expect(d, kind == '[', NotArray)
	case reflect.Int, reflect.Int64:
		return f.whole(d, kind, target)
	case reflect.Pointer:
		return errors.ErrUnsupported
	}
	return errors.New("strictjson: cannot decode into " + target.Type().String())
}

// whole decodes an integer literal that fits the target.
func (f *filler) whole(d *jsontext.Decoder, kind jsontext.Kind, target reflect.Value) error {
	if kind != '0' {
		return f.refuse(d, NotWhole)
	}
	literal, err := text(d)
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(literal, 10, target.Type().Bits())
	if err != nil {
		f.note(d, NotWhole)
		return nil //nolint:nilerr // it is noted, and the rest is read
	}
	target.SetInt(n)
	return nil
}

func (f *filler) expect(d *jsontext.Decoder, ok bool, reason Reason) error {
	if !ok {
		return f.refuse(d, reason)
	}
	return errors.ErrUnsupported
}

// refuse notes the next value as wrong and goes past it.
func (f *filler) refuse(d *jsontext.Decoder, reason Reason) error {
	err := d.SkipValue()
	f.note(d, reason)
	return err
}

// note refuses the value just read.
func (f *filler) note(d *jsontext.Decoder, reason Reason) {
	f.problems = append(f.problems, Problem{dotted(d.StackPointer()), reason})
}

// anything decodes a value of unknown type without a float: numbers keep their text.
func anything(d *jsontext.Decoder, kind jsontext.Kind, target *any) error {
	switch kind {
	case '0':
		literal, err := text(d)
		*target = stdjson.Number(literal)
		return err
	case '{':
		object := map[string]any{}
		err := json.UnmarshalDecode(d, &object, d.Options())
		*target = object
		return err
	case '[':
		var array []any
		err := json.UnmarshalDecode(d, &array, d.Options())
		*target = array
		return err
	}
	return errors.ErrUnsupported
}

// text reads a number as it was written, or a string without its quotes.
func text(d *jsontext.Decoder) (string, error) {
	token, err := d.ReadToken()
	return token.String(), err
}
