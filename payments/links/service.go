package links

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
)

// Config configures a Service.
type Config struct {
	// Takes returns nil when the environment has a method to pay a business for an order
	// in an asset. Its error refuses the link. Default: it always has one.
	Takes func(b business.Business, order money.Asset) error
}

// Service is the payment links of all businesses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	if config.Takes == nil {
		config.Takes = func(business.Business, money.Asset) error { return nil }
	}
	return &Service{units, config}
}

// Get returns a link by its id in either form, as it stands now, or ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, id string) (Details, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Details, error) {
		Prefetch(tx, scope, id)
		return GetIn(ctx, tx, scope, id)
	})
}

// Prefetch says that a unit will read a link by GetIn.
func Prefetch(tx Tx, scope ferry.Scope, id string) {
	if canonical, ok := ferry.CanonicalID(Prefix, id); ok {
		LinkKind.Prefetch(tx, scope, ID(canonical))
		TallyKind.Prefetch(tx, scope, ID(canonical))
	}
}

// GetIn is Get within a unit.
func GetIn(ctx context.Context, tx Tx, scope ferry.Scope, id string) (Details, error) {
	l, err := Find(ctx, tx, scope, id)
	if err != nil {
		return Details{}, err
	}
	return detailsIn(ctx, tx, l)
}

// BySlug returns the link of any business that has a slug, as it stands now, or
// ErrNotFound.
func (s *Service) BySlug(ctx context.Context, slug string) (Link, error) {
	read := func(ctx context.Context, tx Tx) (Link, error) {
		l, err := LinkKind.Find(ctx, tx, BySlug, Link{Slug: slug})
		return l.At(tx.Now()), err
	}
	l, err := ferry.InRead(ctx, s.units.In(ferry.Live), read)
	if err != nil || l.Scope.Env == ferry.Live {
		return l, err
	}
	return ferry.InRead(ctx, s.units.In(l.Scope.Env), read) // by its own clock
}

// Find returns a link by its id in either form, as it stands now.
func Find(ctx context.Context, tx Tx, scope ferry.Scope, id string) (Link, error) {
	canonical, ok := ferry.CanonicalID(Prefix, id)
	if !ok {
		return Link{}, ErrNotFound
	}
	l, err := LinkKind.Get(ctx, tx, scope, ID(canonical))
	return l.At(tx.Now()), err
}

// Places is how many more payments a link takes.
type Places struct {
	// Limited says that the link has a limit. Left are the places that nobody has, and
	// Unpaid those of orders that are not paid: they may become free.
	Limited      bool
	Left, Unpaid int64
}

// Places counts the places of a link.
func (s *Service) Places(ctx context.Context, l Link) (Places, error) {
	if l.QuantityLimit == 0 {
		return Places{}, nil
	}
	tally, err := ferry.InRead(ctx, s.units.Of(l.Scope), func(ctx context.Context, tx Tx) (Tally, error) {
		return TallyOf(ctx, tx, l.Scope, l.ID)
	})
	return Places{true, max(0, l.QuantityLimit-tally.Taken), tally.Taken - tally.Paid}, err
}

// detailsIn adds to a link what was paid through it.
func detailsIn(ctx context.Context, tx Tx, l Link) (Details, error) {
	tally, err := TallyOf(ctx, tx, l.Scope, l.ID)
	total := money.Of(l.Amount.Asset(), tally.Total.Minor())
	return Details{l, tally.Paid, total}, err
}

// List lists the links of a scope with what was paid through them, newest first.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Details], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Details], error) {
		return ListIn(ctx, tx, scope, f, page)
	})
}

// ListIn is List within a unit.
func ListIn(ctx context.Context, tx Tx, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Details], error) {
	q := f.Query(tx.Now())
	TallyKind.PrefetchOf(tx, LinkKind.RowsOn(scope, q, page).Values("id"))
	found, err := LinkKind.Page(ctx, tx, scope, q, page)
	if err != nil {
		return ferry.List[Details]{}, err
	}
	for _, l := range found.Data {
		TallyKind.Prefetch(tx, scope, l.ID)
	}
	return ferry.MapList(found, func(l Link) (Details, error) { return detailsIn(ctx, tx, l.At(tx.Now())) })
}

