package sqlstore

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// What a result of a query is scanned into, where it is no row of a declared kind.

// instant reads microseconds since 1970, and NULL as no time.
func instant(t *time.Time) any { return place(records.Time("", t)) }

// optional reads NULL as empty text.
func optional[T ~string](at *T) any { return place(records.Optional("", at)) }

// asset reads an asset by its code.
func asset(a *money.Asset) any { return place(records.Asset("", a)) }

// usdc reads an amount of USDC in millionths.
func usdc(at *money.Amount) any { return place(records.Amount("", at, money.AssetUSDC)) }

// place is that of the one value of a column.
func place(c records.Column) any { return c.Cells()[0].Value.Place() }

type amountField struct {
	amount *money.Amount
	asset  *money.Asset
}

// amount reads an amount in minor units. Its asset stands in a column before it.
func amount(at *money.Amount, asset *money.Asset) any { return amountField{at, asset} }

func (f amountField) Scan(v any) error {
	minor, ok := v.(int64)
	if !ok {
		return fmt.Errorf("sqlstore: an amount is an integer, not %T", v)
	}
	*f.amount = money.Of(*f.asset, minor)
	return nil
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
