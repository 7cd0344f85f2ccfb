package deposits

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Sweep asks the chains which managed addresses have changed, reads their histories, and calls
// the hooks Pending for USDC on its way to them. It ends with the page of addresses that
// reaches limit histories; the next sweep continues there. Sweep returns how many histories it
// has read. It may run in any number of processes at once.
//
// A chain.ActivityReporter reports where something has moved, and Sweep asks about these
// addresses only. It asks about all addresses in its first sweep, every Config.Walk, after a
// cursor has expired, and while the chain cannot report.
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

// sweep is one sweep of an environment.
type sweep struct {
	*Service
	*progress
	chain chain.Chain
	env   ferry.Env
	// limit is the number of histories after which the sweep ends.
	limit int
	// following says that the chain reports activity.
	following bool
	// read counts the histories that were read. tried also counts those that could not be.
	read, tried int
	// failed joins the errors of addresses that could not be read.
	failed error
}

// sweepEnv sweeps an environment: all its addresses, unless the chain reports where something
// has moved.
func (s *Service) sweepEnv(ctx context.Context, c chain.Chain, env ferry.Env, limit int) (int, error) {
	w := &sweep{Service: s, progress: s.progressIn(env), chain: c, env: env, limit: limit}
	w.running.Lock()
	defer w.running.Unlock()
	var err error
	if reporter, ok := c.(chain.ActivityReporter); ok {
		w.following = true
		err = w.follow(ctx, reporter)
	} else {
		_, err = w.pages(ctx, &w.walked, w.allAfter, w.notifyPending)
	}
	return w.read, errors.Join(err, w.failed)
}

// readAhead is how many custodies are read from the store at once.
const readAhead = 10 * chain.MaxAddresses

// custodies returns custodies after an id, in the order of their ids, and whether there may be
// more.
type custodies func(ctx context.Context, after wallets.AddressID) (some []wallets.Custody, more bool, err error)

// allAfter returns custodies of all addresses of the environment, as type custodies says.
func (w *sweep) allAfter(ctx context.Context, after wallets.AddressID) (some []wallets.Custody, more bool, err error) {
	some, err = wallets.ReadCustodies(ctx, w.units, w.env, after, readAhead)
	return some, len(some) == readAhead, err
}

// pages asks about addresses page by page, and reports whether it came to the last one. It
// begins after resume, where the sweep before ran into its limit, and sets resume when it runs
// into its own. An address that cannot be read does not stop it. Function before, if any, is
// called with each page and the present instant.
func (w *sweep) pages(
	ctx context.Context, resume *wallets.AddressID, of custodies, before func(context.Context, []wallets.Custody, time.Time) error,
) (ended bool, err error) {
	after := *resume
	*resume = ""
	for pages, more := 0, true; more; {
		var some []wallets.Custody
		if some, more, err = of(ctx, after); err != nil {
			return false, err
		}
		for page := range slices.Chunk(some, chain.MaxAddresses) {
			if pages > 0 && w.tried >= w.limit {
				*resume = after
				return false, nil
			}
			if err := w.page(ctx, page, before); err != nil {
				return false, err
			}
			after = page[len(page)-1].ID
			pages++
		}
	}
	return true, nil
}

// page asks for the change tokens of a page of addresses, and reads the histories that they
// call for.
func (w *sweep) page(ctx context.Context, page []wallets.Custody, before func(context.Context, []wallets.Custody, time.Time) error) error {
	tokens, err := w.chain.ChangeTokens(ctx, addressesOf(page))
	if err != nil {
		return wallets.ErrUnavailable.Because(err)
	}
	if len(tokens) != len(page) {
		return fmt.Errorf("wallets: %d change tokens for %d addresses", len(tokens), len(page))
	}
	now, err := ferry.Now(ctx, w.units.In(w.env))
	if err != nil {
		return err
	}
	if before != nil {
		w.failed = errors.Join(w.failed, before(ctx, page, now))
	}
	for i, custody := range page {
		settled := w.readIfChanged(ctx, custody, tokens[i], now)
		if w.following {
			w.note(custody, settled, now)
		}
	}
	return nil
}

// readIfChanged reads the history of an address when its change token calls for it. It reports
// whether the address is settled: its token is the one that was settled before.
func (w *sweep) readIfChanged(ctx context.Context, custody wallets.Custody, token chain.ChangeToken, now time.Time) (settled bool) {
	settled = token == custody.ChangeToken
	if now.Sub(custody.ScannedAt) < w.rereadAfter(custody, token) {
		return settled
	}
	w.tried++
	if err := w.rescan(ctx, custody, token); err != nil {
		// A deposit that needs a rate waits until there is one.
		w.failed = errors.Join(w.failed, ferry.UnlessLacking(err))
		return false
	}
	w.read++
	return settled
}

func addressesOf(page []wallets.Custody) []chain.Address {
	addresses := make([]chain.Address, len(page))
	for i, custody := range page {
		addresses[i] = custody.Address
	}
	return addresses
}

// rereadPauses are the pauses before each reading of a history because of one change token. It
// is read more than once, because the node that answered ChangeTokens may be minutes ahead of
// the one that answered History.
var rereadPauses = [...]time.Duration{0, 15 * time.Second, 2 * time.Minute}

// rereadAfter returns the pause between two readings of the history of an address.
func (s *Service) rereadAfter(c wallets.Custody, token chain.ChangeToken) time.Duration {
	switch {
	case token == c.ChangeToken:
		return s.config.Rescan
	case token == c.PendingToken && c.PendingReads > 0:
		return rereadPauses[min(c.PendingReads, len(rereadPauses))-1]
	}
	return 0
}

// rescan reads the history of an address, and notes the token that called for it. The token is
// settled when the history was read once for each of rereadPauses.
func (s *Service) rescan(ctx context.Context, custody wallets.Custody, token chain.ChangeToken) error {
	if _, err := s.scan(ctx, custody); err != nil {
		return err
	}
	return s.units.In(custody.Scope.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		return wallets.ChangeCustodyIn(ctx, tx, custody.Scope.Env, custody.ID, func(c *wallets.Custody) error {
			if c.PendingToken == custody.PendingToken && c.PendingReads == custody.PendingReads { // otherwise another sweep has read it meanwhile
				noteRead(c, token)
			}
			c.ScannedAt = tx.Now()
			return nil
		})
	})
}

// noteRead notes in a custody that its history was read because of a token.
func noteRead(c *wallets.Custody, token chain.ChangeToken) {
	switch {
	case token == c.ChangeToken:
		return
	case token == c.PendingToken:
		c.PendingReads++
	default:
		c.PendingToken, c.PendingReads = token, 1
	}
	if c.PendingReads > len(rereadPauses) {
		c.ChangeToken, c.PendingToken, c.PendingReads = token, "", 0
	}
}
