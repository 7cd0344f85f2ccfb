package onramp

import (
	"cmp"
	"context"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Config is what a Service needs besides its stores. Zero fields take the defaults they name;
// those without one are required.
type Config struct {
	// Quotes prices orders, Wallets makes addresses, and Outgoing sends USDC.
	Quotes   *ramp.Quoter
	Wallets  *wallets.Service
	Outgoing *outgoing.Service
	// Banks open accounts, in the environments that have them.
	Banks map[ferry.Env]bank.Bank
	// ReadBank books the credits of an environment's bank up to an instant. An error says that
	// the bank may know of more.
	ReadBank func(ctx context.Context, env ferry.Env, before time.Time) error
	// Stock is called when the address that pays is made, to fund that of a sandbox. Default:
	// the operator funds it.
	Stock func(ctx context.Context, env ferry.Env, address chain.Address) error
	// Patience is how long an order waits, once it is paid, for USDC to be sent or for the chain
	// to answer. Then the naira go back. Default: 24 h.
	Patience time.Duration
}

// Service is the onramps of all businesses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	config.Patience = cmp.Or(config.Patience, 24*time.Hour)
	if config.Stock == nil {
		config.Stock = func(context.Context, ferry.Env, chain.Address) error { return nil }
	}
	return &Service{units, config}
}

// Ref names an order: by its id in either form, by its reference, or by both, which must name
// the same one.
type Ref struct{ ID, Reference string }

// Get returns the order that ref names, or ramp.ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Order, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Order, error) {
		return findIn(ctx, tx, scope, ref)
	})
}

// Refresh is Get after the bank was asked for what has come. A bank that does not answer changes
// nothing.
func (s *Service) Refresh(ctx context.Context, scope ferry.Scope, ref Ref) (Order, error) {
	o, err := s.Get(ctx, scope, ref)
	if err != nil || o.Stage != ramp.AwaitingFunds {
		return o, err
	}
	now, err := ferry.Now(ctx, s.units.Of(scope))
	if err != nil {
		return Order{}, err
	}
	if err := s.config.ReadBank(ctx, scope.Env, now); err != nil && ctx.Err() != nil {
		return Order{}, err
	}
	return s.Get(ctx, scope, ref)
}

func findIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (o Order, err error) {
	if ref.ID == "" {
		return Kind.Find(ctx, tx, ByReference, Order{Scope: scope, Reference: ref.Reference})
	}
	id, ok := ferry.CanonicalID(Prefix, ref.ID)
	if !ok {
		return Order{}, ramp.ErrNotFound
	}
	o, err = Kind.Get(ctx, tx, scope, ID(id))
	if err == nil && ref.Reference != "" && o.Reference != ref.Reference {
		return Order{}, ramp.ErrNotFound
	}
	return o, err
}

// Filter keeps orders; the zero value keeps all.
type Filter struct {
	Status ramp.Status
	// Search keeps orders whose reference contains it.
	Search string
	Range  ferry.Range
}

// Query selects the orders that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(records.Is("status", f.Status)).During(f.Range).Searching(f.Search)
}

// List lists the orders of a scope, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Order], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Order], error) {
		return Kind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// All walks the orders that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Order, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(o Order) string { return string(o.ID) })
}
