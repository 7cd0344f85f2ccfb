package records

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// Column is a part of a row in one column of a table, or in several.
type Column struct{ cells []Cell }

// Cell is one column of a table and the value that a row has in it.
type Cell struct {
	Name  string
	Value Value
}

// Value is the place of a value within a row.
type Value interface {
	// Plain returns the value as it is stored: a nil, string, int64, bool or []byte.
	Plain() (any, error)
	// Place returns what a driver of database/sql scans a stored value into.
	Place() any
	// Key returns the value as text, and false without a value (NULL). No two
	// values of a column have the same text.
	Key() (key string, some bool)
	// Copy takes over the value of the same column of another row.
	Copy(from Value)
	// pack appends the value to the bytes of a row, and unpack takes it from there.
	pack(to []byte) ([]byte, error)
	unpack(from *reader) error
}

// Cells returns the columns of a table that it is made of.
func (c Column) Cells() []Cell { return c.cells }

func column(name string, v Value) Column { return Column{[]Cell{{Name: name, Value: v}}} }

// ID is the id of a row, in the column id.
func ID[K ~string](at *K) Column { return Text("id", at) }

// Owner is the scope that a row belongs to, in the columns env and business.
func Owner(at *ferry.Scope) Column {
	return Column{[]Cell{
		{Name: "env", Value: textValue[ferry.Env]{&at.Env}},
		{Name: "business", Value: textValue[ferry.BusinessID]{&at.Business}},
	}}
}

// Env is the environment that a row without a business belongs to, in the column env.
func Env(at *ferry.Env) Column { return Text("env", at) }

// Version is how often a row was written, in the column version.
func Version(at *int64) Column { return Int("version", at) }

// CreatedAt is the time by which rows are listed, in the column created_at.
func CreatedAt(at *time.Time) Column { return Time("created_at", at) }

// Text is text, which may be empty.
func Text[T ~string](name string, at *T) Column { return column(name, textValue[T]{at}) }

// Word is one of some words.
func Word[T ~string](name string, at *T, words ...T) Column {
	return column(name, wordValue[T]{textValue[T]{at}, words})
}

// Optional is text that is NULL when it is empty.
func Optional[T ~string](name string, at *T) Column { return column(name, optionalValue[T]{at}) }

// Int is an integer.
func Int[T ~int | ~int64](name string, at *T) Column { return column(name, intValue[T]{at}) }

// Uint is an integer that is not negative, as far as a column has room for it.
func Uint(name string, at *uint64) Column { return column(name, uintValue{at}) }

// Bool is a boolean.
func Bool(name string, at *bool) Column { return column(name, boolValue{at}) }

// Bytes is bytes, NULL when they are nil.
func Bytes(name string, at *[]byte) Column { return column(name, bytesValue{at}) }

// Blob is text that is kept as bytes, NULL when it is empty.
func Blob[T ~string](name string, at *T) Column {
	return column(name, blobValue[T]{optionalValue[T]{at}})
}

// Time is an instant, kept to the microsecond and in UTC; the zero time is NULL.
func Time(name string, at *time.Time) Column { return column(name, timeValue{at}) }

// Document is a value that is kept as JSON; a nil map, slice or pointer is NULL.
// Numbers of unknown type come back as json.Number, digit by digit. Amounts refuse to
// become JSON: give them columns.
func Document[T any](name string, at *T) Column { return column(name, documentValue[T]{at}) }

// Asset is an asset, kept by its code.
func Asset(name string, at *money.Asset) Column { return column(name, assetValue{at}) }

// Amount is an amount of one asset, in minor units.
func Amount(name string, at *money.Amount, asset money.Asset) Column {
	return column(name, amountValue{at, asset})
}

// Money is an amount of any asset, or none: minor units in the column of that name, and
// the code of the asset, or no text, in the column of that name with _asset behind it.
func Money(name string, at *money.Amount) Column {
	value := &moneyValue{at: at}
	return Column{[]Cell{{Name: name + "_asset", Value: moneyAsset{value}}, {Name: name, Value: moneyMinor{value}}}}
}

// Marked is text before which a mark stands in the column when the flag is set, so
// that one unique name keeps the texts of both apart. No text begins with the mark.
func Marked(name string, at *string, flag *bool, mark string) Column {
	return column(name, MarkedValue{at, flag, mark})
}

// Made is text that a row makes of itself. It is written only: no update, name or
// fixed column is about it.
func Made(name string, of func() string) Column { return column(name, madeValue(of)) }

// Folded is another text in the form in which it is unique. It is written only.
func Folded(name string, at *string, fold func(string) string) Column {
	return column(name, foldedValue{at, fold})
}
