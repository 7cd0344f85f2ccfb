package checkout

import (
	"container/list"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payments/links"
)

// The bounds of unpaid sessions of links (docs/api.md, "Rate limits").
const (
	// maxUnpaid is how many a part of the network may have of one link within unpaidTime.
	maxUnpaid  = 50
	unpaidTime = time.Hour
	// maxCrowds is for how many parts of the network and links they are counted. Of more,
	// the one is forgotten that was not used for the longest time.
	maxCrowds = 10_000
)

// unpaid counts sessions of links by the part of the network that made them, for this
// process.
type unpaid struct {
	mu     sync.Mutex
	crowds map[crowdKey]*list.Element
	// byUse has the crowds, the last used one first.
	byUse *list.List
}

type crowdKey struct {
	link    links.ID
	network string
}

// crowd is the sessions of one link and part of the network, oldest first.
type crowd struct {
	key    crowdKey
	places []*place
}

// place is that of a session, or of one that is being made.
type place struct {
	session ID
	taken   time.Time
}

func newUnpaid() *unpaid { return &unpaid{crowds: map[crowdKey]*list.Element{}, byUse: list.New()} }

// crowd is that of a key, without what is older than unpaidTime.
func (u *unpaid) crowd(key crowdKey, now time.Time) *crowd {
	at, ok := u.crowds[key]
	if !ok {
		if u.byUse.Len() == maxCrowds {
			oldest := u.byUse.Remove(u.byUse.Back()).(*crowd) //nolint:forcetypeassert // the list holds nothing else
			delete(u.crowds, oldest.key)
		}
		at = u.byUse.PushFront(&crowd{key: key})
		u.crowds[key] = at
	}
	u.byUse.MoveToFront(at)
	c := at.Value.(*crowd) //nolint:forcetypeassert // the list holds nothing else
	c.places = slices.DeleteFunc(c.places, func(p *place) bool { return now.Sub(p.taken) >= unpaidTime })
	return c
}

// take takes a place for a session that is about to be made, once those of some sessions
// are free. When there is none, it returns how long it is until there is one, and the
// sessions that have places.
func (u *unpaid) take(key crowdKey, now time.Time, free []ID) (taken *place, wait time.Duration, others []ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	c := u.crowd(key, now)
	c.places = slices.DeleteFunc(c.places, func(p *place) bool { return slices.Contains(free, p.session) })
	if len(c.places) < maxUnpaid {
		taken = &place{taken: now}
		c.places = append(c.places, taken)
		return taken, 0, nil
	}
	for _, p := range c.places {
		if p.session != "" {
			others = append(others, p.session)
		}
	}
	return nil, unpaidTime - now.Sub(c.places[0].taken), others
}

// settle names the session of a place. Without one, and for one that has a place
// already, it gives the place back.
func (u *unpaid) settle(key crowdKey, taken *place, session ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	c := u.crowd(key, taken.taken)
	known := slices.ContainsFunc(c.places, func(p *place) bool { return p.session == session })
	if session == "" || known {
		c.places = slices.DeleteFunc(c.places, func(p *place) bool { return p == taken })
	}
	taken.session = session
}

// Room takes a place among the unpaid sessions of a link, for a session that a part of the
// network is about to make, at an instant of real time. When all places are taken, paid
// sessions free theirs first. Call settle once: with the session, or with nothing when none
// was made. Errors: ErrTooManyUnpaid.
func (s *Service) Room(ctx context.Context, l links.Link, network string, now time.Time) (settle func(ID), err error) {
	key := crowdKey{l.ID, network}
	taken, wait, others := s.unpaid.take(key, now, nil)
	if wait > 0 {
		done, err := s.notUnpaid(ctx, l.Scope, others)
		if err != nil {
			return nil, err
		}
		if taken, wait, _ = s.unpaid.take(key, now, done); wait > 0 {
			return nil, ErrTooManyUnpaid.After(wait)
		}
	}
	return func(session ID) { s.unpaid.settle(key, taken, session) }, nil
}

// notUnpaid returns those of some sessions that were paid, or never made.
func (s *Service) notUnpaid(ctx context.Context, scope ferry.Scope, ids []ID) ([]ID, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (done []ID, err error) {
		for _, id := range ids {
			found, err := SessionKind.Get(ctx, tx, scope, id)
			switch {
			case errors.Is(err, ErrNotFound) || err == nil && found.Status == Completed:
				done = append(done, id)
			case err != nil:
				return nil, err
			}
		}
		return done, nil
	})
}
