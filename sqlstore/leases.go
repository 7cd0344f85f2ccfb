package sqlstore

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Leases are steps without reading: every change is one statement on one key,
// with the claim's fencing number as its condition. So two units that schedule
// one key do not make each other run again.
type leaseStore struct{ *unit }

var _ lease.Store = leaseStore{}

// Leases returns the port of due work.
func (u *unit) Leases() lease.Store { return leaseStore{u} }

func (s leaseStore) Schedule(_ context.Context, q lease.Queue, key string, due time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	s.do(nil, `INSERT INTO due_work (queue, key, due, round) VALUES (?, ?, ?, 1)
		ON CONFLICT (queue, key) DO UPDATE SET round = due_work.round + 1,
			due = CASE WHEN due_work.fence = 0 AND excluded.due < due_work.due THEN excluded.due ELSE due_work.due END,
			again = CASE WHEN due_work.fence = 0 OR due_work.again <= excluded.due THEN due_work.again ELSE excluded.due END`,
		string(q), key, due.UnixMicro())
	return nil
}

// Claim takes what is due now. When another unit claims one of these keys first, the body runs
// again. A key that is scheduled in between is claimed all the same and becomes due again when
// the claim ends.
func (s leaseStore) Claim(ctx context.Context, q lease.Queue, now time.Time, length time.Duration, limit int) ([]lease.Claim, error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	offers, err := s.offers(ctx, "SELECT queue, key, due, round, fence FROM due_work WHERE queue = ? AND due <= ? AND "+
		sqldb.ByDue+" AND "+sqldb.Free("due_work", s.store.db.Now())+" ORDER BY due, key LIMIT ?", []any{string(q), now.UnixMicro(), int64(limit)})
	if err != nil {
		return nil, err
	}
	claims := make([]lease.Claim, 0, len(offers))
	for _, o := range offers {
		s.take(o, length, sqldb.ErrRerun)
		claims = append(claims, o.Claim)
	}
	return claims, nil
}

// offers returns the keys that a query selects. It reads outside of the unit's snapshot, because
// drawing fencing numbers is a write.
func (s leaseStore) offers(ctx context.Context, sql string, args []any) (offers []lease.Offer, err error) {
	if s.ended {
		return nil, errEnded
	}
	err = s.store.db.AskFenced(ctx, sql, args, func(scan func(...any) error) error {
		var o lease.Offer
		var queue string
		var due int64
		err := scan(&o.Fence, &queue, &o.Key, &due, &o.Round, &o.Former)
		o.Queue, o.Due = lease.Queue(queue), time.UnixMicro(due).UTC()
		offers = append(offers, o)
		return err
	})
	return offers, err
}

// take claims an offered key, if it is still under the claim that it was offered under, or none.
func (s leaseStore) take(o lease.Offer, length time.Duration, lost error) {
	s.doOf(workOf(o.Queue, o.Key), sqldb.Refusal(lost), `UPDATE due_work SET fence = ?, leased_until = `+s.store.db.Now()+` + ?, again = CASE WHEN round = ? THEN NULL ELSE due END
		WHERE queue = ? AND key = ? AND fence = ?`, o.Fence, length.Microseconds(), o.Round, string(o.Queue), o.Key, o.Former)
}

func (s leaseStore) Take(_ context.Context, o lease.Offer, length time.Duration) error {
	if err := s.writable(); err != nil {
		return err
	}
	s.take(o, length, lease.ErrLost)
	return nil
}

// Offers reads a row for each key that it offers, for each owner, and for each key that is claimed, by index.
func (s leaseStore) Offers(ctx context.Context, at map[lease.Queue]time.Time, room lease.Room) ([]lease.Offer, error) {
	var args []any
	for _, q := range slices.Sorted(maps.Keys(at)) {
		args = append(args, string(q), at[q].UnixMicro())
	}
	owners := map[string]int{}
	maps.Copy(owners, room.InHand)
	maps.Copy(owners, room.Ahead)
	var listed [][]string
	for owner := range owners {
		listed = append(listed, []string{owner, strconv.Itoa(room.Of(owner)), strconv.Itoa(room.InHand[owner])})
	}
	list, rows := s.store.db.List(3, listed)
	each := int64(room.PerOwner)
	return s.offers(ctx, offersOf(len(at), list, s.store.db.Waiting(), s.store.db.Now()), slices.Concat(args, rows, []any{each, each, int64(room.Keys)}))
}

// offersOf is the query of Offers for some queues, and for a list of owners whose room is not that of
// the others. Those with the fewest keys in hand come first, as they do in lease.Room.Share. The room of an
// owner is looked up by an index that the query makes, so that no key is compared with each owner.
func offersOf(queues int, list, waiting, now string) string {
	asked := "(?, CAST(? AS BIGINT), " + now + ")"
	return "WITH RECURSIVE asked (queue, now, clock) AS (VALUES " + asked + strings.Repeat(", "+asked, queues-1) + `),
		listed (owner, most, held) AS (` + list + `),
		room (owner, most, held) AS MATERIALIZED (SELECT owner, CAST(most AS BIGINT), CAST(held AS BIGINT) FROM listed),
		` + waiting + `
		SELECT s.queue, s.key, s.due, s.round, s.fence FROM steps s LEFT JOIN room r ON r.owner = s.owner
			WHERE s.due <= s.now AND s.place <= coalesce(r.most, ?)
			ORDER BY coalesce(r.held, 0) + s.place, s.due - s.now, s.key LIMIT ?`
}

