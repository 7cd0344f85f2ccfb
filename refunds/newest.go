package refunds

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
)

// NewestOf returns the newest refund of the transaction that ref names, within a unit.
// Errors: statement.ErrNotFound, and ErrNotFound when it has none.
func NewestOf(ctx context.Context, tx Tx, scope ferry.Scope, ref statement.Ref) (Refund, error) {
	line, err := payments.LineOf(ctx, tx, scope, ref)
	if err != nil {
		return Refund{}, err
	}
	for r, err := range Kind.Newest(ctx, tx, scope, records.Where(records.Is("transaction_id", line.ID))) {
		return r, err
	}
	return Refund{}, ErrNotFound
}
