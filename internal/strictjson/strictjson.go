// Package strictjson reads the JSON of requests into input structs and refuses
// whatever two readers could understand differently: invalid UTF-8, more than
// one document, duplicate names, deep nesting, control characters in text
// (docs/api.md, "Conventions"). Names are case-sensitive and unknown members
// are ignored. Numbers never pass through a float.
package strictjson

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// The bounds of a document, so that no document costs much more than its size.
const (
	// MaxDepth is the greatest depth of nested objects and arrays.
	MaxDepth = 32
	// MaxMembers is the greatest number of members of an object.
	MaxMembers = 64
	// MaxName is the greatest length of a name in bytes.
	MaxName = 1000
	// MaxText is the greatest length of a text or number that is asked for, in bytes as
	// JSON writes it: more than 500 characters of any kind.
	MaxText = 8 << 10
	// MaxElements is the greatest number of elements of an array.
	MaxElements = 1000
)

// The bounds of an Error.
const (
	// MaxProblems is how many problems of a document are named: the first ones.
	MaxProblems = 20
	// MaxPath is the greatest length of a path in bytes. A longer one is cut and ends
	// with an ellipsis.
	MaxPath = 200
)

// Error refuses a document and says what is wrong with it: one problem for which
// it could not be read at all, or the members with a wrong value.
type Error struct {
	Problems []Problem
	// Unread says that nothing was decoded.
	Unread bool
}

// Problem is one thing that is wrong with a document.
type Problem struct {
	// Path names a member, as in "items.0.amount". It is empty when the
	// document as a whole is wrong.
	Path   string
	Reason Reason
}

// Reason is a stable text for people, fit for an answer.
type Reason string

const (
	// NotUTF8: some bytes are not UTF-8.
	NotUTF8 Reason = "Must be valid UTF-8"
	// NotJSON: the text breaks the grammar.
	NotJSON Reason = "Must be valid JSON"
	// Trailing: something follows the document.
	Trailing Reason = "Must be a single JSON document"
	// Duplicate: the name stands twice in its object.
	Duplicate Reason = "Must not be given twice"
	// TooDeep: objects and arrays nest deeper than MaxDepth.
	TooDeep Reason = "Must not be nested deeper than 32 levels"
	// TooManyMembers: an object has more than MaxMembers.
	TooManyMembers Reason = "Must have at most 64 members"
	// LongName: a name is longer than MaxName.
	LongName Reason = "Must not have a name of more than 1000 bytes"
	// LongText: a text or a number is longer than MaxText.
	LongText Reason = "Must not be longer than 8192 bytes"
	// TooManyElements: an array has more than MaxElements.
	TooManyElements Reason = "Must have at most 1000 elements"
	// ControlCharacter: a text or a name holds NUL or another control character.
	ControlCharacter Reason = "Must not contain control characters"

	// NotObject and the following refuse a value of another type.
	NotObject Reason = "Must be an object"
	// NotArray refuses anything but an array.
	NotArray Reason = "Must be an array"
	// NotString refuses anything but a string.
	NotString Reason = "Must be a string"
	// NotBoolean refuses anything but true and false.
	NotBoolean Reason = "Must be true or false"
	// NotWhole refuses anything but an integer literal in range.
	NotWhole Reason = "Must be a whole number"
	// NotLiteral refuses anything but a number or a string.
	NotLiteral Reason = "Must be a number or a string"
)

// Error lists the problems, for logs.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("strictjson: refused")
	for i, p := range e.Problems {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		if p.Path != "" {
			b.WriteString(p.Path + ": ")
		}
		b.WriteString(string(p.Reason))
	}
	return b.String()
}

// Document is a document that was read and is well formed. The zero value is an
// empty one, which counts as an empty object.
type Document struct {
	data []byte
	// unclean are the texts with control characters.
	unclean []Problem
}

// Read reads a document once for all that does not depend on types. It keeps data,
// which must not change. Tab and newline are allowed only in members with the names
// in prose. A refusal is an *Error that is Unread; control characters are left for
// Decode to refuse.
func Read(data []byte, prose ...string) (Document, error) {
	if len(bytes.TrimLeft(data, " \t\r\n")) == 0 {
		return Document{}, nil
	}
	unclean, err := check(data, prose)
	if err != nil {
		return Document{}, err
	}
	return Document{data, unclean}, nil
}

// Decode decodes the document into v, a pointer to a struct of strings, booleans,
// integers, Literals, pointers to them, slices, maps and further structs. A member
// that is null is left at its zero value. An any receives strings, booleans,
// json.Numbers of encoding/json, and Nested.
//
// A refusal is an *Error; any other error says that v is not fit to decode into.
func (d Document) Decode(v any) error {
	if len(d.data) == 0 {
		return nil
	}
	wrong, err := fill(d.data, v)
	if err != nil {
		return err
	}
	if all := slices.Concat(d.unclean, wrong); len(all) > 0 {
		return &Error{Problems: all[:min(len(all), MaxProblems)]}
	}
	return nil
}

// Decode reads the document in data and decodes it into v.
func Decode(data []byte, v any, prose ...string) error {
	d, err := Read(data, prose...)
	if err != nil {
		return err
	}
	return d.Decode(v)
}

// IsNull reports whether the document is an object with a member of that name that is
// null.
func (d Document) IsNull(member string) bool {
	members := map[string]any{}
	_ = d.Decode(&members) // what has another form has no such member
	value, given := members[member]
	return given && value == nil
}

// Without returns the document, an object, without the member of a name.
func (d Document) Without(member string) Document {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(d.data), jsontext.AllowDuplicateNames(true)) // a Buffer is read in place
	rest := append(make([]byte, 0, len(d.data)), '{')
	if begin, err := decoder.ReadToken(); err != nil || begin.Kind() != '{' {
		return d
	}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadValue()
		if err != nil {
			return d
		}
		name = bytes.Clone(name) // it lasts until the next call
		value, err := decoder.ReadValue()
		if err != nil {
			return d
		}
		if text, err := jsontext.AppendUnquote(nil, name); err == nil && string(text) == member {
			continue
		}
		if len(rest) > len("{") {
			rest = append(rest, ',')
		}
		rest = append(append(append(rest, name...), ':'), value...)
	}
	d.data = append(rest, '}')
	return d
}

var encoders = sync.Pool{New: func() any { return jsontext.NewEncoder(io.Discard) }}

// AppendCanonical appends the document with its members in order and without white
// space. Texts are written alike, and numbers as they are: no two become one. An empty
// document is an empty object.
func (d Document) AppendCanonical(to []byte) ([]byte, error) {
	if len(d.data) == 0 {
		return append(to, "{}"...), nil
	}
	// An encoder wants a quarter of what it has written to be free, else it copies all.
	canonical := bytes.NewBuffer(slices.Grow(to, len(d.data)+(len(to)+len(d.data))/4+len("\n")))
	encoder := encoders.Get().(*jsontext.Encoder) //nolint:forcetypeassert // the pool holds nothing else
	encoder.Reset(canonical, jsontext.AllowDuplicateNames(true), jsontext.ReorderRawObjects(true))
	err := encoder.WriteValue(d.data)
	encoder.Reset(io.Discard) // it keeps nothing of the document
	encoders.Put(encoder)
	return bytes.TrimSuffix(canonical.Bytes(), []byte("\n")), err
}
