package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

func (s walletStore) Surpluses(ctx context.Context, scope ferry.Scope, limit int) ([]wallets.Custody, error) {
	f := (&filter{}).and("env = ?", scope.Env).and("on_chain > committed")
	if scope.Business != "" {
		f.and("business = ?", scope.Business)
	}
	rows, err := rowsOf(wallets.CustodyKind.Shape).read(ctx, s.unit, f.where()+" ORDER BY on_chain - committed DESC, id DESC LIMIT ?", append(f.args, limit))
	return allOf[wallets.Custody](rows), err
}

// allOf is stored rows of a declared kind.
func allOf[R any](stored []any) []R {
	rows := make([]R, len(stored))
	for i, row := range stored {
		rows[i] = *row.(*R)
	}
	return rows
}
