package outflow

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
	Leases() lease.Store
}

// RulesKind is what rules are as a row: one for each business that ever had some.
var RulesKind = records.Define(records.Kind[ferry.BusinessID, Rules]{
	Name: "outflow_rules",
	Columns: func(r *Rules) []records.Column {
		ngn, usdc := &r.Limits.NGN, &r.Limits.USDC
		return []records.Column{
			records.Owner(&r.Scope), records.Version(&r.Version),
			records.Amount("ngn_operation", &ngn.Operation, money.AssetNGN),
			records.Amount("ngn_key_day", &ngn.KeyDay, money.AssetNGN),
			records.Amount("ngn_business_day", &ngn.BusinessDay, money.AssetNGN),
			records.Amount("ngn_approval", &ngn.Approval, money.AssetNGN),
			records.Amount("usdc_operation", &usdc.Operation, money.AssetUSDC),
			records.Amount("usdc_key_day", &usdc.KeyDay, money.AssetUSDC),
			records.Amount("usdc_business_day", &usdc.BusinessDay, money.AssetUSDC),
			records.Amount("usdc_approval", &usdc.Approval, money.AssetUSDC),
			records.Int("approval_hours", &r.ApprovalHours),
			records.Bool("allow_list", &r.AllowList),
			records.Document("destinations", &r.Destinations),
			records.Text("changed_by", &r.ChangedBy),
			records.Time("updated_at", &r.UpdatedAt),
		}
	},
	Key:   []string{"env", "business"},
	Scope: func(r *Rules) ferry.Scope { return r.Scope },
})

// rulesOf returns the rules of a scope, empty ones at first.
func rulesOf(ctx context.Context, tx records.Tx, scope ferry.Scope) (Rules, error) {
	none := Rules{Scope: scope}
	for _, asset := range Assets {
		zero := money.Of(asset, 0)
		*none.Limits.of(asset) = Limit{zero, zero, zero, zero}
	}
	return RulesKind.GetOr(ctx, tx, none)
}

// Prefetch says that a unit will admit an operation of a scope.
func Prefetch(tx records.Tx, scope ferry.Scope) { RulesKind.Prefetch(tx, scope, scope.Business) }

// DayID names the sum of a day within a scope: the day, the asset, and the API key when it is
// that of a key.
type DayID string

// Day is what was admitted on a day.
type Day struct {
	ID    DayID
	Scope ferry.Scope
	Sum   money.Amount
	// Until is the end of the day.
	Until   time.Time
	Version int64
}

// DayKind is what the sum of a day is as a row.
var DayKind = records.Define(records.Kind[DayID, Day]{
	Name: "outflow_days",
	Columns: func(d *Day) []records.Column {
		return []records.Column{
			records.Owner(&d.Scope), records.ID(&d.ID), records.Version(&d.Version),
			records.Money("sum", &d.Sum), records.Time("until", &d.Until),
		}
	},
	Key:   []string{"env", "business", "id"},
	Scope: func(d *Day) ferry.Scope { return d.Scope },
})

// dayOf returns the sum of the day of an instant; that of a business when no key is named.
func dayOf(ctx context.Context, tx records.Tx, scope ferry.Scope, asset money.Asset, key string, now time.Time) (Day, error) {
	from := now.UTC().Truncate(24 * time.Hour)
	id := fmt.Sprintf("%s/%s", from.Format(time.DateOnly), asset)
	if key != "" {
		id += "/" + key
	}
	return DayKind.GetOr(ctx, tx, Day{ID: DayID(id), Scope: scope, Sum: money.Of(asset, 0), Until: from.Add(24 * time.Hour)})
}
