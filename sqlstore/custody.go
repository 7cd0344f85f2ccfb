package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

func (s walletStore) Surpluses(ctx context.Context, scope ferry.Scope, limit int) ([]wallets.Custody, error) {
	f := (&filter{}).and("env = ?", string(scope.Env)).and("on_chain > committed")
	if scope.Business != "" {
		f.and("business = ?", string(scope.Business))
	}
	rows, err := tableOf(wallets.CustodyKind.Shape).read(ctx, s.unit, f.where()+" ORDER BY on_chain - committed DESC, id DESC LIMIT ?", append(f.args, limit)...)
	return wallets.CustodyKind.OwnAll(rows), err
}
