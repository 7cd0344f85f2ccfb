package sqlstore

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// field ties a column to a place in a row: a pointer to text, an integer, a
// boolean or bytes, or one of the functions below around a pointer.
type field struct {
	column string
	at     any
	// given, when set, is the SQL by which an insert computes the column, and
	// args its parameters. Such a column is never updated.
	given string
	args  []any
	// apart marks a column that no update of the row writes: statements of
	// their own add to it, without a new version.
	apart bool
}

// place is what a stored value is scanned into.
func (f field) place() any {
	if v, of := f.at.(records.Value); of {
		return v.Place()
	}
	return f.at
}

// col is a field as most are.
func col(column string, at any) field { return field{column: column, at: at} }

// updated reports whether an update of the row writes the column.
func (t *table[R]) updated(f field) bool {
	return f.given == "" && !f.apart && !slices.Contains(t.key, f.column)
}

// The codecs of the columns of package records, for the ports that still say by hand
// what a row is.

// instant stores a time as microseconds since 1970, and no time as NULL.
func instant(t *time.Time) any { return codec(records.Time("", t)) }

// optional stores empty text as NULL, as references and unique columns need it.
func optional[T ~string](at *T) any { return codec(records.Optional("", at)) }

// asset stores an asset by its code.
func asset(a *money.Asset) any { return codec(records.Asset("", a)) }

// usdc stores an amount of USDC in millionths.
func usdc(at *money.Amount) any { return codec(records.Amount("", at, money.AssetUSDC)) }

// codec is the one value of a column.
func codec(c records.Column) any { return c.Cells()[0].Value }

// foldedText is the column search: what a search looks in, when the columns have other
// letters than those of ASCII, of which lower() makes something else, and else NULL. It
// is written only.
type foldedText func() (string, bool)

func (f foldedText) Value() (driver.Value, error) {
	if folded, some := f(); some {
		return folded, nil
	}
	return nil, nil
}

func (foldedText) Scan(any) error { return nil }

type amountField struct {
	amount *money.Amount
	asset  *money.Asset
}

// amount stores an amount in minor units. Its asset is known, or stands in a
// column before it.
func amount(at *money.Amount, asset *money.Asset) any { return amountField{at, asset} }

func (f amountField) Value() (driver.Value, error) { return f.amount.Minor(), nil }

func (f amountField) Scan(v any) error {
	minor, ok := v.(int64)
	if !ok {
		return fmt.Errorf("sqlstore: an amount is an integer, not %T", v)
	}
	*f.amount = money.Of(*f.asset, minor)
	return nil
}

// plain returns the value of a field or an argument as a driver takes it.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case nil, string, int64, []byte, bool:
		return v, nil
	case *string:
		return *v, nil
	case *int64:
		return *v, nil
	case records.Value:
		return v.Plain()
	case driver.Valuer:
		return v.Value()
	case time.Time:
		return v.UnixMicro(), nil
	}
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer {
		r = r.Elem()
	}
	switch r.Kind() {
	case reflect.String:
		return r.String(), nil
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return r.Int(), nil
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return int64(r.Uint()), nil
	case reflect.Bool:
		return r.Bool(), nil
	case reflect.Slice:
		if r.IsNil() {
			return nil, nil
		}
		if r.Type().Elem().Kind() == reflect.Uint8 {
			return r.Bytes(), nil
		}
	}
	return nil, fmt.Errorf("sqlstore: no column takes %T", v)
}

// plainAll is plain for many.
func plainAll(values []any) ([]any, error) {
	out := make([]any, len(values))
	for i, v := range values {
		var err error
		if out[i], err = plain(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// keyText returns plain values as one text. No two keys have the same one.
func keyText(values []any) string {
	var b strings.Builder
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			text = fmt.Sprint(v)
		}
		b.WriteString(strconv.Itoa(len(text)))
		b.WriteByte(':')
		b.WriteString(text)
	}
	return b.String()
}
