// Package wire writes values as answers and events have them (docs/api.md, "Conventions").
package wire

import (
	"encoding/json"
	"time"

	"github.com/ferrypay/ferry/money"
)

// longest is the length of an instant of a year with four digits, in quotes.
const longest = len(`"2006-01-02T15:04:05.000Z"`)

// Time writes an instant: RFC 3339 in UTC with milliseconds.
func Time(t time.Time) string {
	var room [longest]byte
	return string(appendTime(room[:0], t))
}

// appendTime appends what Time writes. Package time is fast for RFC 3339 itself.
func appendTime(to []byte, t time.Time) []byte {
	to = t.UTC().AppendFormat(to, time.RFC3339)
	milli := t.Nanosecond() / int(time.Millisecond)
	return append(to[:len(to)-len("Z")], '.', '0'+byte(milli/100), '0'+byte(milli/10%10), '0'+byte(milli%10), 'Z')
}

// Timestamp is an instant that JSON has as Time writes it.
type Timestamp time.Time

// MarshalJSON prints the instant.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return append(appendTime(append(make([]byte, 0, longest), '"'), time.Time(t)), '"'), nil
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
	some := text // so that an empty text takes no memory
	return &some
}
