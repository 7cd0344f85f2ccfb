// Package strictjson reads the JSON of requests into input structs and refuses
// whatever two readers could understand differently: invalid UTF-8, more than
// one document, duplicate names, deep nesting, control characters in text
// (docs/api.md, "Conventions"). Names are case-sensitive and unknown members
// are ignored. Numbers never pass through a float.
package strictjson

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is the greatest depth of nested objects and arrays.
const MaxDepth = 32

// Error refuses a document and says what is wrong with it: one problem for which
// it could not be read at all, or every member with a wrong value.
type Error struct {
	Problems []Problem
	// Unread tells the former: nothing was decoded.
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

func refuse(path jsontext.Pointer, reason Reason) *Error {
	return &Error{[]Problem{{dotted(path), reason}}, true}
}

// Decode reads the document in data into v, a pointer to a struct of strings,
// booleans, integers, Literals, pointers to them, slices, maps and further
// structs. A member that is null is left at its zero value. An empty document
// counts as an empty object. An any receives strings, booleans, json.Numbers of
// encoding/json, maps and slices.
//
// Tab and newline are allowed only in members with the names in prose.
//
// A refusal is an *Error; any other error says that v is not fit to decode into.
func Decode(data []byte, v any, prose ...string) error {
	if len(bytes.TrimLeft(data, " \t\r\n")) == 0 {
		return nil
	}
	controls, err := check(data, prose)
	if err != nil {
		return err
	}
	wrong, err := fill(data, v)
	if err != nil {
		return err
	}
	if all := slices.Concat(controls, wrong); len(all) > 0 {
		return &Error{Problems: all}
	}
	return nil
}

// Canonical returns a document that Decode has taken with its members in order and
// without white space. Texts are written alike, and numbers as they are: no two
// become one. An empty document is an empty object.
func Canonical(data []byte) ([]byte, error) {
	if len(bytes.TrimLeft(data, " \t\r\n")) == 0 {
		return []byte("{}"), nil
	}
	canonical := jsontext.Value(bytes.Clone(data))
	err := canonical.Format(jsontext.ReorderRawObjects(true))
	return canonical, err
}

// scanners are kept, because they grow with what they read.
var scanners = sync.Pool{New: func() any { return jsontext.NewDecoder(new(bytes.Buffer)) }}

// check reads the whole document once for all that does not depend on types. It
// returns the texts with control characters, none of which keeps a document from
// being read.
func check(data []byte, prose []string) (unclean []Problem, err error) {
	if !utf8.Valid(data) {
		return nil, refuse("", NotUTF8)
	}
	controls := mayHoldControls(data)
	d := scanners.Get().(*jsontext.Decoder) //nolint:forcetypeassert // the pool holds nothing else
	d.Reset(bytes.NewBuffer(data))
	defer scanners.Put(d)
	for {
		token, err := d.ReadToken()
		switch {
		case err != nil:
			return nil, refusal(err)
		case d.StackDepth() > MaxDepth:
			return nil, refuse("", TooDeep)
		case controls && token.Kind() == '"' && !clean(token.String(), inProse(d, prose)):
			unclean = append(unclean, Problem{dotted(d.StackPointer()), ControlCharacter})
		}
		if d.StackDepth() == 0 {
			break
		}
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, refuse("", Trailing)
	}
	return unclean, nil
}

// refusal turns an error of the grammar into ours; the library's text is not stable.
func refusal(err error) error {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if ok && errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
		return refuse(syntax.JSONPointer, Duplicate)
	}
	return refuse("", NotJSON)
}

// inProse reports whether the string just read is the value of a member named in prose.
func inProse(d *jsontext.Decoder, prose []string) bool {
	if len(prose) == 0 {
		return false
	}
	kind, read := d.StackIndex(d.StackDepth())
	return kind == '{' && read%2 == 0 && slices.Contains(prose, d.StackPointer().LastToken())
}

// mayHoldControls reports whether looking into texts is worth the while: the
// grammar keeps out bare control characters below space, so that one can only
// be escaped, or be DEL or of the block behind the byte C2.
func mayHoldControls(data []byte) bool {
	return bytes.IndexByte(data, '\\') >= 0 || bytes.IndexByte(data, 0x7f) >= 0 || bytes.IndexByte(data, 0xc2) >= 0
}

func clean(text string, prose bool) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && (!prose || r != '\t' && r != '\n')
	}) < 0
}

// fill decodes a checked document and gathers every member of the wrong type.
func fill(data []byte, v any) ([]Problem, error) {
	f := fillers.Get().(*filler) //nolint:forcetypeassert // the pool holds nothing else
	defer fillers.Put(f)
	f.problems = nil
	err := json.Unmarshal(data, v, f.options)
	return f.problems, err
}

// dotted returns a JSON pointer as a path: /items/0/amount is items.0.amount.
func dotted(p jsontext.Pointer) string {
	return strings.Join(slices.Collect(p.Tokens()), ".")
}
