package bills

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/biller"
)

// Create makes a bill, sets aside what it costs, and has the biller asked at once, or once it is
// approved when it needs that. The product and the customer are looked up first; while the biller
// does not say whom a number belongs to, the bill is made without. Errors: ferry.ErrValidation,
// ErrDuplicateReference, outflow.ErrLimit, outflow.ErrDestination, ledger.ErrInsufficientBalance,
// ErrUnavailable, and biller.ErrNone in an environment without a biller.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p Params) (Bill, error) {
	return operation.Run(ctx, s.CreateOp(scope, p))
}

// CreateOp is Create as an operation, for engine.Do.
func (s *Service) CreateOp(scope ferry.Scope, p Params) ferry.Operation[Tx, Bill] {
	return ferry.Operation[Tx, Bill]{
		Name: "bills.Create", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (quoted, error) { return s.quote(ctx, scope, p) },
			func(ctx context.Context, tx Tx, q quoted) (Bill, error) { return s.createIn(ctx, tx, scope, p, q) },
			func(b Bill) string { return string(b.ID) },
			func(ctx context.Context, tx Tx, id string) (Bill, error) { return Kind.Get(ctx, tx, scope, ID(id)) },
		),
	}
}

// quoted is what the biller says of a bill before it is made.
type quoted struct {
	product  biller.Product
	customer biller.Customer
	amount   money.Amount
}

// quote looks up what p means.
func (s *Service) quote(ctx context.Context, scope ferry.Scope, p Params) (q quoted, err error) {
	if err := scope.Check(); err != nil {
		return q, err
	}
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return q, err
	}
	if q.product, err = s.productOf(ctx, scope.Env, p); err != nil {
		return q, err
	}
	if q.amount, err = p.costs(q.product); err != nil {
		return q, err
	}
	q.customer, err = s.customerOf(ctx, scope.Env, p, q.product)
	if errors.Is(err, ErrUnavailable) {
		err = nil // it may sell all the same
	}
	return q, err
}

// createIn records a bill and reserves what it costs.
func (s *Service) createIn(ctx context.Context, tx Tx, scope ferry.Scope, p Params, q quoted) (Bill, error) {
	account := ledger.BusinessAccount(scope, money.AssetNGN)
	tx.Ledger().PrefetchAccount(account)
	b, err := s.describe(tx, scope, p, q)
	if err != nil {
		return Bill{}, err
	}
	if err := b.reserveIn(ctx, tx, account, s.config.Guard); err != nil {
		return Bill{}, err
	}
	if b, err = Kind.Add(ctx, tx, b); err != nil || b.Stage == outflow.PendingApproval {
		return b, err // ApproveIn makes it due
	}
	return b, s.kind.ScheduleIn(ctx, tx, orderOf(b), tx.Now())
}

// describe returns the row of a bill.
func (s *Service) describe(tx Tx, scope ferry.Scope, p Params, q quoted) (b Bill, err error) {
	b = Bill{
		ID: ID(tx.NewID(Prefix)), Scope: scope, Status: Lifecycle.Initial, Target: p.target(q.product), ProductName: q.product.Name,
		Customer: q.customer.Name, Amount: q.amount, CreatedAt: tx.Now(),
	}
	b.Reference, b.UpdatedAt = cmp.Or(p.Reference, string(b.ID)), tx.Now()
	if p.Phone != "" {
		b.Phone, _ = phone(p.Phone)
	}
	if p.Service == biller.Utility {
		b.VendType = q.product.Category
	}
	b.Fees, err = s.config.Tariffs.Of(fees.Bill, b.Amount)
	return b, err
}

// outflow is a bill as the guard of what leaves sees it. No business can list the number of a bill
// among its destinations: one that pays those only buys no bills.
func (b Bill) outflow() outflow.Order {
	return outflow.Order{
		Scope: b.Scope, Kind: outflow.Bill, ID: string(b.ID), Reference: b.Reference, Amount: b.Amount,
		To: []outflow.Target{{Destination: outflow.Destination{AccountNumber: b.Number}, Field: "number"}},
	}
}

// reserveIn sets aside what a bill costs, and notes what the bill has to wait for. A reference that
// is taken is refused before a shortage, which the bill of that reference may have caused.
func (b *Bill) reserveIn(ctx context.Context, tx Tx, account ledger.AccountID, guard outflow.Guard) error {
	switch _, err := Kind.Find(ctx, tx, ByReference, *b); {
	case err == nil:
		return ErrDuplicateReference
	case !errors.Is(err, ErrNotFound):
		return err
	}
	var err error
	if b.Stage, err = guard.AdmitIn(ctx, tx, b.outflow()); err != nil {
		return err
	}
	cost, err := b.booked().Cost()
	if err != nil {
		return err
	}
	return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{ID: b.reservation(), Account: account, Amount: cost, At: tx.Now()})
}
