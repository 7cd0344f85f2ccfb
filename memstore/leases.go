package memstore

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ferrypay/ferry/lease"
)

// work is one scheduled key. It stands in exactly one list of its queue: in
// waiting by due, or while a claim of it has not ended, in leased by until.
type work struct {
	due   time.Time
	round int64 // calls of Schedule

	fence int64 // of the claim that has not ended, or 0
	until time.Time
	again time.Time // earliest instant scheduled during the claim
	asked bool      // whether there is one
}

type workKey struct {
	queue lease.Queue
	key   string
}

// owned names the waiting keys of a queue that have one owner.
type owned struct {
	queue lease.Queue
	owner string
}

type leaseTables struct {
	work    table[workKey, work]
	waiting index[lease.Queue]
	owned   index[owned] // the same, by owner
	leased  index[lease.Queue]
	// fences counts claims. It never turns back, not even when a unit fails:
	// a key that is finished and scheduled anew must not repeat a number.
	fences atomic.Int64
}

// goOn lets the count of claims go on from another one, so that it never turns back.
func (t *leaseTables) goOn(from int64) { t.fences.Store(from) }

type leaseStore struct{ *unit }

var _ lease.Store = leaseStore{}

// Leases returns the port of due work.
func (u *unit) Leases() lease.Store { return leaseStore{u} }

// replace writes the new row of a key and moves it to where it belongs.
func (s leaseStore) replace(k workKey, old, w work) {
	s.tables.leases.work.put(s.undo, k, w)
	if old.leased() == w.leased() && old.at().Equal(w.at()) {
		return // as when work that waits already is scheduled once more
	}
	s.unlist(k, old)
	s.list(k, w)
}

func (w work) leased() bool { return w.fence != 0 }

// at is the instant by which work stands in its list.
func (w work) at() time.Time {
	if w.leased() {
		return w.until
	}
	return w.due
}

func (s leaseStore) list(k workKey, w work) {
	if t := &s.tables.leases; w.leased() {
		t.leased.add(s.undo, k.queue, placeOf(w.at(), k.key))
	} else {
		t.waiting.add(s.undo, k.queue, placeOf(w.at(), k.key))
		t.owned.add(s.undo, owned{k.queue, lease.OwnerOf(k.key)}, placeOf(w.at(), k.key))
	}
}

func (s leaseStore) unlist(k workKey, w work) {
	if t := &s.tables.leases; w.leased() {
		t.leased.drop(s.undo, k.queue, placeOf(w.at(), k.key))
	} else {
		t.waiting.drop(s.undo, k.queue, placeOf(w.at(), k.key))
		t.owned.drop(s.undo, owned{k.queue, lease.OwnerOf(k.key)}, placeOf(w.at(), k.key))
	}
}

func (s leaseStore) Schedule(_ context.Context, q lease.Queue, key string, due time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	k := workKey{q, key}
	old, known := s.tables.leases.work.get(k)
	if !known {
		k.key = strings.Clone(key) // it may be a part of a row
		w := work{due: due, round: 1}
		s.tables.leases.work.insert(s.undo, k, w)
		s.list(k, w)
		return nil
	}
	s.replace(k, old, old.scheduled(due))
	return nil
}

// scheduled returns w after one more call of Schedule.
func (w work) scheduled(due time.Time) work {
	w.round++
	switch {
	case !w.leased():
		w.due = earlier(w.due, due)
	case w.asked:
		w.again = earlier(w.again, due)
	default:
		w.again, w.asked = due, true
	}
	return w
}

func (s leaseStore) Claim(_ context.Context, q lease.Queue, now time.Time, length time.Duration, limit int) ([]lease.Claim, error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	keys := due(s.tables.leases.waiting.of(q), now, limit)
	if expired := s.expiredDue(q, now); len(expired) > 0 {
		keys = append(keys, expired...)
		slices.SortFunc(keys, func(a, b string) int { return s.place(q, a).compare(s.place(q, b)) })
		keys = keys[:min(limit, len(keys))]
	}
	var claims []lease.Claim
	for _, key := range keys {
		o := s.offer(q, key)
		s.take(o, length)
		claims = append(claims, o.Claim)
	}
	return claims, nil
}

// place is where a key stands among those that are due.
func (s leaseStore) place(q lease.Queue, key string) place {
	return placeOf(s.tables.leases.work.row(workKey{q, key}).due, key)
}

// due returns the first keys of a list that are due.
func due(waiting *list, now time.Time, limit int) (keys []string) {
	for p := range waiting.all() {
		if len(keys) == limit || p.at > now.UnixMicro() {
			break
		}
		keys = append(keys, p.id)
	}
	return keys
}

func (s leaseStore) offer(q lease.Queue, key string) lease.Offer {
	t := &s.tables.leases
	w := t.work.row(workKey{q, key})
	return lease.Offer{
		Claim: lease.Claim{Queue: q, Key: key, Fence: t.fences.Add(1), Round: w.round}, Due: w.due, Former: w.fence,
	}
}

