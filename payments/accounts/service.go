package accounts

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
)

// Config is what a Service needs besides its stores. Zero fields take the
// defaults they name.
type Config struct {
	// Banks issue the accounts. In an environment without one, none are issued.
	Banks map[ferry.Env]bank.Bank
	// Verifies returns nil in an environment where identities are verified, and else why
	// not. Default: everywhere.
	Verifies func(ferry.Env) error
	// ReadBank books the credits of an environment's bank up to an instant. An error
	// says that the bank may know of more. Required.
	ReadBank func(ctx context.Context, env ferry.Env, before time.Time) error
}

// Service is the collection accounts of all businesses. It is safe for concurrent
// use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	if config.Verifies == nil {
		config.Verifies = func(ferry.Env) error { return nil }
	}
	return &Service{units, config}
}

// bank returns the bank of an environment, or ErrNoBank.
func (s *Service) bank(env ferry.Env) (bank.Bank, error) {
	return ferry.Provider(s.config.Banks, env, ErrNoBank)
}

// Get returns an account of a kind by its id in either form, or ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, kind Kind, id string) (Account, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Account, error) {
		return find(ctx, tx, scope, kind, id)
	})
}

// Ref names an account of either kind by its id, by its number, or by both, which then
// must name the same account.
type Ref struct{ ID, Number string }

// Find returns the account that ref names, or ErrNotFound.
func (s *Service) Find(ctx context.Context, scope ferry.Scope, ref Ref) (Account, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Account, error) {
		found, err := findAny(ctx, tx, scope, ref)
		if err != nil || found.Scope != scope || ref.Number != "" && ref.Number != found.Bank.AccountNumber {
			return Account{}, cmp.Or(err, error(ErrNotFound))
		}
		return found, nil
	})
}

func findAny(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (Account, error) {
	if ref.ID == "" {
		return AccountKind.Find(ctx, tx, byNumber, numbered(scope.Env, ref.Number))
	}
	found, err := find(ctx, tx, scope, Reserved, ref.ID)
	if errors.Is(err, ErrNotFound) {
		return find(ctx, tx, scope, Virtual, ref.ID)
	}
	return found, err
}

func find(ctx context.Context, tx Tx, scope ferry.Scope, kind Kind, id string) (Account, error) {
	canonical, ok := ferry.CanonicalID(prefixes[kind], id)
	if !ok {
		return Account{}, ErrNotFound
	}
	return AccountKind.Get(ctx, tx, scope, ID(canonical))
}

// List lists accounts, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Account], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Account], error) {
		return AccountKind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// All walks the accounts that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Account, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(a Account) string { return string(a.ID) })
}

func reservedFor(customer customers.ID) records.Query {
	return Filter{Kind: Reserved, Customer: customer}.Query()
}

// PrefetchOfCustomer says that the unit will call OfCustomerIn.
func PrefetchOfCustomer(tx Tx, scope ferry.Scope, customer customers.ID) {
	AccountKind.PrefetchNewest(tx, scope, reservedFor(customer))
}

// OfCustomerIn returns the ids of a customer's reserved accounts, newest first,
// within a unit.
func (s *Service) OfCustomerIn(ctx context.Context, tx Tx, scope ferry.Scope, customer customers.ID) ([]ID, error) {
	ids := []ID{}
	for a, err := range AccountKind.Newest(ctx, tx, scope, reservedFor(customer)) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, a.ID)
	}
	return ids, nil
}

// Close closes an active account. One that is closed already is a success without
// effect. Errors: ErrNotFound, ferry.ErrInvalidTransition.
func (s *Service) Close(ctx context.Context, scope ferry.Scope, kind Kind, id string) (Account, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Account, error) {
		return s.CloseIn(ctx, tx, scope, kind, id)
	})
}

// CloseIn is Close within a unit.
func (s *Service) CloseIn(ctx context.Context, tx Tx, scope ferry.Scope, kind Kind, id string) (Account, error) {
	a, err := find(ctx, tx, scope, kind, id)
	if err != nil || a.Status == Closed {
		return a, err
	}
	return moveIn(ctx, tx, a, Close)
}

func moveIn(ctx context.Context, tx Tx, a Account, cause Cause) (Account, error) {
	edge, err := a.lifecycle().Next(a.Status, cause)
	if err != nil {
		return Account{}, err
	}
	a.Status, a.UpdatedAt = edge.To, tx.Now()
	return AccountKind.Save(ctx, tx, a)
}
