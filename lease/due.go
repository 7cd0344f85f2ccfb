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

// ClaimDue claims at most limit keys of a queue that are due, for the given time,
// in a unit of its own.
func ClaimDue[T Tx](ctx context.Context, units ferry.Units[T], q Queue, lease time.Duration, limit int) ([]Claim, error) {
	return ferry.InUnit(ctx, units, func(ctx context.Context, tx T) ([]Claim, error) {
		return tx.Leases().Claim(ctx, q, tx.Now(), lease, limit)
	})
}

// RunDue claims at most limit keys of a queue that are due, gives them to work one
// by one and returns how many there were. An error of one does not stop the others;
// a claim that was lost meanwhile is none.
func RunDue[T Tx](ctx context.Context, units ferry.Units[T], q Queue, lease time.Duration, limit int, work func(context.Context, Claim) error) (int, error) {
	claims, err := ClaimDue(ctx, units, q, lease, limit)
	for _, c := range claims {
		err = errors.Join(err, IgnoreLost(work(ctx, c)))
	}
	return len(claims), err
}

// Room is how much more a worker takes on: at most Keys, and of each owner
// PerOwner less those of it that the worker has in hand.
type Room struct {
	Keys, PerOwner int
	InHand         map[string]int
}

// ClaimShares is ClaimDue for a worker that does many keys at a time and must not
// let one owner's keep another's waiting. It fills the room evenly: what one owner
// has in hand more than another, the other is given first.
func ClaimShares[T Tx](ctx context.Context, units ferry.Units[T], q Queue, lease time.Duration, room Room) ([]Claim, error) {
	return ferry.InUnit(ctx, units, func(ctx context.Context, tx T) (all []Claim, err error) {
		owners, err := tx.Leases().Owners(ctx, q, tx.Now())
		if err != nil {
			return nil, err
		}
		shares := room.shares(owners)
		for _, o := range owners {
			claims, err := claimShare(ctx, tx, q, o.Name, lease, shares[o.Name])
			if err != nil {
				return nil, err
			}
			all = append(all, claims...)
		}
		return all, nil
	})
}

func claimShare(ctx context.Context, tx Tx, q Queue, owner string, lease time.Duration, share int) ([]Claim, error) {
	if share == 0 {
		return nil, nil
	}
	return tx.Leases().ClaimOf(ctx, q, owner, tx.Now(), lease, share)
}

// shares returns how many keys of each owner there is room for. Owners that have
// equally many in hand come in the order in which they were due.
func (r Room) shares(owners []Owner) map[string]int {
	slices.SortFunc(owners, func(a, b Owner) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Name, b.Name))
	})
	shares, left := map[string]int{}, r.Keys
	for level := 0; level < r.PerOwner; level++ {
		for _, o := range owners {
			if left > 0 && r.InHand[o.Name]+shares[o.Name] == level {
				shares[o.Name]++
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
func RecordKey(scope ferry.Scope, id string) string { return scope.String() + "/" + id }

// ParseRecordKey is the opposite of RecordKey.
func ParseRecordKey(key string) (scope ferry.Scope, id string, err error) {
	env, rest, ok := strings.Cut(key, "/")
	business, id, ok2 := strings.Cut(rest, "/")
	if !ok || !ok2 || id == "" {
		return ferry.Scope{}, "", fmt.Errorf("lease: no record is called %q", key)
	}
	return ferry.Scope{Env: ferry.Env(env), Business: ferry.BusinessID(business)}, id, nil
}
