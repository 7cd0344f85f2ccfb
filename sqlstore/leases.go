package sqlstore

import (
	"cmp"
	"context"
	"slices"
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

// waiting is a key that may be claimed: it waits, or its lease has run out.
type waiting struct {
	key               string
	due, round, fence int64
}

// Claim takes what the unit's snapshot shows as due. When another unit claims
// one of these keys first, the body runs again. A key that is scheduled in
// between is claimed all the same and becomes due again when the claim ends.
func (s leaseStore) Claim(ctx context.Context, q lease.Queue, now time.Time, length time.Duration, limit int) ([]lease.Claim, error) {
	return s.claim(ctx, q, length, limit, `queue = ? AND due <= ?`, string(q), now.UnixMicro())
}

func (s leaseStore) ClaimOf(ctx context.Context, q lease.Queue, owner string, now time.Time, length time.Duration, limit int) ([]lease.Claim, error) {
	return s.claim(ctx, q, length, limit, `queue = ? AND owner = ? AND due <= ?`, string(q), owner, now.UnixMicro())
}

// claim hands out the first keys for which a condition holds.
func (s leaseStore) claim(ctx context.Context, q lease.Queue, length time.Duration, limit int, where string, args ...any) ([]lease.Claim, error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	due, err := s.due(ctx, limit, where, args)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	fences, err := s.store.db.Fences(ctx, len(due))
	if err != nil {
		return nil, err
	}
	claims := make([]lease.Claim, 0, len(due))
	for i, w := range due {
		s.do(sqldb.Refusal(sqldb.ErrRerun), `UPDATE due_work SET fence = ?, leased_until = `+s.store.db.Now()+` + ?, again = CASE WHEN round = ? THEN NULL ELSE due END
			WHERE queue = ? AND key = ? AND fence = ?`, fences[i], length.Microseconds(), w.round, string(q), w.key, w.fence)
		claims = append(claims, lease.Claim{Queue: q, Key: w.key, Fence: fences[i], Round: w.round})
	}
	return claims, nil
}

// due returns the keys that may be claimed, the longest due first.
func (s leaseStore) due(ctx context.Context, limit int, where string, args []any) ([]waiting, error) {
	var all []waiting
	note := func(scan func(...any) error) error {
		var w waiting
		err := scan(&w.key, &w.due, &w.round, &w.fence)
		all = append(all, w)
		return err
	}
	args = append(args, int64(limit))
	err := s.all(ctx, sqldb.Query{SQL: `SELECT key, due, round, fence FROM due_work
		WHERE fence = 0 AND ` + where + ` ORDER BY due, key LIMIT ?`, Args: args, Each: note,
	}, sqldb.Query{SQL: `SELECT key, due, round, fence FROM due_work
		WHERE fence > 0 AND leased_until <= ` + s.store.db.Now() + ` AND ` + where + ` ORDER BY leased_until LIMIT ?`, Args: args, Each: note})
	slices.SortFunc(all, func(a, b waiting) int { return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.key, b.key)) })
	return all[:min(limit, len(all))], err
}

// Owners looks at one row of each owner that waits: it steps through the index
// from owner to owner.
func (s leaseStore) Owners(ctx context.Context, q lease.Queue, now time.Time) ([]lease.Owner, error) {
	first := map[string]int64{}
	note := func(scan func(...any) error) error {
		var owner string
		var due int64
		err := scan(&owner, &due)
		if at, found := first[owner]; !found || due < at {
			first[owner] = due
		}
		return err
	}
	err := s.all(ctx, sqldb.Query{SQL: `WITH RECURSIVE owners (owner) AS (
			SELECT min(owner) FROM due_work WHERE queue = ? AND fence = 0
			UNION ALL SELECT (SELECT min(d.owner) FROM due_work d WHERE d.queue = ? AND d.fence = 0 AND d.owner > owners.owner)
				FROM owners WHERE owners.owner IS NOT NULL)
		SELECT owner, due FROM (SELECT owner, (SELECT min(d.due) FROM due_work d
				WHERE d.queue = ? AND d.fence = 0 AND d.owner = owners.owner) AS due FROM owners) AS waiting
		WHERE due <= ?`, Args: []any{string(q), string(q), string(q), now.UnixMicro()}, Each: note,
	}, sqldb.Query{SQL: `SELECT owner, min(due) FROM due_work
		WHERE queue = ? AND fence > 0 AND leased_until <= ` + s.store.db.Now() + ` AND due <= ? GROUP BY owner`,
		Args: []any{string(q), now.UnixMicro()}, Each: note})
	owners := make([]lease.Owner, 0, len(first))
	for name, due := range first {
		owners = append(owners, lease.Owner{Name: name, Due: time.UnixMicro(due).UTC()})
	}
	return owners, err
}

const heldBy = "queue = ? AND key = ? AND fence = ? AND fence > 0"

func holder(c lease.Claim) []any { return []any{string(c.Queue), c.Key, c.Fence} }

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
		s.ask(sqldb.Refusal(lease.ErrLost), "SELECT 1 FROM due_work WHERE "+heldBy, holder(c)...)
	}
	return nil
}

func (s leaseStore) Retry(_ context.Context, c lease.Claim, due time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	at := due.UnixMicro()
	s.do(sqldb.Refusal(lease.ErrLost), "UPDATE due_work SET fence = 0, leased_until = NULL, due = CASE WHEN again < ? THEN again ELSE ? END, again = NULL WHERE "+heldBy,
		append([]any{at, at}, holder(c)...)...)
	return nil
}

// Finish keeps a key that was scheduled since the claim, else deletes it.
func (s leaseStore) Finish(_ context.Context, c lease.Claim) error {
	if err := s.writable(); err != nil {
		return err
	}
	s.ask(sqldb.Refusal(lease.ErrLost), "SELECT 1 FROM due_work WHERE "+heldBy, holder(c)...)
	s.do(nil, "DELETE FROM due_work WHERE "+heldBy+" AND round = ?", append(holder(c), c.Round)...)
	s.do(nil, "UPDATE due_work SET fence = 0, leased_until = NULL, due = again, again = NULL WHERE "+heldBy, holder(c)...)
	return nil
}

func (s leaseStore) Expedite(_ context.Context, q lease.Queue, prefix string, due time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	at := due.UnixMicro()
	s.do(nil, "UPDATE due_work SET due = ? WHERE queue = ? AND fence = 0 AND due > ? AND substr(key, 1, length(?)) = ?",
		at, string(q), at, prefix, prefix)
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
		q, due := lease.Queue(*queue), time.UnixMicro(found).UTC()
		if first, found := next[q]; !found || due.Before(first) {
			next[q] = due
		}
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
			SELECT q.queue, (SELECT min(w.due) FROM due_work w WHERE w.queue = q.queue AND w.fence = 0) AS due FROM queues q
			UNION ALL SELECT q.queue, (SELECT min(w.due) FROM due_work w
				WHERE w.queue = q.queue AND w.fence > 0 AND w.leased_until <= ` + now + `) FROM queues q
			UNION ALL SELECT NULL, version FROM world_version) AS found
		WHERE due IS NOT NULL`
}

func (s leaseStore) Held(ctx context.Context, queues []lease.Queue) (held bool, err error) {
	for _, q := range queues {
		var one int64
		held, err = s.row(ctx, "SELECT 1 FROM due_work WHERE queue = ? AND fence > 0 AND leased_until > "+s.store.db.Now()+" LIMIT 1",
			[]any{string(q)}, &one)
		if held || err != nil {
			return held, err
		}
	}
	return false, nil
}