// take claims a key. When it was scheduled since it was offered, it is due again when the claim
// ends.
func (s leaseStore) take(o lease.Offer, length time.Duration) {
	k := workKey{o.Queue, o.Key}
	old := s.tables.leases.work.row(k)
	w := old.ended()
	w.fence, w.until = o.Fence, s.now().Add(length)
	if w.round != o.Round {
		w.again, w.asked = w.due, true
	}
	s.replace(k, old, w)
}

func (s leaseStore) Offers(_ context.Context, at map[lease.Queue]time.Time, room lease.Room) (offers []lease.Offer, err error) {
	t := &s.tables.leases
	for group, waiting := range t.owned.lists {
		if now, asked := at[group.queue]; asked {
			for _, key := range due(waiting, now, max(0, min(room.Keys, room.Of(group.owner)))) {
				offers = append(offers, s.offer(group.queue, key))
			}
		}
	}
	for q, now := range at {
		for _, key := range s.expiredDue(q, now) {
			offers = append(offers, s.offer(q, key))
		}
	}
	return offers, nil
}

func (s leaseStore) Take(_ context.Context, o lease.Offer, length time.Duration) error {
	if err := s.writable(); err != nil {
		return err
	}
	if w, known := s.tables.leases.work.get(workKey{o.Queue, o.Key}); !known || w.fence != o.Former {
		return lease.ErrLost
	}
	s.take(o, length)
	return nil
}

// expired returns the keys of a queue whose lease has run out. Until another claim of such a key, its holder
// may end it.
func (s leaseStore) expired(q lease.Queue) []string {
	var keys []string
	for p := range s.tables.leases.leased.of(q).all() {
		if p.at > s.now().UnixMicro() {
			break
		}
		keys = append(keys, p.id)
	}
	return keys
}

// expiredDue returns those of them that are due.
func (s leaseStore) expiredDue(q lease.Queue, now time.Time) []string {
	return slices.DeleteFunc(s.expired(q), func(key string) bool { return s.place(q, key).at > now.UnixMicro() })
}

// ended returns w without its claim.
func (w work) ended() work {
	return work{due: w.due, round: w.round}
}

func (s leaseStore) Check(_ context.Context, c lease.Claim) error {
	w := s.tables.leases.work.row(workKey{c.Queue, c.Key})
	if !w.leased() || w.fence != c.Fence {
		return lease.ErrLost
	}
	return nil
}

func (s leaseStore) Retry(ctx context.Context, c lease.Claim, due time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	if err := s.Check(ctx, c); err != nil {
		return err
	}
	k := workKey{c.Queue, c.Key}
	old := s.tables.leases.work.row(k)
	w := old.ended()
	w.due = due
	if old.asked {
		w.due = earlier(due, old.again)
	}
	s.replace(k, old, w)
	return nil
}

func (s leaseStore) Finish(ctx context.Context, c lease.Claim) error {
	if err := s.writable(); err != nil {
		return err
	}
	if err := s.Check(ctx, c); err != nil {
		return err
	}
	k := workKey{c.Queue, c.Key}
	old := s.tables.leases.work.row(k)
	if old.round == c.Round {
		s.unlist(k, old)
		s.tables.leases.work.delete(s.undo, k)
		return nil
	}
	w := old.ended()
	w.due = old.again
	s.replace(k, old, w)
	return nil
}

func (s leaseStore) Expedite(_ context.Context, q lease.Queue, prefix string, due time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.leases
	var late []string
	for p := range t.waiting.of(q).after(place{at: due.UnixMicro()}) {
		if strings.HasPrefix(p.id, prefix) {
			late = append(late, p.id)
		}
	}
	for _, key := range late {
		k := workKey{q, key}
		w := t.work.row(k)
		w.due = earlier(w.due, due)
		s.replace(k, t.work.row(k), w)
	}
	return nil
}

func (s leaseStore) Next(_ context.Context, queues []lease.Queue) (map[lease.Queue]time.Time, error) {
	t := &s.tables.leases
	next := map[lease.Queue]time.Time{}
	consider := func(q lease.Queue, key string) {
		due := t.work.row(workKey{q, key}).due
		if first, found := next[q]; !found || due.Before(first) {
			next[q] = due
		}
	}
	for _, q := range queues {
		if first, found := t.waiting.of(q).first(); found {
			consider(q, first.id)
		}
		for _, key := range s.expired(q) {
			consider(q, key)
		}
	}
	return next, nil
}

func (s leaseStore) Held(_ context.Context, queues []lease.Queue) (bool, error) {
	for _, q := range queues {
		for range s.tables.leases.leased.of(q).after(place{at: s.now().UnixMicro()}) {
			return true, nil
		}
	}
	return false, nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
