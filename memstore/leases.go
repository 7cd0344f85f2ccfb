package memstore

import (
	"context"
	"strings"
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
	waiting index[lease.Queue, string]
	owned   index[owned, string] // the same, by owner
	leased  index[lease.Queue, string]
	// fences counts claims. It never turns back, not even when a unit fails:
	// a key that is finished and scheduled anew must not repeat a number.
	fences int64
}

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
	s.expire(q)
	return s.claim(q, s.tables.leases.waiting.of(q), now, length, limit), nil
}

func (s leaseStore) ClaimOf(_ context.Context, q lease.Queue, owner string, now time.Time, length time.Duration, limit int) ([]lease.Claim, error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	s.expire(q)
	return s.claim(q, s.tables.leases.owned.of(owned{q, owner}), now, length, limit), nil
}

// claim hands out the first keys of a list that are due.
func (s leaseStore) claim(q lease.Queue, waiting *list[string], now time.Time, length time.Duration, limit int) []lease.Claim {
	var due []string
	for p := range waiting.all() {
		if len(due) == limit || p.at > now.UnixMicro() {
			break
		}
		due = append(due, p.id)
	}
	t, until := &s.tables.leases, s.now().Add(length)
	claims := make([]lease.Claim, 0, len(due))
	for _, key := range due {
		k := workKey{q, key}
		w := t.work.row(k)
		t.fences++
		w.fence, w.until = t.fences, until
		s.replace(k, t.work.row(k), w)
		claims = append(claims, lease.Claim{Queue: q, Key: key, Fence: w.fence, Round: w.round})
	}
	return claims
}

func (s leaseStore) Owners(_ context.Context, q lease.Queue, now time.Time) ([]lease.Owner, error) {
	t, first := &s.tables.leases, map[string]time.Time{}
	consider := func(key string) {
		w, owner := t.work.row(workKey{q, key}), lease.OwnerOf(key)
		if at, found := first[owner]; !w.due.After(now) && (!found || w.due.Before(at)) {
			first[owner] = w.due
		}
	}
	for group, waiting := range t.owned.lists {
		if p, found := waiting.first(); found && group.queue == q {
			consider(p.id)
		}
	}
	for _, key := range s.expired(q) {
		consider(key)
	}
	owners := make([]lease.Owner, 0, len(first))
	for name, due := range first {
		owners = append(owners, lease.Owner{Name: name, Due: due})
	}
	return owners, nil
}

// expire ends the claims of a queue whose lease has run out. Their keys were
// due when they were claimed and still are.
func (s leaseStore) expire(q lease.Queue) {
	for _, key := range s.expired(q) {
		k := workKey{q, key}
		w := s.tables.leases.work.row(k)
		s.replace(k, w, w.ended())
	}
}

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
	for p := range t.waiting.of(q).after(place[string]{at: due.UnixMicro()}) {
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
		for range s.tables.leases.leased.of(q).after(place[string]{at: s.now().UnixMicro()}) {
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
