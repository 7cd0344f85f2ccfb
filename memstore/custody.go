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
func (u *unit) ranked(kind *records.Shape, number uint32, old, b *records.Bound) {
	if kind != wallets.CustodyKind.Shape {
		return
	}
	if old != nil {
		rank(old.Row.(*wallets.Custody), number, u.undo, u.surplus().drop)
	}
	rank(b.Row.(*wallets.Custody), number, u.undo, u.surplus().add)
}

// surplus returns the order of custodies, to be read or written to.
func (u *unit) surplus() *roster {
	r := &u.tables.wallets.surplus
	if r.compare == nil {
		r.compare = u.tables.shelves.of(wallets.CustodyKind.Shape).rows.compare
	}
	return r
}

// rank adds or drops the spots of a custody that has a surplus.
func rank(c *wallets.Custody, number uint32, undo *undoLog, change func(*undoLog, digest, int64, uint32)) {
	if c.Surplus().Sign() <= 0 {
		return
	}
	for _, group := range []ferry.Scope{c.Scope, {Env: c.Scope.Env}} {
		change(undo, digestOf(group), c.Surplus().Minor(), number)
	}
}

func (s walletStore) Surpluses(_ context.Context, scope ferry.Scope, limit int) ([]wallets.Custody, error) {
	var greatest []wallets.Custody
	rows := &s.tables.shelves.of(wallets.CustodyKind.Shape).rows
	for p := range s.tables.wallets.surplus.of(digestOf(scope)).down(0) {
		if len(greatest) >= limit {
			break
		}
		greatest = append(greatest, *rows.at(p.row).row.(*wallets.Custody))
	}
	return greatest, nil
}