// heldBy is the condition that a claim holds its key. A key that waits has the fence 0, which no claim has.
const heldBy = "queue = ? AND key = ? AND fence = ? AND fence <> 0"

func holder(c lease.Claim) []any { return []any{string(c.Queue), c.Key, c.Fence} }

// workOf names the row of a key for the steps of a unit.
func workOf(q lease.Queue, key string) string { return "due_work " + string(q) + " " + key }

// mustHold adds a step that is refused when the claim is lost.
func (s leaseStore) mustHold(c lease.Claim) {
	s.batch.Steps = append(s.batch.Steps, sqldb.Step{
		SQL: "SELECT 1 FROM due_work WHERE " + heldBy, Args: holder(c), Asks: true, Refuse: sqldb.Refusal(lease.ErrLost), Of: workOf(c.Queue, c.Key),
	})
}

// Check looks at once, so that a worker that has lost does not go on, and again
// when the unit commits.
func (s leaseStore) Check(ctx context.Context, c lease.Claim) error {
	var one int64
	found, err := s.row(ctx, "SELECT 1 FROM due_work WHERE "+heldBy, holder(c), &one)
	if err != nil {
		return err
	}
	if !found {
		return lease.ErrLost
	}
	if s.batch != nil {
		s.mustHold(c)
	}
	return nil
}

func (s leaseStore) Retry(_ context.Context, c lease.Claim, due time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	at := due.UnixMicro()
	s.doOf(workOf(c.Queue, c.Key), sqldb.Refusal(lease.ErrLost), "UPDATE due_work SET fence = 0, leased_until = NULL, due = CASE WHEN again < ? THEN again ELSE ? END, again = NULL WHERE "+heldBy,
		append([]any{at, at}, holder(c)...)...)
	return nil
}

// Finish deletes the key, or keeps it when it was scheduled since the claim.
func (s leaseStore) Finish(_ context.Context, c lease.Claim) error {
	if err := s.writable(); err != nil {
		return err
	}
	s.batch.Steps = append(s.batch.Steps, sqldb.Step{
		SQL:  "DELETE FROM due_work WHERE " + heldBy + " AND round = ?",
		Or:   "UPDATE due_work SET fence = 0, leased_until = NULL, due = again, again = NULL WHERE " + heldBy + " AND round <> ?",
		Args: append(holder(c), c.Round), Refuse: sqldb.Refusal(lease.ErrLost), Of: workOf(c.Queue, c.Key),
	})
	return nil
}

const expedite = "UPDATE due_work SET due = ? WHERE queue = ? AND fence = 0 AND due > ? AND " + sqldb.ByDue + " AND substr(key, 1, length(?)) = ?"

func (s leaseStore) Expedite(_ context.Context, q lease.Queue, prefix string, due time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	at := due.UnixMicro()
	s.do(nil, expedite, at, string(q), at, prefix, prefix)
	return nil
}

// Next is one statement, which looks at the first row of each queue. In a unit that only
// reads it stands on its own, and brings along the version of the simulated world.
func (s leaseStore) Next(ctx context.Context, queues []lease.Queue) (map[lease.Queue]time.Time, error) {
	alone, read := s.batch == nil && s.snap == nil, s.query
	if alone && !s.ended {
		read = s.store.db.Ask
	}
	args := make([]any, len(queues))
	for i, q := range queues {
		args[i] = string(q)
	}
	at, next := time.Now(), map[lease.Queue]time.Time{}
	return next, read(ctx, nextOf(len(queues), s.store.db.Now()), args, func(scan func(...any) error) error {
		var queue *string
		var found int64
		if err := scan(&queue, &found); err != nil {
			return err
		}
		if queue == nil {
			if alone {
				s.store.world.saw(found, at)
			}
			return nil
		}
		next[lease.Queue(*queue)] = time.UnixMicro(found).UTC()
		return nil
	})
}

// nextOf is the query of Next for n queues. The version of the world has no queue.
func nextOf(n int, now string) string {
	if n == 0 {
		return "SELECT NULL AS queue, version FROM world_version"
	}
	return `WITH queues (queue) AS (VALUES (?)` + strings.Repeat(", (?)", n-1) + `)
		SELECT queue, due FROM (
			SELECT q.queue, (SELECT w.due FROM due_work w WHERE w.queue = q.queue AND ` + sqldb.ByDue + ` AND ` + sqldb.Free("w", now) + ` ORDER BY w.due LIMIT 1) AS due FROM queues q
			UNION ALL SELECT NULL, version FROM world_version) AS found
		WHERE due IS NOT NULL`
}

// Held looks at all keys: no index has the claimed ones.
func (s leaseStore) Held(ctx context.Context, queues []lease.Queue) (held bool, err error) {
	if len(queues) == 0 {
		return false, nil
	}
	some, args := anyOf("queue", queues)
	var one int64
	return s.row(ctx, "SELECT 1 FROM due_work WHERE "+some+" AND fence > 0 AND leased_until > "+s.store.db.Now()+" LIMIT 1", args, &one)
}
