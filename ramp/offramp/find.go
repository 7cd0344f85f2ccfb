package offramp

import (
	"context"
	"errors"
	"iter"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

// Ref names an order: by its id in either form, by its reference, or by both, which must name the
// same one.
type Ref struct {
	ID, Reference string
	// Pays keeps orders with that payee. Default: all.
	Pays Payee
}

// Details are an order with what came for it, the oldest first.
type Details struct {
	Order
	Deposits []Deposit
}

// Get returns the order that ref names, with its deposits. Errors: ramp.ErrNotFound, or
// bills.ErrNotFound;
// wallets.ErrAddressCompromised for one that is to be paid to an address that is not that of its
// key.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Details, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Details, error) {
		o, err := findIn(ctx, tx, scope, ref)
		if err != nil {
			return Details{}, err
		}
		return s.shownIn(ctx, tx, o)
	})
}

// means reports whether an order has the reference and the payee of ref, if it names them.
func (ref Ref) means(o Order) bool {
	return o.ID != "" && (ref.Reference == "" || ref.Reference == o.Reference) && (ref.Pays == "" || ref.Pays == o.Pays)
}

// findIn returns the order that ref names: ramp.ErrNotFound, or bills.ErrNotFound when it is to be
// one that pays a bill.
func findIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (o Order, err error) {
	id, ok := ferry.CanonicalID(Prefix, ref.ID)
	switch {
	case ref.ID == "":
		o, err = Kind.Find(ctx, tx, ByReference, Order{Scope: scope, Reference: ref.Reference})
	case ok:
		o, err = Kind.Get(ctx, tx, scope, ID(id))
	}
	if err == nil && !ref.means(o) {
		o, err = Order{}, ramp.ErrNotFound
	}
	if errors.Is(err, ramp.ErrNotFound) && ref.Pays == ToBill {
		err = bills.ErrNotFound
	}
	return o, err
}

// shownIn returns an order with its deposits, as it may be shown to a payer.
func (s *Service) shownIn(ctx context.Context, tx Tx, o Order) (Details, error) {
	o, err := s.soundIn(ctx, tx, o)
	if err == nil && o.Deposit == "" && o.Stage == ramp.AwaitingDeposit {
		err = wallets.ErrAddressCompromised
	}
	if err != nil {
		return Details{}, err
	}
	all, err := depositsOf(ctx, tx, o.ID)
	return Details{o, all}, err
}

// soundIn leaves out an address that is not that of its key.
func (s *Service) soundIn(ctx context.Context, tx Tx, o Order) (Order, error) {
	err := s.config.Wallets.VerifyAddress(ctx, tx, platform(o.Scope.Env), o.Address, o.Deposit)
	if errors.Is(err, wallets.ErrAddressCompromised) {
		o.Deposit, err = "", nil
	}
	return o, err
}

// depositsOf returns the deposits of an order, the oldest first.
func depositsOf(ctx context.Context, tx Books, id ID) (all []Deposit, err error) {
	for d, err := range DepositKind.Walk(ctx, tx, ofOrder(id)) {
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// orderAt returns the order to which an address belongs, and false for an address of no order.
func orderAt(ctx context.Context, tx Tx, env ferry.Env, address wallets.AddressID) (Order, bool, error) {
	o, err := Kind.Find(ctx, tx, byAddress, Order{Scope: ferry.Scope{Env: env}, Address: address})
	if errors.Is(err, ramp.ErrNotFound) {
		return Order{}, false, nil
	}
	return o, err == nil, err
}

// Filter keeps orders; the zero value keeps all.
type Filter struct {
	Status ramp.Status
	Pays   Payee
	// Search keeps orders whose reference, the number or name of whose account, or the number of
	// whose bill contains it.
	Search string
	Range  ferry.Range
}

// Query selects the orders that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(records.Is("status", f.Status), records.Is("pays", f.Pays)).During(f.Range).Searching(f.Search)
}

// List lists the orders of a scope, newest first. One whose address is not that of its key has
// none.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Order], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Order], error) {
		found, err := Kind.Page(ctx, tx, scope, f.Query(), page)
		if err != nil {
			return found, err
		}
		return ferry.MapList(found, func(o Order) (Order, error) { return s.soundIn(ctx, tx, o) })
	})
}

// All walks the orders that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Order, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(o Order) string { return string(o.ID) })
}
