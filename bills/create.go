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
			func(ctx context.Context) (Goods, error) { return s.Find(ctx, scope, p) },
			func(ctx context.Context, tx Tx, g Goods) (Bill, error) {
				return s.addIn(ctx, tx, Bill{Scope: scope, Reference: p.Reference, Goods: g})
			},
			func(b Bill) string { return string(b.ID) },
			func(ctx context.Context, tx Tx, id string) (Bill, error) { return Kind.Get(ctx, tx, scope, ID(id)) },
		),
	}
}

// Find looks up what p means, and what it costs. Errors: those of Create but for what is about
// money and references.
func (s *Service) Find(ctx context.Context, scope ferry.Scope, p Params) (g Goods, err error) {
	if err := scope.Check(); err != nil {
		return g, err
	}
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return g, err
	}
	product, err := s.productOf(ctx, scope.Env, p)
	if err != nil {
		return g, err
	}
	if g.Amount, err = p.costs(product); err != nil {
		return g, err
	}
	customer, err := s.customerOf(ctx, scope.Env, p, product)
	if err != nil && !errors.Is(err, ErrUnavailable) { // the biller may sell all the same
		return g, err
	}
	g.Target, g.ProductName, g.Customer = p.target(product), product.Name, customer.Name
	if p.Phone != "" {
		g.Phone, _ = phone(p.Phone)
	}
	if p.Service == biller.Utility {
		g.VendType = product.Category
	}
	g.Fees, err = s.config.Tariffs.Of(fees.Bill, g.Amount)
	return g, err
}

// ForeseeIn refuses goods that PayIn would refuse now. It counts nothing. Errors: outflow.ErrLimit,
// outflow.ErrDestination.
func (s *Service) ForeseeIn(ctx context.Context, tx Tx, scope ferry.Scope, g Goods) error {
	return s.config.Guard.ForeseeIn(ctx, tx, Bill{Scope: scope, Goods: g}.outflow())
}

// PayIn makes a bill for an order of another domain, within a unit in which the business has got
// what the bill costs. Its reference is its id. Config.Moved hears what becomes of it. Errors: those
// of ForeseeIn, ledger.ErrInsufficientBalance.
func (s *Service) PayIn(ctx context.Context, tx Tx, scope ferry.Scope, g Goods, paidBy string) (Bill, error) {
	return s.addIn(ctx, tx, Bill{Scope: scope, Goods: g, PaidBy: paidBy})
}

// addIn records a bill and reserves what it costs.
func (s *Service) addIn(ctx context.Context, tx Tx, b Bill) (Bill, error) {
	account := ledger.BusinessAccount(b.Scope, money.AssetNGN)
	tx.Ledger().PrefetchAccount(account)
	b.ID, b.Status, b.CreatedAt = ID(tx.NewID(Prefix)), Lifecycle.Initial, tx.Now()
	b.Reference, b.UpdatedAt = cmp.Or(b.Reference, string(b.ID)), tx.Now()
	err := b.reserveIn(ctx, tx, account, s.config.Guard)
	if err != nil {
		return Bill{}, err
	}
	if b, err = Kind.Add(ctx, tx, b); err != nil || b.Stage == outflow.PendingApproval {
		return b, err // ApproveIn makes it due
	}
	return b, orderOf(b).ScheduleIn(ctx, tx, QueueBills, tx.Now())
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
	cost, err := b.Cost()
	if err != nil {
		return err
	}
	return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{ID: b.reservation(), Account: account, Amount: cost, At: tx.Now()})
}
