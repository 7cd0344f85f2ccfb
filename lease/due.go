package lease

import (
	"context"
	"errors"
	"fmt"
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
// its clock, for the given time, in units of its own. It claims those that have been due the
// longest. When they are more than three quarters of the limit, the last quarter goes around the
// owners in turn, and comes first in what is returned. So the backlog of one owner delays the
// others by one pass, when limit is at least 4.
func ClaimDue[T Tx](ctx context.Context, units ferry.EnvUnits[T], kind Kind, lease time.Duration, limit int) ([]Claim, error) {
	var all []Claim
	var failed error
	for _, env := range ferry.Envs() {
		claims, err := claimLongest(ctx, units.In(env), kind.In(env), lease, limit-limit/4)
		if err == nil && len(claims) == limit-limit/4 && limit/4 > 0 {
			var turns []Claim
			turns, err = claimTurns(ctx, units.In(env), kind.In(env), lease, limit/4)
			claims = append(turns, claims...)
		}
		all, failed = append(all, claims...), errors.Join(failed, err)
	}
	return all, failed
}

// claimLongest claims what has been due the longest.
func claimLongest[T Tx](ctx context.Context, units ferry.Units[T], q Queue, lease time.Duration, limit int) ([]Claim, error) {
	return ferry.InUnit(ctx, units, func(ctx context.Context, tx T) ([]Claim, error) {
		return tx.Leases().Claim(ctx, q, tx.Now(), lease, limit)
	})
}

// claimTurns claims what has been due the longest of each owner, and then what comes next of
// each. What another worker claims meanwhile is left to it.
func claimTurns[T Tx](ctx context.Context, units ferry.Units[T], q Queue, lease time.Duration, limit int) ([]Claim, error) {
	claims, err := ferry.InUnit(ctx, units, func(ctx context.Context, tx T) ([]Claim, error) {
		at := map[Queue]time.Time{q: tx.Now()}
		room := Room{Keys: limit, PerOwner: limit}
		offers, err := tx.Leases().Offers(ctx, at, room)
		if err != nil {
			return nil, err
		}
		offers, _ = room.Share(offers, at)
		var claims []Claim
		for _, o := range offers {
			if err := tx.Leases().Take(ctx, o, lease); err != nil {
				return nil, err
			}
			claims = append(claims, o.Claim)
		}
		return claims, nil
	})
	if err != nil {
		return nil, IgnoreLost(err)
	}
	return claims, nil
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
	env, rest, _ := strings.Cut(key, "/")
	business, id, _ := strings.Cut(rest, "/")
	if id == "" {
		return ferry.Scope{}, "", fmt.Errorf("lease: no record is called %q", key)
	}
	return ferry.Scope{Env: ferry.Env(env), Business: ferry.BusinessID(business)}, id, nil
}
