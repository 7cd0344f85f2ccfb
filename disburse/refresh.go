package disburse

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
)

// Refresh asks the bank what became of the payment of a row, and records the answer as Follow
// does. It does not ask the bank to pay. A payment that the bank does not know stays as it is:
// the due work asks for it. Refresh reports whether the bank answered.
func (s *Service[T, K, P]) Refresh(ctx context.Context, row P) (answered bool, err error) {
	order := s.kind.Order(row)
	b, err := ferry.Provider(s.config.Banks, order.Scope.Env, bank.ErrNone)
	if err != nil {
		return false, ferry.UnlessLacking(err)
	}
	outcome, err := b.Outcome(ctx, order.Key)
	switch {
	case errors.Is(err, bank.ErrUnknownKey):
		return true, nil
	case err != nil:
		return false, nil // nothing is known
	}
	return true, s.Follow(ctx, order.Scope.Env, outcome)
}
