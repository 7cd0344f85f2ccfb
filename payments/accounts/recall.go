package accounts

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/statement"
)

// RecalledIn notes on the line of a credit to a collection account that the bank recalls
// it: the caller books the recall. What the account received stays in its sums. A credit
// to another account is no concern of it. RecalledIn returns who owns the account, if anybody
// does.
func RecalledIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) (ferry.Scope, error) {
	a, err := AccountKind.Find(ctx, tx, byNumber, numbered(env, c.AccountNumber))
	if errors.Is(err, ErrNotFound) {
		return ferry.Scope{}, nil
	}
	if err != nil {
		return ferry.Scope{}, err
	}
	err = statement.ReverseIn(ctx, tx, a.Scope, c.SessionID)
	if errors.Is(err, statement.ErrNotFound) {
		return ferry.Scope{}, nil // it went into suspense
	}
	return a.Scope, err
}
