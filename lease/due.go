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
