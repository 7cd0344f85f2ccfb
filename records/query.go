package records

import (
	"strconv"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
)

// Query selects rows of one kind. The zero Query selects all of them.
type Query struct {
	// Matches are columns and the values that they must have.
	Matches []Match
	// Created is when the rows were created.
	Created ferry.Range
	// Search is a text that one of the searched columns contains, in the form of
	// text.Search.
	Search string
}

// Match is that a column has a value.
type Match struct {
	Column string
	// Text is the value as a key: see Value.Key.
	Text string
	// Plain is the value as it is stored: see Value.Plain.
	Plain any
}

// Where selects the rows that match all of these. A match with an empty text is none.
func Where(matches ...Match) Query {
	q := Query{Matches: make([]Match, 0, len(matches))}
	for _, m := range matches {
		if m.Text != "" {
			q.Matches = append(q.Matches, m)
		}
	}
	return q
}

// Is matches rows whose column has a text. An empty one matches all rows.
func Is[T ~string](column string, value T) Match { return Match{column, string(value), string(value)} }

// IsAsset matches rows whose column of codes has an asset. The zero one matches all rows.
func IsAsset(column string, asset money.Asset) Match {
	if asset == 0 {
		return Match{}
	}
	return Is(column, asset.String())
}

// IsTrue matches rows whose column of booleans has a value.
func IsTrue(column string, value bool) Match {
	return Match{column, strconv.FormatBool(value), value}
}

// During keeps of the rows those that were created in a range.
func (q Query) During(r ferry.Range) Query {
	q.Created = r
	return q
}

// Searching keeps of the rows those of which a searched column contains a text,
// whatever its letter case. An empty text keeps all.
func (q Query) Searching(part string) Query {
	q.Search = text.Search(part)
	return q
}

// Only reports whether the query asks for nothing but values of columns.
func (q Query) only() bool { return q.Created == ferry.Range{} && q.Search == "" }

// value returns what a column must have, or no text when it may have any.
func (q Query) value(column string) string {
	for _, m := range q.Matches {
		if m.Column == column {
			return m.Text
		}
	}
	return ""
}
