package payouts

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
)

// Config is what a Service needs besides its stores. Zero fields take the defaults they name.
type Config struct {
	// Sending says how the items go out.
	Sending disburse.Config
	// Tariffs are what an item costs: those of fees.Payout.
	Tariffs fees.Tariffs
	// Guard decides which payouts may be made.
	Guard outflow.Guard
	// Delay is how long after its creation a payout is sent. Default: DefaultDelay.
	Delay time.Duration
}

// DefaultDelay is how long after its creation a payout is sent.
const DefaultDelay = 2 * time.Second

// Service is the payouts of all businesses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	items  disburse.Service[Item]
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	config.Delay = cmp.Or(config.Delay, DefaultDelay)
	return &Service{units, config, disburse.New(units, newKind(), config.Sending)}
}

// RunDue asks the banks for at most limit items that are due, and returns how many there were.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return s.items.RunDue(ctx, limit)
}

// Follow records what a bank reports of an item. See disburse.Feed.
func (s *Service) Follow(ctx context.Context, env ferry.Env, o bank.Outcome) error {
	return s.items.Follow(ctx, env, o)
}

// Resolve ends an item that a person has looked into. See disburse.Service.Resolve.
func (s *Service) Resolve(ctx context.Context, env ferry.Env, r disburse.Resolution) (disburse.Resolution, error) {
	return s.items.Resolve(ctx, env, r)
}

// Reconcile compares the items of an environment with its bank's reports of them.
func (s *Service) Reconcile(ctx context.Context, env ferry.Env) (disburse.Reconciliation, error) {
	return s.items.Reconcile(ctx, env)
}

// Enquire returns the holder of an account at any bank. Errors: ErrUnknownAccount,
// ErrUnavailable.
func (s *Service) Enquire(ctx context.Context, env ferry.Env, bankCode, accountNumber string) (bank.Holder, error) {
	b, err := ferry.Provider(s.config.Sending.Banks, env, bank.ErrNone)
	if err != nil {
		return bank.Holder{}, err
	}
	holder, err := b.Enquire(ctx, bankCode, accountNumber)
	switch {
	case errors.Is(err, bank.ErrNoHolder):
		return bank.Holder{}, ErrUnknownAccount
	case err != nil:
		return bank.Holder{}, ErrUnavailable.Because(err)
	}
	return holder, nil
}

// Filter keeps payouts; the zero value keeps all.
type Filter struct {
	Type   Type
	Status Status
	Source string
	Range  ferry.Range
}

// Query selects the payouts that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(records.Is("type", f.Type), records.Is("status", f.Status), records.Is("source", f.Source)).During(f.Range)
}

// List lists the payouts of a scope, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Payout], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Payout], error) {
		return Kind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// All walks the payouts that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Payout, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(p Payout) string { return string(p.ID) })
}
