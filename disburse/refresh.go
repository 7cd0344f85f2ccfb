package disburse

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
)

func (s *service[T, K, P]) Refresh(ctx context.Context, row P) (answered bool, err error) {
	order := s.kind.Order(row)
	reply, err := s.find(ctx, row)
	switch {
	case errors.Is(err, ferry.ErrNoProvider):
		return false, nil
	case answerOf(reply.Outcome, err) == UnknownKey:
		return true, nil
	case err != nil:
		return false, nil // nothing is known
	}
	return true, s.follow(ctx, order.Scope.Env, reply)
}

// find asks what became of the payment of a row.
func (s *service[T, K, P]) find(ctx context.Context, row P) (Reply, error) {
	order := s.kind.Order(row)
	if s.kind.sells != nil {
		b, err := ferry.Provider(s.config.Billers, order.Scope.Env, biller.ErrNone)
		if err != nil {
			return Reply{}, err
		}
		return s.kind.sells(b).find(ctx, row)
	}
	b, err := ferry.Provider(s.config.Banks, order.Scope.Env, bank.ErrNone)
	if err != nil {
		return Reply{}, err
	}
	outcome, err := b.Outcome(ctx, order.Key)
	return Reply{Outcome: outcome}, err
}
