package hosted

import (
	"container/list"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/internal/traffic"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/store"
)

// The bounds of sessions that nobody pays.
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
	session checkout.ID
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

// take takes a place for a session that is about to be made, or returns how long it is
// until there is one.
func (u *unpaid) take(key crowdKey, now time.Time) (taken *place, wait time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	c := u.crowd(key, now)
	if len(c.places) >= maxUnpaid {
		return nil, unpaidTime - now.Sub(c.places[0].taken)
	}
	taken = &place{taken: now}
	c.places = append(c.places, taken)
	return taken, 0
}

// settle names the session of a place. Without one, and for one that has a place
// already, it gives the place back.
func (u *unpaid) settle(key crowdKey, taken *place, session checkout.ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	c := u.crowd(key, taken.taken)
	known := slices.ContainsFunc(c.places, func(p *place) bool { return p.session == session })
	if session == "" || known {
		c.places = slices.DeleteFunc(c.places, func(p *place) bool { return p == taken })
	}
	taken.session = session
}

// sessions are those that have a place.
func (u *unpaid) sessions(key crowdKey, now time.Time) (ids []checkout.ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, p := range u.crowd(key, now).places {
		if p.session != "" {
			ids = append(ids, p.session)
		}
	}
	return ids
}

// forget frees the places of sessions that were paid.
func (u *unpaid) forget(key crowdKey, now time.Time, paid []checkout.ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	c := u.crowd(key, now)
	c.places = slices.DeleteFunc(c.places, func(p *place) bool { return slices.Contains(paid, p.session) })
}

// room takes a place for a session of a link. When there is none, those that were paid
// meanwhile make room.
func (v *visit) room(l links.Link) (settle func(checkout.ID), err error) {
	if v.config.Limiter == nil {
		return func(checkout.ID) {}, nil
	}
	key, now := crowdKey{l.ID, traffic.NetworkOf(v.http.RemoteAddr)}, v.config.Clock.Now()
	taken, wait := v.unpaid.take(key, now)
	if wait > 0 {
		paid, err := v.paidOf(l.Scope, v.unpaid.sessions(key, now))
		if err != nil {
			return nil, err
		}
		v.unpaid.forget(key, now, paid)
		if taken, wait = v.unpaid.take(key, now); wait > 0 {
			return nil, errTooOften.After(wait)
		}
	}
	return func(session checkout.ID) { v.unpaid.settle(key, taken, session) }, nil
}

// paidOf returns those of some sessions that were paid.
func (v *visit) paidOf(scope ferry.Scope, ids []checkout.ID) (paid []checkout.ID, err error) {
	err = v.engine.Units(ferry.Test).Read(v.http.Context(), func(ctx context.Context, tx store.Tx) error {
		paid = nil
		for _, id := range ids {
			state, err := checkout.StateIn(ctx, tx, scope, checkout.Ref{Reference: string(id)})
			if err != nil {
				return err
			}
			if state.Status == checkout.Completed {
				paid = append(paid, id)
			}
		}
		return nil
	})
	return paid, err
}
