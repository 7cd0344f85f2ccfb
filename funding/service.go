package funding

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/provider/bank"
)

// Service books what the banks of its environments report.
type Service struct {
	units  ferry.Units[Tx]
	banks  map[ferry.Env]bank.Bank
	owners []Owner
	read   readings
}

// New returns a service over the banks of the environments that have one. What is
// not to a source account goes to the first of the owners that takes it.
func New(units ferry.Units[Tx], banks map[ferry.Env]bank.Bank, owners ...Owner) *Service {
	return &Service{units: units, banks: banks, owners: owners}
}

// RunDue reads each bank's feed from the place reached, books at most limit
// credits a bank and returns how many it read. Each credit and the place after
// it are one unit, so a crash repeats at most the reading.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	done := 0
	var failed error
	for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
		b, ok := s.banks[env]
		if !ok {
			continue
		}
		n, err := s.readFeed(ctx, env, b, limit)
		done += n
		failed = errors.Join(failed, err)
	}
	return done, failed
}

func (s *Service) readFeed(ctx context.Context, env ferry.Env, b bank.Bank, limit int) (int, error) {
	cursor, err := ferry.InRead(ctx, s.units, func(ctx context.Context, tx Tx) (bank.Cursor, error) {
		return tx.Funding().FeedCursor(ctx, env)
	})
	if err != nil {
		return 0, err
	}
	credits, err := b.Credits(ctx, cursor, limit)
	if err != nil {
		return 0, err
	}
	for i, c := range credits {
		if err := s.book(ctx, env, c); err != nil {
			return i, err
		}
	}
	return len(credits), nil
}

// book credits one session once: a duplicate notice only moves the place on. It
// finds out in a unit of its own, because a store may refuse what was done twice
// only when the unit ends, by whichever key it finds taken first.
func (s *Service) book(ctx context.Context, env ferry.Env, c bank.Credit) error {
	err := s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := Credit(ctx, tx, env, c, s.owners...); err != nil {
			return err
		}
		return tx.Funding().PutFeedCursor(ctx, env, c.Cursor)
	})
	if err == nil {
		return nil
	}
	if booked, failed := s.Booked(ctx, env, c.SessionID); failed != nil || !booked {
		return err
	}
	return s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
		return tx.Funding().PutFeedCursor(ctx, env, c.Cursor)
	})
}

// Booked reports whether a bank session has been booked.
func (s *Service) Booked(ctx context.Context, env ferry.Env, session string) (bool, error) {
	return ferry.InRead(ctx, s.units, func(ctx context.Context, tx Tx) (bool, error) {
		_, err := tx.Ledger().Entry(ctx, ledger.EntryID{Posting: PostingID(env, session)})
		if errors.Is(err, ledger.ErrEntryNotFound) {
			return false, nil
		}
		return err == nil, err
	})
}
