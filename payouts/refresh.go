package payouts

import (
	"context"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
)

// refreshTime is how long one Refresh asks at most, in real time.
const refreshTime = 10 * time.Second

// Refresh asks the bank what became of the items of a payout that are in progress, and
// records its answers. It does not ask the bank to pay. It asks for ten seconds at most, and
// first about the items that were looked at longest ago. It reports whether the bank has
// answered about all of them; what it did not answer stays in progress. Errors: ErrNotFound.
func (s *Service) Refresh(ctx context.Context, scope ferry.Scope, ref Ref) (answered bool, err error) {
	p, err := s.Get(ctx, scope, ref)
	if err != nil {
		return false, err
	}
	items := slices.DeleteFunc(p.Items, func(i Item) bool { return i.Status != ItemProcessing })
	slices.SortStableFunc(items, func(a, b Item) int { return a.UpdatedAt.Compare(b.UpdatedAt) })
	asking, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	for _, i := range items {
		answered, err := s.items.Refresh(asking, i)
		if !answered || asking.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
