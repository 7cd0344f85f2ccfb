// Package form reads HTML forms and query strings, and refuses what would cost much
// more to keep than to send.
package form

import (
	"errors"
	"net/url"
	"strings"
)

// MaxFields is the greatest number of fields of a form, or of parameters of a query.
const MaxFields = 100

// ErrCrowded refuses a text with more than MaxFields fields.
var ErrCrowded = errors.New("form: more than 100 fields")

// Parse returns the fields of a text in the form application/x-www-form-urlencoded.
func Parse(text string) (url.Values, error) {
	if strings.Count(text, "&") >= MaxFields {
		return nil, ErrCrowded
	}
	return url.ParseQuery(text)
}
