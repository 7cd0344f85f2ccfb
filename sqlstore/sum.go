package sqlstore

import (
	"database/sql/driver"
	"fmt"

	"github.com/ferrypay/ferry/money"
)

// anySum stores an amount of any asset in two columns: minor units, and the code of
// the asset, which is empty for no money of no asset.
func anySum(column string, a *money.Amount) []field {
	box := &sumField{a: a}
	return []field{col(column+"_asset", sumAsset{box}), col(column, sumMinor{box})}
}

// sumField is an amount of any asset while its two columns are read.
type sumField struct {
	a     *money.Amount
	asset money.Asset
}

type (
	sumAsset struct{ *sumField }
	sumMinor struct{ *sumField }
)

// Value is the asset's code, or empty.
func (f sumAsset) Value() (driver.Value, error) {
	if f.a.Asset() == 0 {
		return "", nil
	}
	return f.a.Asset().String(), nil
}

// Scan reads the code. Its column comes before that of the amount.
func (f sumAsset) Scan(v any) (err error) {
	f.asset = 0
	if code := fmt.Sprintf("%s", v); code != "" {
		f.asset, err = money.ParseAsset(code)
	}
	return err
}

// Value is the amount in minor units.
func (f sumMinor) Value() (driver.Value, error) { return f.a.Minor(), nil }

// Scan reads the amount.
func (f sumMinor) Scan(v any) error {
	minor, ok := v.(int64)
	if !ok {
		return fmt.Errorf("sqlstore: an amount is an integer, not %T", v)
	}
	*f.a = money.Of(f.asset, minor)
	return nil
}
