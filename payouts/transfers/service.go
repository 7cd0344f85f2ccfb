package transfers

import (
	"context"
	"iter"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
)

// Config is what a Service needs besides its stores.
type Config struct {
	// Sending says how the transfers go out.
	Sending disburse.Config
	// Tariffs are what a transfer costs: those of fees.Transfer.
	Tariffs fees.Tariffs
	// Guard decides which transfers may be made.
	Guard outflow.Guard
	// Enquire returns the holder of an account, as payouts.Service does.
	Enquire func(ctx context.Context, env ferry.Env, bankCode, accountNumber string) (bank.Holder, error)
}

// Service is the fiat transfers of all businesses. It is safe for concurrent use.
type Service struct {
	units     ferry.EnvUnits[Tx]
	config    Config
	transfers disburse.Service[Transfer]
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	return &Service{units, config, disburse.New(units, newKind(), config.Sending)}
}

// RunDue asks the banks for at most limit transfers that are due, and returns how many there
// were.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return s.transfers.RunDue(ctx, limit)
}

// Follow records what a bank reports of a transfer. See disburse.Feed.
func (s *Service) Follow(ctx context.Context, env ferry.Env, o bank.Outcome) error {
	return s.transfers.Follow(ctx, env, o)
}

// Resolve ends a transfer that a person has looked into. See disburse.Service.Resolve.
func (s *Service) Resolve(ctx context.Context, env ferry.Env, r disburse.Resolution) (disburse.Resolution, error) {
	return s.transfers.Resolve(ctx, env, r)
}

// Reconcile compares the transfers of an environment with its bank's reports of them.
func (s *Service) Reconcile(ctx context.Context, env ferry.Env) (disburse.Reconciliation, error) {
	return s.transfers.Reconcile(ctx, env)
}

// Ref names a transfer: by its id in either form, by its reference, or by both, which must name
// the same one.
type Ref struct{ ID, Reference string }

// Get returns the transfer that ref names, or ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Transfer, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Transfer, error) { return GetIn(ctx, tx, scope, ref) })
}

// GetIn is Get within a unit.
func GetIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (t Transfer, err error) {
	if ref.ID == "" {
		return Kind.Find(ctx, tx, ByReference, Transfer{Scope: scope, Reference: ref.Reference})
	}
	id, ok := ferry.CanonicalID(Prefix, ref.ID)
	if !ok {
		return Transfer{}, ErrNotFound
	}
	t, err = Kind.Get(ctx, tx, scope, ID(id))
	if err == nil && ref.Reference != "" && t.Reference != ref.Reference {
		err = ErrNotFound
	}
	return t, err
}

// Filter keeps transfers; the zero value keeps all.
type Filter struct {
	Status Status
	Range  ferry.Range
}

// Query selects the transfers that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(records.Is("status", f.Status)).During(f.Range)
}

// List lists the transfers of a scope, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Transfer], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Transfer], error) {
		return Kind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// All walks the transfers that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Transfer, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(t Transfer) string { return string(t.ID) })
}
