package memstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

func usdc(minor int64) money.Amount { return money.Of(wallets.Asset, minor) }

// ranked lists a custody that was written by its surplus, for its business and for its
// environment; old is nil for a new one. Rows of other kinds have no rank.
func (u *unit) ranked(kind *records.Shape, old, b *records.Bound) {
	if kind != wallets.CustodyKind.Shape {
		return
	}
	if old != nil {
		rank(old.Row.(*wallets.Custody), u.undo, u.tables.wallets.surplus.drop)
	}
	rank(b.Row.(*wallets.Custody), u.undo, u.tables.wallets.surplus.add)
}

// rank adds or drops the places of a custody that has a surplus.
func rank(c *wallets.Custody, undo *undoLog, change func(*undoLog, ferry.Scope, place[string])) {
	if c.Surplus().Sign() <= 0 {
		return
	}
	for _, group := range []ferry.Scope{c.Scope, {Env: c.Scope.Env}} {
		change(undo, group, place[string]{c.Surplus().Minor(), string(c.ID)})
	}
}

func (s walletStore) Surpluses(_ context.Context, scope ferry.Scope, limit int) ([]wallets.Custody, error) {
	var greatest []wallets.Custody
	rows := &s.tables.shelves.of(wallets.CustodyKind.Shape).rows
	for p := range s.rows().surplus.of(scope).down(0) {
		if len(greatest) >= limit {
			break
		}
		greatest = append(greatest, *rows.row(p.id).(*wallets.Custody))
	}
	return greatest, nil
}
