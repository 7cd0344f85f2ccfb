package payments

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// Audit holds the account of returns of one environment against the returns: what
// stands there is what the bank has not accepted yet (check "returns"). It reads within
// one unit, so that it sees one state.
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	account := ledger.SystemAccount(env, ledger.Returns, money.AssetNGN)
	booked, err := ledger.Sum(ctx, tx.Ledger(), account)
	if err != nil {
		return nil, err
	}
	pending := money.NGN(0)
	for r, err := range ReturnKind.Walk(ctx, tx, records.Where(records.Is("env", env))) {
		if err != nil {
			return nil, err
		}
		if r.State == ReturnPending {
			if pending, err = pending.Add(r.Amount); err != nil {
				return nil, err
			}
		}
	}
	if booked.Minor() == pending.Minor() {
		return nil, nil
	}
	return []ledger.Finding{{
		Check: "returns", Subject: string(account), Text: fmt.Sprintf("returns of %s are pending, the books hold %s", pending, money.NGN(booked.Minor())),
	}}, nil
}
