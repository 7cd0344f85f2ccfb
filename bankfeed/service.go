package bankfeed

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// Config is what a Service needs besides its stores.
type Config struct {
	// Banks are those of the environments that have one.
	Banks map[ferry.Env]bank.Bank
	// Priced returns the rate at which a credit counts, and that its owner cannot take it
	// without: the zero Rate for every other credit. ErrNoRate says that it is not to be
	// had now. Default: no credit needs one.
	Priced func(ctx context.Context, env ferry.Env, c bank.Credit) (money.Rate, error)
	// Logger logs what an operator should know. Default: no log.
	Logger *slog.Logger
}

// Service books what the banks of its environments report.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	hooks  Hooks[Tx]
	// failing is since when credits cannot be booked, by place, and read when the reading
	// began that came to the end of a feed, by environment. Each process counts for itself:
	// one that was restarted is patient again.
	failing, read sync.Map
	// reached is the place in each feed that this process knows to be booked, by
	// environment. The store may have a later one.
	reached sync.Map
}

// Hooks are what other domains do in the units of a Service. T is the type of those
// units: as wide as the other domains need it. The functions of a list are called in
// turn; an error of one ends the unit, and nothing of it remains.
type Hooks[T Tx] struct {
	// Owners are asked about what is not to a source account.
	Owners []Owner[T]
	// Recalled are called with every recall.
	Recalled []Follower[T]
}

// bound gives every hook the whole of the unit that the service sees less of.
func (h Hooks[T]) bound() (b Hooks[Tx]) {
	for _, own := range h.Owners {
		b.Owners = append(b.Owners, func(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, rate money.Rate) ([]ledger.Leg, bool, error) {
			return own(ctx, ferry.Whole[T](tx), env, c, rate)
		})
	}
	for _, hear := range h.Recalled {
		b.Recalled = append(b.Recalled, func(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) error {
			return hear(ctx, ferry.Whole[T](tx), env, c)
		})
	}
	return b
}

// New returns a service over units, which are of type T as its hooks need it.
func New[T Tx](units ferry.EnvUnits[T], config Config, hooks Hooks[T]) *Service {
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	if config.Priced == nil {
		config.Priced = func(context.Context, ferry.Env, bank.Credit) (money.Rate, error) { return money.Rate{}, nil }
	}
	return &Service{units: ferry.Narrow(units, func(tx T) Tx { return tx }), config: config, hooks: hooks.bound()}
}

// RunDue reads each bank's feed from the place reached, books at most limit
// credits a bank and returns how many it got done. Each credit and the place after
// it are one unit, so a crash repeats at most the reading.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	done := 0
	var failed error
	for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
		b, err := ferry.Provider(s.config.Banks, env, bank.ErrNone)
		if err != nil {
			continue
		}
		n, _, err := s.readFeed(ctx, env, b, limit)
		done += n
		failed = errors.Join(failed, err)
	}
	return done, failed
}

// readFeed books the credits of a bank, at most limit. A credit that cannot be booked
// waits: the place stays before it. The credits behind it are booked, however many wait.
func (s *Service) readFeed(ctx context.Context, env ferry.Env, b bank.Bank, limit int) (done int, waits bool, err error) {
	credits, err := s.readNew(ctx, env, b, limit)
	for err == nil && len(credits) > 0 {
		var n int
		n, waits, err = s.bookAll(ctx, env, credits, waits)
		if done += n; err != nil || !waits || done >= limit || len(credits) < limit {
			break
		}
		credits, err = b.Credits(ctx, credits[len(credits)-1].Cursor, limit)
	}
	return done, waits, err
}

// readNew returns the credits after the place that the store has reached. It first asks the
// bank for credits after the place that this process knows. Only when there are some, it reads
// the place in the store, because another process may have booked them.
func (s *Service) readNew(ctx context.Context, env ferry.Env, b bank.Bank, limit int) (credits []bank.Credit, err error) {
	known, some := s.reached.Load(env)
	if some {
		if credits, err = b.Credits(ctx, known.(bank.Cursor), limit); err != nil || len(credits) == 0 {
			return nil, err
		}
	}
	cursor, err := readPlace(ctx, s.units, env)
	if err != nil || some && cursor == known {
		return credits, err
	}
	s.reached.Store(env, cursor)
	return b.Credits(ctx, cursor, limit)
}

