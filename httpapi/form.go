package httpapi

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/form"
	"github.com/ferrypay/ferry/internal/strictjson"
)

const formType = "application/x-www-form-urlencoded"

// jsonOfForm returns the object that an HTML form stands for: all values are text,
// and none is given twice.
func jsonOfForm(body []byte) ([]byte, error) {
	values, err := form.Parse(string(body))
	if err != nil {
		return nil, errUnreadable.Because(err)
	}
	object := append(make([]byte, 0, lengthInJSON(body)), '{')
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name]
		switch {
		case len(value) > 1:
			return nil, ferry.ErrValidation.About(name, string(strictjson.Duplicate))
		case !utf8.ValidString(name) || !utf8.ValidString(value[0]):
			return nil, ferry.ErrValidation.About("body", string(strictjson.NotUTF8))
		case strings.ContainsFunc(name+value[0], longInJSON):
			return nil, ferry.ErrValidation.About(name, string(strictjson.ControlCharacter))
		case value[0] != "":
			object = appendMember(object, name, value[0])
		}
	}
	return append(object, '}'), nil
}

// lengthInJSON is how long the object of a form is at the most: each field has four
// quotation marks, a colon and a comma, and some characters get a reverse solidus.
func lengthInJSON(body []byte) int {
	length := len(body) + 6*form.MaxFields
	for _, c := range []string{`"`, `\`, "\t", "\n", "\r"} {
		length += bytes.Count(body, []byte(c))
	}
	return length
}

// longInJSON reports whether a character grows sixfold in JSON. No text may hold one.
func longInJSON(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r", r) }

func appendMember(object []byte, name, value string) []byte {
	if len(object) > len("{") {
		object = append(object, ',')
	}
	object, _ = jsontext.AppendQuote(object, name) // valid UTF-8 is all that it asks for
	object, _ = jsontext.AppendQuote(append(object, ':'), value)
	return object
}
