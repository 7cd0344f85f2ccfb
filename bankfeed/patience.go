package bankfeed

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
)

// Patience is how long a credit may fail to be booked before the feed passes it.
const Patience = 10 * time.Minute

// place is the position of a credit in the feed of a bank.
type place struct {
	env    ferry.Env
	cursor bank.Cursor
}

// handleUnbookable decides about a credit that could not be booked. A fault of the store
// is an error. Otherwise the credit waits. When its patience is over, and no credit before
// it waits, it goes into suspense, or is skipped when it cannot be booked at all.
// handleUnbookable reports whether the credit is done.
func (s *Service) handleUnbookable(ctx context.Context, env ferry.Env, c bank.Credit, cause error, pass bool) (done bool, err error) {
	if transient(cause) {
		return false, cause
	}
	now, err := s.probe(ctx, env)
	if err != nil {
		return false, errors.Join(cause, err)
	}
	log := s.config.Logger.With("env", env, "session", c.SessionID, "account", c.AccountNumber,
		"amount", c.Amount.String(), "error", cause)
	at := place{env, c.Cursor}
	since, known := s.failing.LoadOrStore(at, now)
	if !known {
		log.WarnContext(ctx, "a credit cannot be booked, and waits", "patience", Patience)
	}
	if now.Sub(since.(time.Time)) < Patience || !pass {
		return false, nil
	}
	if err := s.giveUp(ctx, env, c); err != nil {
		return false, err
	}
	s.failing.Delete(at)
	log.ErrorContext(ctx, "a credit cannot be booked: it is in suspense, or passed when it is none")
	return true, nil
}

// transient reports whether an error says nothing about what was to be done.
func transient(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, ferry.ErrStale) || errors.Is(err, ferry.Unavailable)
}

// probe returns the time of a store that takes what is written: the place reached
// once more. From one that does not, an error says nothing about a credit.
func (s *Service) probe(ctx context.Context, env ferry.Env) (time.Time, error) {
	return ferry.InUnit(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (time.Time, error) {
		feed, err := feedOf(ctx, tx, env)
		if err != nil {
			return time.Time{}, err
		}
		return tx.Now(), FeedKind.Put(ctx, tx, feed)
	})
}

// giveUp books a credit into suspense, if it can be booked, or an uncovered recall, and
// moves the place on.
func (s *Service) giveUp(ctx context.Context, env ferry.Env, c bank.Credit) error {
	return s.units.In(env).Write(ctx, func(ctx context.Context, tx Tx) error {
		if check(c) == nil && c.Recalled {
			if err := s.claim(ctx, tx, env, c); err != nil {
				return err
			}
		} else if check(c) == nil {
			if err := suspend(ctx, tx, env, c); err != nil {
				return err
			}
		}
		return passIn(ctx, tx, env, c, true)
	})
}
