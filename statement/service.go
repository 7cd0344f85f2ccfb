package statement

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Service reads the transactions of all businesses. It is safe for concurrent use.
type Service struct{ units ferry.EnvUnits[Tx] }

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx]) *Service { return &Service{units} }

// List lists all money in and out of a scope, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Transaction], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Transaction], error) {
		return Kind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// Ref names a transaction by any of its names; all that are given must
// name the same one. A trx_id and a reference may stand for each other.
type Ref struct{ ID, TrxID, Reference string }

// Get returns the transaction that ref names, or ErrNotFound. It knows no orders: where a business
// may have one that is not paid, payments.Service.Line is the one to ask.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Transaction, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Transaction, error) {
		if ref.ID == "" {
			PrefetchNamed(tx, Kind, ByTrxID, cmp.Or(ref.Reference, ref.TrxID), func(n Name) Transaction { return TransactionNamed(scope, n) })
		}
		return Find(ctx, tx, scope, ref)
	})
}

// Find is Get within a unit.
func Find(ctx context.Context, tx records.Tx, scope ferry.Scope, ref Ref) (found Transaction, err error) {
	id, ok := ferry.CanonicalID(Prefix, ref.ID)
	switch {
	case ref.ID != "" && !ok:
		return Transaction{}, ErrNotFound
	case ok:
		found, err = Kind.Get(ctx, tx, scope, ID(id))
	case ref.Reference != "":
		found, err = findNamed(ctx, tx, scope, ref.Reference)
	default:
		found, err = findNamed(ctx, tx, scope, ref.TrxID)
	}
	named := func(name string) bool { return name == "" || name == found.TrxID || name == found.Reference }
	if err == nil && !(named(ref.TrxID) && named(ref.Reference)) {
		return Transaction{}, ErrNotFound
	}
	return found, err
}

// findNamed returns the transaction of a reference, or else of a trx_id.
func findNamed(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Transaction, error) {
	found, err := Kind.Find(ctx, tx, ByReference, Transaction{Scope: scope, Reference: name})
	if !errors.Is(err, ErrNotFound) {
		return found, err
	}
	return Named(name, func(n Name) (Transaction, error) {
		return Kind.Find(ctx, tx, ByTrxID, TransactionNamed(scope, n))
	})
}

// ReverseIn notes on the line of a reference that its money was taken back. One that
// went back before stays. Errors: ErrNotFound.
func ReverseIn(ctx context.Context, tx Tx, scope ferry.Scope, reference string) error {
	line, err := Kind.Find(ctx, tx, ByReference, Transaction{Scope: scope, Reference: reference})
	if err != nil || line.Status != Success {
		return err
	}
	line.Status, line.UpdatedAt = Reversed, tx.Now()
	return Kind.Update(ctx, tx, line)
}
