package deposits

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Sweep asks the chains which managed addresses have changed, and calls the hooks Pending for
// USDC on its way to them. It reads the history of about limit addresses and returns how
// many it read. It ends with the page of addresses that reaches the limit; the next sweep
// continues there. It may run in any number of processes at once.
func (s *Service) Sweep(ctx context.Context, limit int) (int, error) {
	done := 0
	var failed error
	for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
		c, err := s.config.Chains.In(env)
		if err != nil {
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
	// read counts addresses, tried those that could not be read, too.
	read, tried int
	// failed joins the errors of addresses that could not be read.
	failed error
}

// sweepEnv walks all addresses of an environment by pages, beginning where the
// last sweep ran into its limit. An address that cannot be read does not stop it.
func (s *Service) sweepEnv(ctx context.Context, c chain.Chain, env ferry.Env, limit int) (int, error) {
	var total swept
	after := s.resumeAfter(env, "")
	for {
		page, err := wallets.ReadCustodies(ctx, s.units, env, after, chain.MaxAddresses)
		if err == nil && len(page) > 0 {
			err = s.sweepPage(ctx, c, page, &total)
		}
		if err != nil || len(page) < chain.MaxAddresses {
			return total.read, errors.Join(err, total.failed)
		}
		after = page[len(page)-1].ID
		if total.tried >= limit {
			s.resumeAfter(env, after)
			return total.read, total.failed
		}
	}
}

// resumeAfter notes where the next sweep is to begin and returns what was noted
// before.
func (s *Service) resumeAfter(env ferry.Env, id wallets.AddressID) wallets.AddressID {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	noted := s.resume[env]
	s.resume[env] = id
	return noted
}

// sweepPage reads the histories that a page of addresses calls for, and adds
// what it did to the total.
func (s *Service) sweepPage(ctx context.Context, c chain.Chain, page []wallets.Custody, total *swept) error {
	addresses := make([]chain.Address, len(page))
	for i, custody := range page {
		addresses[i] = custody.Address
	}
	tokens, err := c.ChangeTokens(ctx, addresses)
	if err != nil {
		return wallets.ErrUnavailable.Because(err)
	}
	if len(tokens) != len(page) {
		return fmt.Errorf("wallets: %d change tokens for %d addresses", len(tokens), len(page))
	}
	total.failed = errors.Join(total.failed, s.notifyPending(ctx, c, page, addresses))
	now, err := ferry.Now(ctx, s.units.In(page[0].Scope.Env))
	if err != nil {
		return err
	}
	for i, custody := range page {
		if now.Sub(custody.ScannedAt) < s.rereadAfter(custody, tokens[i]) {
			continue
		}
		total.tried++
		if err := s.rescan(ctx, custody, tokens[i]); err != nil {
			// A deposit that needs a rate waits until there is one.
			total.failed = errors.Join(total.failed, ferry.UnlessLacking(err))
			continue
		}
		total.read++
	}
	return nil
}

// rereadPauses are the pauses before a history is read again because of a change token. The
// node that answered ChangeTokens may be minutes ahead of the one that answered History.
var rereadPauses = [...]time.Duration{0, 15 * time.Second, 2 * time.Minute}

// rereadAfter is how long after it was read the history of an address is read again.
func (s *Service) rereadAfter(c wallets.Custody, token chain.ChangeToken) time.Duration {
	switch {
	case token == c.ChangeToken:
		return s.config.Rescan
	case token == c.PendingToken && c.PendingReads > 0:
		return rereadPauses[min(c.PendingReads, len(rereadPauses))-1]
	}
	return 0
}

// rescan reads the history of an address and notes the token that called for it.
// The token is settled when the history was read often enough since it was seen.
func (s *Service) rescan(ctx context.Context, custody wallets.Custody, token chain.ChangeToken) error {
	if _, err := s.scan(ctx, custody); err != nil {
		return err
	}
	return s.units.In(custody.Scope.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		return wallets.ChangeCustodyIn(ctx, tx, custody.Scope.Env, custody.ID, func(c *wallets.Custody) error {
			if c.PendingToken == custody.PendingToken && c.PendingReads == custody.PendingReads { // else another sweep read it, too
				noteRead(c, token)
			}
			c.ScannedAt = tx.Now()
			return nil
		})
	})
}

// noteRead notes that the history was read because of a token.
func noteRead(c *wallets.Custody, token chain.ChangeToken) {
	switch {
	case token == c.ChangeToken:
		return
	case token == c.PendingToken && c.PendingReads > 0:
		c.PendingReads++
	default:
		c.PendingToken, c.PendingReads = token, 1
	}
	if c.PendingReads > len(rereadPauses) {
		c.ChangeToken, c.PendingToken, c.PendingReads = token, "", 0
	}
}
