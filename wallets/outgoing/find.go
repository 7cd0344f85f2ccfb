package outgoing

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

// FindTransfer returns a transfer by its id in either form or by its reference,
// or ErrTransactionNotFound.
func (s *Service) FindTransfer(ctx context.Context, scope ferry.Scope, name string) (Transfer, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx wallets.Tx) (Transfer, error) {
		return findTransfer(ctx, tx, scope, name)
	})
}

func findTransfer(ctx context.Context, tx wallets.Tx, scope ferry.Scope, name string) (Transfer, error) {
	if id, ok := ferry.CanonicalID("trx_", name); ok {
		t, err := TransferKind.Get(ctx, tx, scope, wallets.TransferID(id))
		if !errors.Is(err, ferry.NotFound) {
			return t, err
		}
	}
	return TransferByReference(ctx, tx, scope, name)
}

// Attempts returns the attempts of a transfer, oldest first, for an operator.
func (s *Service) Attempts(ctx context.Context, scope ferry.Scope, id wallets.TransferID) ([]Attempt, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx wallets.Tx) ([]Attempt, error) {
		return AttemptsOf(ctx, tx, scope, id)
	})
}

// Line returns a line of the statement by its id in either form, or that of a transfer by
// the transfer's reference; or ErrTransactionNotFound.
func (s *Service) Line(ctx context.Context, scope ferry.Scope, name string) (wallets.StatementLine, error) {
	line, err := s.config.Wallets.Transaction(ctx, scope, name)
	if !errors.Is(err, ferry.NotFound) {
		return line, err
	}
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx wallets.Tx) (wallets.StatementLine, error) {
		TransferKind.PrefetchNamed(tx, transferByReference, Transfer{Scope: scope, Reference: name})
		wallets.PrefetchTransactionsOf(tx, TransferKind.Rows(scope, records.Is("reference", name)).Values("id"))
		t, err := findTransfer(ctx, tx, scope, name)
		if err != nil {
			return wallets.StatementLine{}, err
		}
		return wallets.TransactionIn(ctx, tx, scope, wallets.TransactionID(t.ID))
	})
}
