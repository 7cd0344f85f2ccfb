package deposits

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// watchFor is how long sweeps ask about an address after the chain has reported it. The nodes
// that answer ChangeTokens and History may be minutes behind the node that reported it.
const watchFor = 2 * time.Minute

// progress is how far the sweeps of an environment have come. It is kept in this process only.
// So after a restart, a sweep asks about all addresses.
type progress struct {
	running sync.Mutex // held by a sweep, so that one at a time uses the fields below
	// walked is the last address that the walk has done, or empty at its start.
	walked wallets.AddressID

	// The fields below are for a chain that reports activity.

	// cursor is where its next report begins. All addresses that were reported before are
	// watched, or settled. It is empty before the first report.
	cursor chain.Cursor
	// walking says that a walk is under way. Otherwise the next one begins at walkAt.
	walking bool
	walkAt  time.Time
	// watched are the addresses that each sweep asks about. resume is the last of them that
	// the sweep before has done, when that ran into its limit.
	watched map[chain.Address]watch
	resume  wallets.AddressID
}

// watch says of a watched address which it is, and since when.
type watch struct {
	id wallets.AddressID
	// reported is when the chain reported it last. It is zero when a walk found it.
	reported time.Time
}

func (s *Service) progressIn(env ferry.Env) *progress {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	if s.swept[env] == nil {
		s.swept[env] = &progress{watched: map[chain.Address]watch{}}
	}
	return s.swept[env]
}

// Forget drops what this process remembers of sweeps. It is for a reset of a sandbox, after
// which chain and store begin anew.
func (s *Service) Forget() {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	clear(s.swept)
}

// follow sweeps a chain that reports activity. It asks about the watched addresses, until they
// are settled. When a walk is due, or when the chain cannot report, it first goes on with a walk
// of all addresses.
func (w *sweep) follow(ctx context.Context, reporter chain.ActivityReporter) error {
	now, err := ferry.Now(ctx, w.units.In(w.env))
	if err != nil {
		return err
	}
	missed := w.readActivity(ctx, reporter, now)
	if !w.walking && (missed != nil || !now.Before(w.walkAt)) {
		w.beginWalk()
	}
	if w.walking {
		pending := w.notifyPending
		if missed == nil {
			pending = nil // the chain reports what is not final, so these addresses are watched
		}
		ended, err := w.pages(ctx, &w.walked, w.allAfter, pending)
		if ended {
			w.walking, w.walkAt = false, now.Add(w.config.Walk)
		}
		if err != nil || w.tried > 0 {
			return errors.Join(missed, err)
		}
	}
	_, err = w.pages(ctx, &w.resume, w.watchedAfter, w.notifyPending)
	return errors.Join(missed, err)
}

func (p *progress) beginWalk() { p.walking, p.walked = true, "" }

// readActivity asks the chain where something has moved since the cursor, and watches these
// addresses. Without a cursor it begins a walk, which finds what had moved before.
func (w *sweep) readActivity(ctx context.Context, reporter chain.ActivityReporter, now time.Time) error {
	report, err := reporter.Activity(ctx, w.cursor)
	if errors.Is(err, chain.ErrCursorExpired) {
		w.cursor = ""
		report, err = reporter.Activity(ctx, "")
	}
	if err != nil {
		return wallets.ErrUnavailable.Because(err)
	}
	if err := w.watch(ctx, report.Addresses, now); err != nil {
		return err
	}
	if w.cursor == "" {
		w.beginWalk()
	}
	w.cursor = report.Cursor
	return nil
}

// watch adds those of the reported addresses that are managed to the watched ones.
func (w *sweep) watch(ctx context.Context, reported []chain.Address, now time.Time) error {
	var unknown []chain.Address
	for _, a := range reported {
		if known, watched := w.watched[a]; watched {
			w.watched[a] = watch{known.id, now}
		} else {
			unknown = append(unknown, a)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	managed, err := ferry.InRead(ctx, w.units.In(w.env), func(ctx context.Context, tx wallets.Tx) (map[chain.Address]watch, error) {
		managed := map[chain.Address]watch{}
		for _, at := range unknown {
			a, err := wallets.AddressAt(ctx, tx, w.env, at)
			if errors.Is(err, wallets.ErrAddressNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			managed[at] = watch{a.ID, now}
		}
		return managed, nil
	})
	maps.Copy(w.watched, managed)
	return err
}

// note begins to watch an address that is not settled. It ends the watch of an address that is
// settled, and that the chain has not reported for watchFor.
func (p *progress) note(custody wallets.Custody, settled bool, now time.Time) {
	known, watched := p.watched[custody.Address]
	switch {
	case !settled && !watched:
		p.watched[custody.Address] = watch{id: custody.ID}
	case settled && now.Sub(known.reported) >= watchFor:
		delete(p.watched, custody.Address) // if it is there
	}
}

// watchedAfter returns the custodies of watched addresses, as type custodies says.
func (w *sweep) watchedAfter(ctx context.Context, after wallets.AddressID) (some []wallets.Custody, more bool, err error) {
	var ids []wallets.AddressID
	for _, known := range w.watched {
		if known.id > after {
			ids = append(ids, known.id)
		}
	}
	if len(ids) == 0 {
		return nil, false, nil
	}
	slices.Sort(ids)
	if more = len(ids) > readAhead; more {
		ids = ids[:readAhead]
	}
	some, err = ferry.InRead(ctx, w.units.In(w.env), func(ctx context.Context, tx wallets.Tx) (some []wallets.Custody, err error) {
		for _, id := range ids {
			wallets.CustodyKind.Prefetch(tx, ferry.Scope{}, id)
		}
		for _, id := range ids {
			custody, err := wallets.CustodyOf(ctx, tx, w.env, id)
			if err != nil {
				return nil, err
			}
			some = append(some, custody)
		}
		return some, nil
	})
	return some, more, err
}