// All walks the links that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Details, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(d Details) string { return string(d.ID) })
}

// SetStatus moves a link to a status that a dialect names: under A only Disabled,
// under B any of its four. The present one is a success without effect. A link of
// policy A can only be disabled, whoever asks. Errors: ferry.ErrValidation,
// ErrNotFound, ferry.ErrInvalidTransition.
func (s *Service) SetStatus(ctx context.Context, scope ferry.Scope, id string, as business.Dialect, to Status) (Details, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Details, error) {
		return s.SetStatusIn(ctx, tx, scope, id, as, to)
	})
}

// named are the statuses that a dialect may ask for.
var named = map[business.Dialect][]Status{
	business.DialectA: {Disabled},
	business.DialectB: {Pending, Active, Inactive, Ended},
}

// causes names what leads to each status that a business may ask for, by policy.
var causes = map[business.Dialect]map[Status]cause{
	business.DialectA: {Disabled: causeDisabled},
	business.DialectB: {Active: causeActivated, Inactive: causeDeactivated, Ended: causeExpired},
}

// own is a status that the other dialect names, in the words of the link's policy.
func (l Link) own(asked Status) Status {
	switch {
	case l.Policy == business.DialectA && asked == Inactive:
		return Disabled
	case l.Policy == business.DialectB && asked == Disabled:
		return Inactive
	}
	return asked
}

// SetStatusIn is SetStatus within a unit.
func (s *Service) SetStatusIn(ctx context.Context, tx Tx, scope ferry.Scope, id string, as business.Dialect, to Status) (Details, error) {
	if !slices.Contains(named[as], to) {
		return Details{}, ferry.ErrValidation.About("status", oneOf(named[as]))
	}
	l, err := Find(ctx, tx, scope, id)
	if err != nil {
		return Details{}, err
	}
	if to = l.own(to); to != l.Status {
		if l, err = moveIn(ctx, tx, l, causes[l.Policy][to]); err != nil {
			return Details{}, err
		}
	}
	return detailsIn(ctx, tx, l)
}

func oneOf(choices []Status) string {
	words := make([]string, len(choices))
	for i, c := range choices {
		words[i] = string(c)
	}
	return "Must be " + strings.Join(words, ", ")
}

// moveIn makes one move of a link's lifecycle.
func moveIn(ctx context.Context, tx Tx, l Link, cause cause) (Link, error) {
	edge, err := l.lifecycle().Next(l.Status, cause)
	if err != nil {
		return Link{}, ferry.ErrInvalidTransition.Saying("A payment link that is " + string(l.Status) + " cannot make this change")
	}
	l.Status, l.UpdatedAt = edge.To, tx.Now()
	if edge.To == Disabled || edge.To == Inactive {
		l.DisabledAt = tx.Now()
	} else {
		l.DisabledAt = time.Time{}
	}
	return LinkKind.Save(ctx, tx, l)
}

// QueueExpiry is the queue of links that have an end.
const QueueExpiry lease.Kind = "links.expiry"

func dueKey(l Link) string { return lease.RecordKey(l.Scope, string(l.ID)) }

// RunDue ends at most limit links whose time is up, and returns how many it
// looked at.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueExpiry, time.Minute, limit, func(ctx context.Context, c lease.Claim) error {
		scope, id, err := lease.ParseRecordKey(c.Key)
		if err != nil {
			return err
		}
		return s.units.Of(scope).Write(ctx, func(ctx context.Context, tx Tx) error { return expireIn(ctx, tx, scope, ID(id), c) })
	})
}

func expireIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, c lease.Claim) error {
	l, err := LinkKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if l.At(tx.Now()).Status != l.Status {
		if _, err := moveIn(ctx, tx, l, causeExpired); err != nil {
			return err
		}
	}
	return tx.Leases().Finish(ctx, c)
}
