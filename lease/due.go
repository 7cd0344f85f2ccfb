package lease

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Leases() Store
}

// ClaimDue claims at most limit keys of a kind of work in each environment that are due by
// its clock, for the given time, in units of its own.
func ClaimDue[T Tx](ctx context.Context, units ferry.EnvUnits[T], kind Kind, lease time.Duration, limit int) ([]Claim, error) {
	var all []Claim
	var failed error
	for _, env := range ferry.Envs() {
		claims, err := ferry.InUnit(ctx, units.In(env), func(ctx context.Context, tx T) ([]Claim, error) {
			return tx.Leases().Claim(ctx, kind.In(env), tx.Now(), lease, limit)
		})
		all, failed = append(all, claims...), errors.Join(failed, err)
	}
	return all, failed
}

// RunDue claims as ClaimDue does, gives the claims to work one by one
// and returns how many there were. An error of one does not stop the others, and a
// claim that was lost meanwhile is no error. What ctx leaves undone when it ends is
// given back.
func RunDue[T Tx](ctx context.Context, units ferry.EnvUnits[T], kind Kind, lease time.Duration, limit int, work func(context.Context, Claim) error) (int, error) {
	claims, err := ClaimDue(ctx, units, kind, lease, limit)
	for _, c := range claims {
		if ctx.Err() == nil {
			err = errors.Join(err, IgnoreLost(work(ctx, c)))
		}
	}
	return len(claims), errors.Join(err, GiveBack(ctx, units, kind, claims))
}

// GiveBack ends those of the claims of a kind of work that still hold, when ctx has
// ended: their keys are due at once, for whoever comes next. While ctx goes on it does
// nothing.
func GiveBack[T Tx](ctx context.Context, units ferry.EnvUnits[T], kind Kind, claims []Claim) (failed error) {
	if ctx.Err() == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	for _, env := range ferry.Envs() {
		for _, c := range claims {
			if c.Queue != kind.In(env) {
				continue
			}
			failed = errors.Join(failed, IgnoreLost(units.In(env).Write(ctx, func(ctx context.Context, tx T) error {
				return tx.Leases().Retry(ctx, c, tx.Now())
			})))
		}
	}
	return failed
}

// Room says how many more keys a worker may claim: at most Keys in all, and of each
// owner at most PerOwner + Ahead[owner] - InHand[owner].
type Room struct {
	Keys, PerOwner int
	// Ahead is how many keys of an owner may be claimed beyond PerOwner. InHand is how
	// many keys of an owner the worker has claimed and not finished.
	Ahead, InHand map[string]int
}

// ClaimShares is ClaimDue for a worker that does many keys at a time, and in which no
// owner must delay another. It shares the room evenly: an owner with fewer keys in hand
// is served first.
func ClaimShares[T Tx](ctx context.Context, units ferry.EnvUnits[T], kind Kind, lease time.Duration, room Room) ([]Claim, error) {
	var owners []waiting
	for _, env := range ferry.Envs() {
		found, err := ownersDue(ctx, units, kind, env)
		if err != nil {
			return nil, err
		}
		owners = append(owners, found...)
	}
	shares := room.shares(owners)
	var all []Claim
	var failed error
	for _, env := range ferry.Envs() {
		claims, err := claimShares(ctx, units.In(env), kind.In(env), env, lease, owners, shares)
		all, failed = append(all, claims...), errors.Join(failed, err)
	}
	return all, failed
}

// waiting is an owner, and how long its first key has been due by the clock of its
// environment.
type waiting struct {
	env  ferry.Env
	name string
	lag  time.Duration
}

func ownersDue[T Tx](ctx context.Context, units ferry.EnvUnits[T], kind Kind, env ferry.Env) ([]waiting, error) {
	return ferry.InRead(ctx, units.In(env), func(ctx context.Context, tx T) ([]waiting, error) {
		owners, err := tx.Leases().Owners(ctx, kind.In(env), tx.Now())
		all := make([]waiting, len(owners))
		for i, o := range owners {
			all[i] = waiting{env, o.Name, tx.Now().Sub(o.Due)}
		}
		return all, err
	})
}

// claimShares claims the shares of an environment's owners in one unit.
func claimShares[T Tx](ctx context.Context, units ferry.Units[T], q Queue, env ferry.Env, lease time.Duration, owners []waiting, shares map[string]int) ([]Claim, error) {
	owners = slices.DeleteFunc(slices.Clone(owners), func(o waiting) bool { return o.env != env || shares[o.name] == 0 })
	if len(owners) == 0 {
		return nil, nil
	}
	return ferry.InUnit(ctx, units, func(ctx context.Context, tx T) (all []Claim, err error) {
		for _, o := range owners {
			claims, err := tx.Leases().ClaimOf(ctx, q, o.name, tx.Now(), lease, shares[o.name])
			if err != nil {
				return nil, err
			}
			all = append(all, claims...)
		}
		return all, nil
	})
}

// shares returns how many keys of each owner may be claimed. Among owners with equally
// many keys in hand, the one that has been due the longest comes first.
func (r Room) shares(owners []waiting) map[string]int {
	slices.SortFunc(owners, func(a, b waiting) int {
		return cmp.Or(cmp.Compare(b.lag, a.lag), cmp.Compare(a.name, b.name))
	})
	shares, left := map[string]int{}, r.Keys
	most := 0
	for _, o := range owners {
		most = max(most, r.PerOwner+r.Ahead[o.name])
	}
	for level := 0; level < most && left > 0; level++ {
		for _, o := range owners {
			if left > 0 && r.InHand[o.name]+shares[o.name] == level && level < r.PerOwner+r.Ahead[o.name] {
				shares[o.name]++
				left--
			}
		}
	}
	return shares
}

// IgnoreLost returns err unless it is ErrLost: then another worker has the claim,
// and does what is left to do.
func IgnoreLost(err error) error {
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// RecordKey is the key of a record of a scope in a queue. Those of one scope have a
// prefix in common, which is that of no record.
func RecordKey(scope ferry.Scope, id string) string {
	return string(scope.Env) + "/" + string(scope.Business) + "/" + id
}

// ParseRecordKey is the opposite of RecordKey.
func ParseRecordKey(key string) (scope ferry.Scope, id string, err error) {
	env, rest, ok := strings.Cut(key, "/")
	business, id, ok2 := strings.Cut(rest, "/")
	if !ok || !ok2 || id == "" {
		return ferry.Scope{}, "", fmt.Errorf("lease: no record is called %q", key)
	}
	return ferry.Scope{Env: ferry.Env(env), Business: ferry.BusinessID(business)}, id, nil
}