// bookAll books some credits of a feed, before which others wait or not, and returns how
// many it booked, and whether one waits now.
func (s *Service) bookAll(ctx context.Context, env ferry.Env, credits []bank.Credit, waits bool) (done int, _ bool, err error) {
	for _, c := range credits {
		moved, err := s.book(ctx, env, c, !waits)
		if err != nil {
			moved, err = s.handleUnbookable(ctx, env, c, err, !waits)
			waits = !moved
		}
		if err != nil {
			return done, waits, err
		}
		if moved {
			done++
		}
		if moved && !waits {
			s.reached.Store(env, c.Cursor)
		}
	}
	return done, waits, nil
}

// book credits one session once, and moves the place on when pass is set. A repeated
// report only moves the place. book reports whether it changed anything. It looks for an
// earlier report in a unit of its own: a store may refuse a second booking only at the end
// of the unit, and by any of its unique keys. While a credit before it waits, the bank
// reports this one at each reading again, so book looks for it first.
func (s *Service) book(ctx context.Context, env ferry.Env, c bank.Credit, pass bool) (moved bool, err error) {
	if !pass {
		if booked, err := s.posted(ctx, env, id(env, c)); err != nil || booked {
			return false, err
		}
	}
	rate, err := s.rateOf(ctx, env, c)
	if err != nil {
		return false, err
	}
	err = s.units.In(env).Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.bookIn(ctx, tx, env, c, rate); err != nil {
			return err
		}
		return passIn(ctx, tx, env, c, pass)
	})
	if err == nil {
		s.failing.Delete(place{env, c.Cursor})
		return true, nil
	}
	if booked, failed := s.posted(ctx, env, id(env, c)); failed != nil || !booked {
		return false, err
	}
	s.failing.Delete(place{env, c.Cursor})
	return pass, s.units.In(env).Write(ctx, func(ctx context.Context, tx Tx) error { return passIn(ctx, tx, env, c, pass) })
}

// rateOf is the rate that a credit needs: a recall needs none.
func (s *Service) rateOf(ctx context.Context, env ferry.Env, c bank.Credit) (money.Rate, error) {
	if c.Recalled {
		return money.Rate{}, nil
	}
	return s.config.Priced(ctx, env, c)
}

// bookIn books a credit, which counts at a rate, or the recall of one.
func (s *Service) bookIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, rate money.Rate) error {
	if c.Recalled {
		return recall(ctx, tx, env, c, s.hooks.Recalled)
	}
	return creditNew(ctx, tx, env, c, rate, s.hooks.Owners)
}

// passIn moves the place on behind a credit when pass is set.
func passIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, pass bool) error {
	if !pass {
		return nil
	}
	feed, err := feedOf(ctx, tx, env)
	if err != nil {
		return err
	}
	feed.Cursor = c.Cursor
	return FeedKind.Put(ctx, tx, feed)
}

// readPlace returns the place reached in an environment's feed.
func readPlace(ctx context.Context, units ferry.EnvUnits[Tx], env ferry.Env) (bank.Cursor, error) {
	feed, err := ferry.InRead(ctx, units.In(env), func(ctx context.Context, tx Tx) (Feed, error) { return feedOf(ctx, tx, env) })
	return feed.Cursor, err
}

// Booked reports whether a bank session has been booked.
func (s *Service) Booked(ctx context.Context, env ferry.Env, session string) (bool, error) {
	return s.posted(ctx, env, PostingID(env, session))
}

// posted reports whether there is a posting.
func (s *Service) posted(ctx context.Context, env ferry.Env, id ledger.PostingID) (bool, error) {
	return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (bool, error) {
		return ledger.Posted(ctx, tx.Ledger(), id)
	})
}
