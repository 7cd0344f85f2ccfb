package httpapi

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry"
)

// constrain checks the members of a body by their tags (see schemas). A word that is not in
// enum, or a whole number out of min and max, is a problem. An empty text counts as absent,
// which is a problem of a required member.
func constrain(in reflect.Value, path string, problems *ferry.Problems) {
	for i, field := range fieldsOf(in.Type()) {
		value, name := in.Field(i), field.member
		if value.Kind() == reflect.Pointer && !value.IsNil() {
			value = value.Elem()
		}
		switch {
		case name == "-", !field.IsExported() && !field.Anonymous:
		case value.Kind() == reflect.Struct && field.Anonymous:
			constrain(value, path, problems)
		case value.Kind() == reflect.Struct:
			constrain(value, path+name+".", problems)
		default:
			problems.Note(path+name, unfit(field, value))
		}
	}
}

// unfit says how the value of a member is not what the tags ask for, or nothing.
func unfit(field *inputField, value reflect.Value) string {
	given := field.Type.Kind() == reflect.Pointer && value.Kind() != reflect.Pointer
	switch empty := value.IsZero() && !given; {
	case empty && !isOptionalInput(field.StructField):
		return missing
	case value.Kind() == reflect.String && !empty:
		return noWord(field, value.String())
	case value.CanInt():
		return outOfBounds(field, value.Int())
	}
	return ""
}

// noWord is the problem of a text that is not among the words of a field, or no text.
func noWord(field *inputField, text string) string {
	words := field.words
	last := len(words) - 1
	switch {
	case last < 0 || slices.Contains(words, text):
		return ""
	case last == 0:
		return "Must be " + words[0]
	}
	return "Must be " + strings.Join(words[:last], ", ") + " or " + words[last]
}

// succeeded are the words by which a filter names the state of what succeeded.
var succeeded = []string{"success", "successful", "completed"}

// statusWord returns the word of a field for a status that a filter asks for: its own,
// whichever of the words for success was given.
func statusWord(field reflect.StructField, given string) string {
	if !slices.Contains(succeeded, given) {
		return given
	}
	for word := range strings.SplitSeq(field.Tag.Get("enum"), ",") {
		if slices.Contains(succeeded, word) {
			return word
		}
	}
	return given
}

// statusWords are all words that statusWord reads for a field, or nil when they are no
// more than its own.
func statusWords(field reflect.StructField) []string {
	words := strings.Split(field.Tag.Get("enum"), ",")
	own := len(words)
	for _, word := range succeeded {
		if !slices.Contains(words[:own], word) && slices.Contains(words[:own], statusWord(field, word)) {
			words = append(words, word)
		}
	}
	if len(words) == own {
		return nil
	}
	return words
}

// outOfBounds says that a number is out of the bounds of a field, or nothing.
func outOfBounds(field *inputField, n int64) string {
	low, hasLow := bound(field, "min")
	high, hasHigh := bound(field, "max")
	switch {
	case (!hasLow || low <= n) && (!hasHigh || n <= high):
		return ""
	case hasLow && hasHigh:
		return fmt.Sprintf("Must be %d to %d", low, high)
	case hasLow:
		return fmt.Sprintf("Must be at least %d", low)
	}
	return fmt.Sprintf("Must be at most %d", high)
}

func bound(field *inputField, tag string) (int64, bool) {
	n, err := strconv.ParseInt(field.Tag.Get(tag), 10, 64)
	return n, err == nil
}
