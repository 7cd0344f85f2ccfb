package wallets

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
)

// FindTransfer returns a transfer by its id in either form or by its reference,
// or ErrTransactionNotFound.
func (s *Outgoing) FindTransfer(ctx context.Context, scope ferry.Scope, name string) (Transfer, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Transfer, error) {
		if id, ok := ferry.CanonicalID("trx_", name); ok {
			t, err := TransferKind.Get(ctx, tx, scope, TransferID(id))
			if !errors.Is(err, ferry.NotFound) {
				return t, err
			}
		}
		return TransferByReference(ctx, tx, scope, name)
	})
}

// Attempts returns the attempts of a transfer, oldest first, for an operator.
func (s *Outgoing) Attempts(ctx context.Context, scope ferry.Scope, id TransferID) ([]Attempt, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) ([]Attempt, error) {
		return AttemptsOf(ctx, tx, scope, id)
	})
}

// Line returns a line of the statement by its id in either form, or that of a transfer by
// the transfer's reference; or ErrTransactionNotFound.
func (s *Outgoing) Line(ctx context.Context, scope ferry.Scope, name string) (StatementLine, error) {
	line, err := s.config.Wallets.Transaction(ctx, scope, name)
	if !errors.Is(err, ferry.NotFound) {
		return line, err
	}
	t, err := s.FindTransfer(ctx, scope, name)
	if err != nil {
		return StatementLine{}, err
	}
	return s.config.Wallets.Transaction(ctx, scope, string(t.ID))
}
