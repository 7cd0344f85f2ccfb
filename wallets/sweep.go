package wallets

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
)

// Sweep asks the chains which managed addresses have changed, reads the history
// of at most limit of them, and returns how many movements had their effect.
// What it leaves is what the next sweep begins with. It may run in any number
// of processes at once.
func (s *Service) Sweep(ctx context.Context, limit int) (int, error) {
	done := 0
	var failed error
	for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
		c, ok := s.config.Chains[env]
		if !ok {
			continue
		}
		n, err := s.sweepEnv(ctx, c, env, limit)
		done += n
		failed = errors.Join(failed, err)
	}
	return done, failed
}

// swept is what a sweep did.
type swept struct {
	scanned, moved int
	// failed joins the errors of addresses that could not be read.
	failed error
}

// sweepEnv walks all addresses of an environment by pages, beginning where the
// last sweep ran into its limit. An address that cannot be read does not stop it.
func (s *Service) sweepEnv(ctx context.Context, c chain.Chain, env ferry.Env, limit int) (int, error) {
	var total swept
	after := s.resumeAfter(env, "")
	for {
		page, err := ferry.InRead(ctx, s.units, func(ctx context.Context, tx Tx) ([]Custody, error) {
			return tx.Wallets().Custodies(ctx, env, after, chain.MaxMarks)
		})
		if err == nil && len(page) > 0 {
			err = s.sweepPage(ctx, c, page, &total)
		}
		if err != nil || len(page) < chain.MaxMarks {
			return total.moved, errors.Join(err, total.failed)
		}
		after = page[len(page)-1].ID
		if total.scanned >= limit {
			s.resumeAfter(env, after)
			return total.moved, total.failed
		}
	}
}

// resumeAfter notes where the next sweep is to begin and returns what was noted
// before.
func (s *Service) resumeAfter(env ferry.Env, id AddressID) AddressID {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	noted := s.resume[env]
	s.resume[env] = id
	return noted
}

// sweepPage scans the addresses of a page whose marks have changed, and adds
// what it did to the total.
func (s *Service) sweepPage(ctx context.Context, c chain.Chain, page []Custody, total *swept) error {
	addresses := make([]chain.Address, len(page))
	for i, custody := range page {
		addresses[i] = custody.Address
	}
	marks, err := c.Marks(ctx, addresses)
	if err != nil {
		return ErrUnavailable.Because(err)
	}
	if len(marks) != len(page) {
		return fmt.Errorf("wallets: %d marks for %d addresses", len(marks), len(page))
	}
	now, err := s.now(ctx)
	if err != nil {
		return err
	}
	for i, custody := range page {
		if marks[i] == custody.Mark && now.Sub(custody.ScannedAt) < s.config.Rescan {
			continue
		}
		n, err := s.rescan(ctx, custody, marks[i])
		total.scanned++
		total.moved += n
		total.failed = errors.Join(total.failed, err)
	}
	return nil
}

// rescan reads the history of an address and saves the mark that called for it.
// A mark that the history does not explain is saved only when it is seen twice:
// the node that told the mark may be ahead of the one that told the history.
func (s *Service) rescan(ctx context.Context, custody Custody, mark chain.Mark) (int, error) {
	moved, err := s.scan(ctx, custody)
	if err != nil {
		return moved, err
	}
	return moved, s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
		now, err := tx.Wallets().Custody(ctx, custody.Scope.Env, custody.ID)
		if err != nil {
			return err
		}
		if moved > 0 || now.Doubt == mark {
			now.Mark, now.Doubt = mark, ""
		} else if now.Mark != mark {
			now.Doubt = mark
		}
		now.ScannedAt = tx.Now()
		return tx.Wallets().UpdateCustody(ctx, now)
	})
}
