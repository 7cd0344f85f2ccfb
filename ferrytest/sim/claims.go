package sim

import (
	"context"
	"time"

	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// claims knows the newest claim of each key. Who lost a claim concludes nothing under it: its unit
// does not commit.
type claims struct {
	run    *run
	newest map[work]int64 // the fence of the claim that has not ended, or 0
}

// work is a key of a queue.
type work struct {
	queue lease.Queue
	key   string
}

// committed takes what a unit did with claims, in its order.
func (c *claims) committed(u *unitClaims) {
	for _, did := range u.did {
		w := work{did.Queue, did.Key}
		switch {
		case did.taken:
			c.newest[w] = did.Fence
		case c.newest[w] != did.Fence:
			c.run.fail("claims", "%s of %s was concluded under claim %d, and the newest is %d", did.Key, did.Queue, did.Fence, c.newest[w])
		case did.ended:
			c.newest[w] = 0
		}
	}
}

// unitClaims are the ports of a unit that note what it does with claims.
type unitClaims struct {
	store.Ports
	did []claimed
}

// claimed is a claim that a unit has taken, ended or relied on.
type claimed struct {
	lease.Claim
	taken, ended bool
}

// Unwrap returns the ports of the backend.
func (u *unitClaims) Unwrap() store.Ports { return u.Ports }

func (u *unitClaims) Leases() lease.Store { return notedLeases{u.Ports.Leases(), u} }

type notedLeases struct {
	lease.Store
	unit *unitClaims
}

func (n notedLeases) note(err error, did claimed) error {
	if err == nil {
		n.unit.did = append(n.unit.did, did)
	}
	return err
}

func (n notedLeases) Claim(ctx context.Context, q lease.Queue, now time.Time, length time.Duration, limit int) ([]lease.Claim, error) {
	all, err := n.Store.Claim(ctx, q, now, length, limit)
	for _, c := range all {
		_ = n.note(err, claimed{Claim: c, taken: true})
	}
	return all, err
}

func (n notedLeases) Take(ctx context.Context, o lease.Offer, length time.Duration) error {
	return n.note(n.Store.Take(ctx, o, length), claimed{Claim: o.Claim, taken: true})
}

func (n notedLeases) Check(ctx context.Context, c lease.Claim) error {
	return n.note(n.Store.Check(ctx, c), claimed{Claim: c})
}

func (n notedLeases) Retry(ctx context.Context, c lease.Claim, due time.Time) error {
	return n.note(n.Store.Retry(ctx, c, due), claimed{Claim: c, ended: true})
}

func (n notedLeases) Finish(ctx context.Context, c lease.Claim) error {
	return n.note(n.Store.Finish(ctx, c), claimed{Claim: c, ended: true})
}
