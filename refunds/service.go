package refunds

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Config is what a Service needs besides its stores. Zero fields take the defaults they name.
type Config struct {
	// Sending says how automatic refunds go out.
	Sending disburse.Config
	// Tariffs are what a refund costs: those of fees.Refund.
	Tariffs fees.Tariffs
	// Outgoing sends automatic refunds of USDC.
	Outgoing *outgoing.Service
	// Guard decides what may leave.
	Guard outflow.Guard
	// Delay is how long after its creation an automatic refund is processed, when its
	// request names no time. Default: DefaultDelay.
	Delay time.Duration
}

// DefaultDelay is how long after its creation an automatic refund is processed.
const DefaultDelay = 10 * time.Minute

// Service is the refunds of all businesses. It is safe for concurrent use.
type Service struct {
	units    ferry.EnvUnits[Tx]
	config   Config
	payments disburse.Service[Refund]
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	config.Delay = cmp.Or(config.Delay, DefaultDelay)
	config.Sending.Lease = cmp.Or(config.Sending.Lease, time.Minute)
	return &Service{units, config, disburse.New(units, newKind(), config.Sending)}
}

// RunDue processes automatic refunds whose time has come, and asks the banks for those that
// are processing: at most limit of each. It returns how many there were.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	started, err := s.startDue(ctx, limit)
	paid, failed := s.payments.RunDue(ctx, limit)
	return started + paid, errors.Join(err, failed)
}

// Follow records what a bank reports of a refund. See disburse.Feed.
func (s *Service) Follow(ctx context.Context, env ferry.Env, o bank.Outcome) error {
	return s.payments.Follow(ctx, env, o)
}

// Reconcile compares the automatic refunds of an environment with its bank's reports of them.
func (s *Service) Reconcile(ctx context.Context, env ferry.Env) (disburse.Reconciliation, error) {
	return s.payments.Reconcile(ctx, env)
}

// Ref names a refund: by its id in either form, by its reference, or by both, which must name
// the same one.
type Ref struct{ ID, Reference string }

// Get returns the refund that ref names, or ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Refund, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Refund, error) { return Find(ctx, tx, scope, ref) })
}

// Named finds a refund by its id in either form, or by its reference. Errors: ErrNotFound.
func Named(ctx context.Context, tx Tx, scope ferry.Scope, name string) (Refund, error) {
	return ferry.FirstFound(func(r Ref) (Refund, error) { return Find(ctx, tx, scope, r) }, Ref{ID: name}, Ref{Reference: name})
}

// Find is Get within a unit.
func Find(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (r Refund, err error) {
	if ref.ID != "" {
		id, ok := ferry.CanonicalID(Prefix, ref.ID)
		if !ok {
			return Refund{}, ErrNotFound
		}
		r, err = Kind.Get(ctx, tx, scope, ID(id))
	} else {
		r, err = Kind.Find(ctx, tx, ByReference, Refund{Scope: scope, Reference: ref.Reference})
	}
	if err == nil && ref.Reference != "" && r.Reference != ref.Reference {
		return Refund{}, ErrNotFound
	}
	return r, err
}

// Filter keeps refunds; the zero value keeps all.
type Filter struct {
	Status Status
	Range  ferry.Range
}

// Query selects the refunds that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(records.Is("status", f.Status)).During(f.Range)
}

// List lists the refunds of a scope, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Refund], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Refund], error) {
		return Kind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// All walks the refunds that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Refund, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(r Refund) string { return string(r.ID) })
}
