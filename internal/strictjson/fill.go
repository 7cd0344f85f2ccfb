package strictjson

import (
	"bytes"
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

// fill decodes a checked document and gathers members of the wrong type.
func fill(data []byte, v any) ([]Problem, error) {
	f := fillers.Get().(*filler) //nolint:forcetypeassert // the pool holds nothing else
	defer fillers.Put(f)
	f.problems = nil
	err := json.Unmarshal(data, v, f.options)
	return f.problems, err
}

// filler stands before the decoder at every Go value. It takes over where the
// decoder would be lenient or lossy, and notes a value of the wrong type
// instead of failing, so that the error names all of them.
type filler struct {
	options  json.Options
	problems []Problem
}

// fillers are kept, because their options remember the types they have seen.
var fillers = sync.Pool{New: func() any {
	f := new(filler)
	f.options = json.JoinOptions(json.WithUnmarshalers(json.UnmarshalFromFunc(f.fill)), jsontext.AllowDuplicateNames(true))
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
		return f.anything(d, kind, t)
	case *Literal:
		if kind != '0' && kind != '"' {
			return f.refuse(d, NotLiteral)
		}
		text, _, err := f.text(d)
		*t = Literal(text)
		return err
	}
	return f.typed(d, kind, reflect.ValueOf(target).Elem())
}

// typed compares the next value with the target's type.
func (f *filler) typed(d *jsontext.Decoder, kind jsontext.Kind, target reflect.Value) error {
	switch target.Kind() {
	case reflect.String:
		if kind != '"' {
			return f.refuse(d, NotString)
		}
		text, _, err := f.text(d)
		target.SetString(text)
		return err
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
	literal, kept, err := f.text(d)
	if err != nil || !kept {
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
	if len(f.problems) == MaxProblems {
		return
	}
	f.problems = append(f.problems, Problem{dotted(d.StackPointer()), reason})
}

// Nested stands for an object or array in an any. What is in it is not kept.
type Nested struct{}

// anything decodes a value of unknown type without a float: numbers keep their text.
func (f *filler) anything(d *jsontext.Decoder, kind jsontext.Kind, target *any) error {
	switch kind {
	case '0':
		text, _, err := f.text(d)
		*target = stdjson.Number(text)
		return err
	case '"':
		text, _, err := f.text(d)
		*target = text
		return err
	case '{', '[':
		*target = Nested{}
		return d.SkipValue()
	}
	return errors.ErrUnsupported
}

// text reads a string without its quotes, or a number as it was written. One that is
// too long is noted, and not kept.
func (f *filler) text(d *jsontext.Decoder) (text string, kept bool, err error) {
	raw, err := d.ReadValue()
	switch {
	case err != nil:
		return "", false, err
	case len(raw) > MaxText:
		f.note(d, LongText)
		return "", false, nil
	case raw[0] != '"':
		return string(raw), true, nil
	case bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : len(raw)-1]), true, nil
	}
	unquoted, err := jsontext.AppendUnquote(nil, raw)
	return string(unquoted), err == nil, err
}
