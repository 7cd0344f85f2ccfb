package records

import (
	"slices"
	"strconv"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
)

// Query selects rows of one kind. The zero Query selects all of them.
type Query struct {
	// Matches hold of every row that is selected.
	Matches []Match
	// Either is groups of matches. When there are any, at least one group holds as a whole.
	Either [][]Match
	// Created is when the rows were created.
	Created ferry.Range
	// Search is a text that one of the searched columns contains, in the form of
	// text.Search.
	Search string
}

// Match is what a column must be.
type Match struct {
	Column string
	// Is is how the column compares with the value.
	Is Comparison
	// Text is the value as a key: see Value.Key.
	Text string
	// Plain is the value as it is stored: see Value.Plain.
	Plain any
}

// Comparison is how a column compares with a value.
type Comparison int

const (
	// Equal: it has the value.
	Equal Comparison = iota
	// Other: it has another value, or none.
	Other
	// Reached: it has an instant, which is not after the value.
	Reached
	// Ahead: it has an instant after the value, or none.
	Ahead
	// Absent: it has no value.
	Absent
)

// Where selects the rows that match all of these. It ignores a match with an empty text.
func Where(matches ...Match) Query {
	q := Query{Matches: make([]Match, 0, len(matches))}
	for _, m := range matches {
		if m.Text != "" || m.Is == Absent {
			q.Matches = append(q.Matches, m)
		}
	}
	return q
}

// And keeps the rows that match all of these too. It ignores a match with an empty text.
func (q Query) And(matches ...Match) Query {
	q.Matches = append(q.Matches[:len(q.Matches):len(q.Matches)], Where(matches...).Matches...)
	return q
}

// Or keeps of the rows those for which one of some groups holds as a whole.
func (q Query) Or(groups ...[]Match) Query {
	q.Either = groups
	return q
}

// Is matches rows whose column has a text. An empty one matches all rows.
func Is[T ~string](column string, value T) Match {
	return Match{Column: column, Text: string(value), Plain: string(value)}
}

// IsBool matches rows whose column has a boolean. Nil matches all rows.
func IsBool(column string, value *bool) Match {
	if value == nil {
		return Match{}
	}
	return Match{Column: column, Text: strconv.FormatBool(*value), Plain: *value}
}

// Not matches rows that a match of Is does not.
func Not(m Match) Match {
	m.Is = Other
	return m
}

// None matches rows whose column has no value (NULL).
func None(column string) Match { return Match{Column: column, Is: Absent} }

// By matches rows whose column has an instant that was reached at another one.
func By(column string, at time.Time) Match {
	return Match{column, Reached, strconv.FormatInt(at.UnixMicro(), 10), at.UnixMicro()}
}

// NotBy matches rows whose column has an instant that was not reached at another one,
// or none.
func NotBy(column string, at time.Time) Match {
	m := By(column, at)
	m.Is = Ahead
	return m
}

// IsAsset matches rows whose column of codes has an asset. The zero one matches all rows.
func IsAsset(column string, asset money.Asset) Match {
	if asset == 0 {
		return Match{}
	}
	return Is(column, asset.String())
}

// During keeps of the rows those that were created in a range.
func (q Query) During(r ferry.Range) Query {
	q.Created = r
	return q
}

// Searching keeps the rows with a searched column that contains a text, in any letter case.
// An empty text keeps all rows.
func (q Query) Searching(part string) Query {
	q.Search = text.Search(part)
	return q
}

// only reports whether the query asks for nothing but values of columns.
func (q Query) only() bool { return q.Created == ferry.Range{} && q.Search == "" && len(q.Either) == 0 }

// asks reports whether a match is among those that hold of all rows, as the zero one is.
func (q Query) asks(m Match) bool { return m.Column == "" || slices.Contains(q.Matches, m) }

// value returns what a column must have, or no text when it may have any.
func (q Query) value(column string) string {
	for _, m := range q.Matches {
		if m.Column == column && m.Is == Equal {
			return m.Text
		}
	}
	return ""
}

// holds reports whether a value is what the match asks for.
func (m Match) holds(v Value) bool {
	key, some := v.Key()
	switch m.Is {
	case Absent:
		return !some
	case Equal:
		return some && key == m.Text
	case Other:
		return !some || key != m.Text
	}
	at, is := v.(timeValue)
	reached := is && some && at.at.UnixMicro() <= m.Plain.(int64)
	return reached == (m.Is == Reached)
}
