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
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
)

// Config is what a Service needs besides its stores. Zero fields take the defaults they name.
type Config struct {
	// Sending says how the items go out.
	Sending disburse.Config
	// Tariffs are what an item costs: those of fees.Payout.
	Tariffs fees.Tariffs
	// Delay is how long after its creation a payout is sent. Default: DefaultDelay.
	Delay time.Duration
}

// DefaultDelay is how long after its creation a payout is sent.
const DefaultDelay = 2 * time.Second

// Service is the payouts of all businesses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	kind   *disburse.Kind[Tx, ItemID, Item]
	items  *disburse.Service[Tx, ItemID, Item]
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	config.Delay = cmp.Or(config.Delay, DefaultDelay)
	kind := newKind()
	return &Service{units, config, kind, disburse.New(units, kind, config.Sending)}
}

// RunDue asks the banks for at most limit items that are due, and returns how many there were.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return s.items.RunDue(ctx, limit)
}

// Follow records what a bank reports of an item. See disburse.Feed.
func (s *Service) Follow(ctx context.Context, env ferry.Env, o bank.Outcome) error {
	return s.items.Follow(ctx, env, o)
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

// Ref names a payout: by its id in either form, by its reference, or by both, which must name
// the same one. Type keeps payouts of a type only, unless it is empty.
type Ref struct {
	ID, Reference string
	Type          Type
}

// Get returns the payout that ref names, or ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Payout, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Payout, error) { return find(ctx, tx, scope, ref) })
}

func find(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (p Payout, err error) {
	if ref.ID != "" {
		id, ok := ferry.CanonicalID(Prefix, ref.ID)
		if !ok {
			return Payout{}, ErrNotFound
		}
		p, err = Kind.Get(ctx, tx, scope, ID(id))
	} else {
		p, err = Kind.Find(ctx, tx, ByReference, Payout{Scope: scope, Reference: ref.Reference})
	}
	switch {
	case err != nil:
		return Payout{}, err
	case ref.Reference != "" && p.Reference != ref.Reference, ref.Type != "" && p.Type != ref.Type:
		return Payout{}, ErrNotFound
	}
	return p, nil
}

// Items returns the items of a payout, in their order.
func (s *Service) Items(ctx context.Context, p Payout) ([]Item, error) {
	return ferry.InRead(ctx, s.units.Of(p.Scope), func(ctx context.Context, tx Tx) ([]Item, error) { return itemsIn(ctx, tx, p) })
}

func itemsIn(ctx context.Context, tx Tx, p Payout) (items []Item, err error) {
	items = make([]Item, p.Counts.Total())
	for item, err := range ItemKind.Newest(ctx, tx, p.Scope, records.Where(records.Is("payout", p.ID))) {
		if err != nil {
			return nil, err
		}
		items[item.Number-1] = item
	}
	return items, nil
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

// CancelIn cancels the items of a payout that are pending, within a unit, and gives back what
// was set aside for them. Items that the bank may have been asked for go on. A payout without
// pending items is ferry.ErrInvalidTransition, unless it is cancelled: that is a success
// without effect.
func (s *Service) CancelIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (Payout, error) {
	p, err := find(ctx, tx, scope, ref)
	if err != nil || p.Status == Cancelled {
		return p, err
	}
	if p.Counts.Pending == 0 {
		return Payout{}, ferry.ErrInvalidTransition.Saying("No item of the payout can be cancelled any more")
	}
	items, err := itemsIn(ctx, tx, p)
	if err != nil {
		return Payout{}, err
	}
	freed := money.NGN(0)
	var last Item
	for _, i := range items {
		if i.Status != ItemPending {
			continue
		}
		edge, err := ItemLifecycle.Next(i.Status, Cancel)
		if err != nil {
			return Payout{}, err
		}
		slice, err := i.Slice()
		if err != nil {
			return Payout{}, err
		}
		if freed, err = freed.Add(slice); err != nil {
			return Payout{}, err
		}
		p.Counts.Pending--
		p.Counts.Cancelled++
		i.Status, i.UpdatedAt = edge.To, tx.Now()
		if last, err = ItemKind.Save(ctx, tx, i); err != nil {
			return Payout{}, err
		}
	}
	p.Status, p.UpdatedAt = p.Counts.Status(), tx.Now()
	if err := p.takeIn(ctx, tx, freed, nil); err != nil {
		return Payout{}, err
	}
	if p, err = Kind.Save(ctx, tx, p); err != nil || p.Counts.Processing > 0 {
		return p, err
	}
	return p, tell(ctx, tx, EventCompleted, p, last)
}

// ProcessIn makes the pending items of a payout due now, within a unit. A payout without
// pending items is a success without effect.
func (s *Service) ProcessIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (Payout, error) {
	return s.dueIn(ctx, tx, scope, ref, ItemPending)
}

// RefreshIn makes the items of a payout whose outcome is open due now, so that the bank is
// asked for it.
func (s *Service) RefreshIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (Payout, error) {
	return s.dueIn(ctx, tx, scope, ref, ItemProcessing)
}

func (s *Service) dueIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref, status ItemStatus) (Payout, error) {
	p, err := find(ctx, tx, scope, ref)
	if err != nil || *p.Counts.in(status) == 0 {
		return p, err
	}
	items, err := itemsIn(ctx, tx, p)
	if err != nil {
		return Payout{}, err
	}
	for _, i := range items {
		if i.Status == status {
			if err := s.kind.ScheduleIn(ctx, tx, orderOf(i), tx.Now()); err != nil {
				return Payout{}, err
			}
		}
	}
	return p, nil
}
