// Package wire writes values as answers and events have them (docs/api.md, "Conventions").
package wire

import (
	"encoding/json"
	"time"

	"github.com/ferrypay/ferry/money"
)

// layout is RFC 3339 in UTC with milliseconds.
const layout = "2006-01-02T15:04:05.000Z"

// Time writes an instant: RFC 3339 in UTC with milliseconds.
func Time(t time.Time) string { return t.UTC().Format(layout) }

// Timestamp is an instant that JSON has as Time writes it.
type Timestamp time.Time

// MarshalJSON prints the instant.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, `"`+layout+`"`), nil
}

// OptionalTime is a Timestamp, or null for the zero instant.
type OptionalTime time.Time

// MarshalJSON prints the instant or null.
func (t OptionalTime) MarshalJSON() ([]byte, error) {
	if time.Time(t).IsZero() {
		return []byte("null"), nil
	}
	return Timestamp(t).MarshalJSON()
}

// Number writes an amount in full units as a JSON number.
func Number(a money.Amount) json.Number { return json.Number(a.Major()) }

// OrNull makes an empty text null.
func OrNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}
