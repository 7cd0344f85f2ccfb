package bills

import (
	"context"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/records"
)

// Config is what a Service needs besides its stores.
type Config struct {
	// Sending says how bills are bought, and of which billers.
	Sending disburse.Config
	// Tariffs are what a bill costs: those of fees.Bill.
	Tariffs fees.Tariffs
	// Guard decides which bills may be bought.
	Guard outflow.Guard
	// Moved, if not nil, hears of each move of a bill that an order of another domain pays for, in
	// the unit of the move.
	Moved func(ctx context.Context, tx Tx, b Bill, by Cause) error
}

// Service is the bills of all businesses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	bills  disburse.Service[Bill]
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	s := &Service{units: units, config: config}
	s.bills = disburse.New(units, newKind(s), config.Sending)
	return s
}

// RunDue asks the billers for at most limit bills that are due, and returns how many there were.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return s.bills.RunDue(ctx, limit)
}

// Refresh asks the biller what became of a bill that it was asked for, and books the answer. It asks
// for no purchase. A biller that does not answer leaves the bill as it is.
func (s *Service) Refresh(ctx context.Context, scope ferry.Scope, id ID) error {
	b, err := s.Get(ctx, scope, Ref{ID: string(id)})
	if err != nil || b.Status != Processing {
		return err
	}
	_, err = s.bills.Refresh(ctx, b)
	return err
}

// Resolve ends a bill that a person has looked into. See disburse.Service.Resolve.
func (s *Service) Resolve(ctx context.Context, env ferry.Env, r disburse.Resolution) (disburse.Resolution, error) {
	return s.bills.Resolve(ctx, env, r)
}

// compared is how long after its end a bill is compared with the word of its biller.
const compared = 7 * 24 * time.Hour

// Reconcile compares the bills of an environment that are open, or have ended in the week before an
// instant, with what its biller says of each. Errors: biller.ErrNone, biller.ErrUnavailable.
func (s *Service) Reconcile(ctx context.Context, env ferry.Env, now time.Time) (disburse.Reconciliation, error) {
	if _, err := ferry.Provider(s.config.Sending.Billers, env, biller.ErrNone); err != nil {
		return disburse.Reconciliation{}, err
	}
	return s.bills.ReconcileSince(ctx, env, now.Add(-compared))
}

// Ref names a bill: by its id in either form, by its reference, or by both, which must name the
// same one.
type Ref struct{ ID, Reference string }

// Get returns the bill that ref names, or ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Bill, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Bill, error) { return GetIn(ctx, tx, scope, ref) })
}

// GetIn is Get within a unit.
func GetIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (b Bill, err error) {
	if ref.ID == "" {
		return Kind.Find(ctx, tx, ByReference, Bill{Scope: scope, Reference: ref.Reference})
	}
	id, ok := ferry.CanonicalID(Prefix, ref.ID)
	if !ok {
		return Bill{}, ErrNotFound
	}
	b, err = Kind.Get(ctx, tx, scope, ID(id))
	if err == nil && ref.Reference != "" && b.Reference != ref.Reference {
		err = ErrNotFound
	}
	return b, err
}

// Filter keeps bills; the zero value keeps all.
type Filter struct {
	Status  Status
	Service biller.Service
	// Search keeps bills whose reference or number contains it.
	Search string
	Range  ferry.Range
}

// Query selects the bills that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(records.Is("status", f.Status), records.Is("service", f.Service)).During(f.Range).Searching(f.Search)
}

// List lists the bills of a scope, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Bill], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Bill], error) {
		return Kind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// All walks the bills that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Bill, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(b Bill) string { return string(b.ID) })
}
