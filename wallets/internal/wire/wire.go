// Package wire writes the values of events.
package wire

import (
	"encoding/json"
	"time"

	"github.com/ferrypay/ferry/money"
)

// Number writes an amount in full units as a JSON number.
func Number(a money.Amount) json.Number { return json.Number(a.Major()) }

// Time writes an instant as all answers do: RFC 3339 in UTC, with
// milliseconds.
func Time(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// OrNull makes an empty text null.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
