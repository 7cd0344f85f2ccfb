package payments

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
)

// Service is the payments of all businesses. It is safe for concurrent use.
type Service struct {
	units   ferry.EnvUnits[Tx]
	returns disburse.Service[Return]
}

// New returns a Service over units. The config is of the returns that it sends.
func New(units ferry.EnvUnits[Tx], returning disburse.Config) *Service {
	return &Service{units, disburse.New(units, returns, returning)}
}

// RunDue asks the banks to send back at most limit returns that are due, and returns how
// many there were. A bank that does not accept one is asked again.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return s.returns.RunDue(ctx, limit)
}

// Reconcile compares the returns of an environment with its bank's reports of them
// (checks "return", "refused" and "in_flight"). It changes nothing.
func (s *Service) Reconcile(ctx context.Context, env ferry.Env) (disburse.Reconciliation, error) {
	return s.returns.Reconcile(ctx, env)
}

// Ref names a payment by its reference, by its id, or by both, which then must
// name the same payment. Either may stand for the other.
type Ref struct{ Reference, ID string }

// Get returns the payment that ref names. Errors: ErrNotFound, and
// ErrInvalidReference for what cannot be a name of one.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Payment, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Payment, error) {
		statement.PrefetchNamed(tx, PaymentKind, ByName, cmp.Or(ref.ID, ref.Reference), func(n statement.Name) Payment { return PaymentNamed(scope, n) })
		return Find(ctx, tx, scope, ref)
	})
}

// Find is Get within a unit.
func Find(ctx context.Context, tx records.Tx, scope ferry.Scope, ref Ref) (Payment, error) {
	p, err := findNamed(ctx, tx, scope, cmp.Or(ref.ID, ref.Reference))
	if _, isID := ferry.CanonicalID(Prefix, ref.ID); ref.ID != "" && errors.Is(err, ErrNotFound) && !isID {
		return Payment{}, ErrInvalidReference
	}
	if err == nil && ref.Reference != "" && !p.isCalled(ref.Reference) {
		return Payment{}, ErrNotFound
	}
	return p, err
}

// isCalled reports whether a name is the reference of a payment, or its id in either form.
func (p Payment) isCalled(name string) bool {
	id, _ := ferry.CanonicalID(Prefix, name)
	return name == p.Reference || id == string(p.ID)
}

// findNamed returns the payment of an id or a reference. No reference has the form of
// an id.
func findNamed(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Payment, error) {
	if text.Reference(name) != "" {
		return Payment{}, ErrInvalidReference
	}
	id, ok := ferry.CanonicalID(Prefix, name)
	if ok && strings.HasPrefix(name, Prefix) {
		return PaymentKind.Get(ctx, tx, scope, ID(id))
	}
	p, err := statement.Named(name, func(n statement.Name) (Payment, error) {
		return PaymentKind.Find(ctx, tx, ByName, PaymentNamed(scope, n))
	})
	if ok && errors.Is(err, ErrNotFound) { // a uid_ and no trx_id
		return PaymentKind.Get(ctx, tx, scope, ID(id))
	}
	return p, err
}

// Line returns the line of all money in and out that ref names. A trx_id means an order of the
// business first, also one that is not paid and has no line: a line of the same name that came
// with a public key is not found then. Errors: statement.ErrNotFound.
func (s *Service) Line(ctx context.Context, scope ferry.Scope, ref statement.Ref) (statement.Transaction, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (statement.Transaction, error) {
		if ref.ID == "" {
			statement.PrefetchNamed(tx, statement.Kind, statement.ByTrxID, cmp.Or(ref.Reference, ref.TrxID), func(n statement.Name) statement.Transaction {
				return statement.TransactionNamed(scope, n)
			})
		}
		return LineOf(ctx, tx, scope, ref)
	})
}

// LineOf is Line within a unit.
func LineOf(ctx context.Context, tx records.Tx, scope ferry.Scope, ref statement.Ref) (statement.Transaction, error) {
	line, err := statement.Find(ctx, tx, scope, ref)
	if err != nil || !line.Public || ref.ID != "" || ref.Reference == line.Reference || ref.TrxID == line.Reference {
		return line, err
	}
	switch _, err := PaymentKind.Find(ctx, tx, ByName, PaymentNamed(scope, statement.Name{TrxID: line.TrxID})); {
	case errors.Is(err, ErrNotFound):
		return line, nil
	case err != nil:
		return line, err
	}
	return statement.Transaction{}, statement.ErrNotFound
}

// List lists the payments of a scope, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Payment], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Payment], error) {
		return PaymentKind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// All walks the payments of a scope that a filter keeps, newest first.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Payment, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(p Payment) string { return string(p.ID) })
}

// Receipts returns what arrived for a payment, oldest first.
func (s *Service) Receipts(ctx context.Context, p Payment) ([]Receipt, error) {
	return ferry.InRead(ctx, s.units.In(p.Scope.Env), func(ctx context.Context, tx Tx) ([]Receipt, error) {
		return ReceiptsOf(ctx, tx, p)
	})
}

// ReceiptsOf is Receipts within a unit. Every row is read by its key.
func ReceiptsOf(ctx context.Context, tx records.Tx, p Payment) ([]Receipt, error) {
	for _, id := range p.Receipts {
		ReceiptKind.Prefetch(tx, p.Scope, id)
	}
	receipts := make([]Receipt, len(p.Receipts))
	for i, id := range p.Receipts {
		var err error
		if receipts[i], err = ReceiptKind.Get(ctx, tx, p.Scope, id); err != nil {
			return nil, err
		}
	}
	return receipts, nil
}
