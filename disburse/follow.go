package disburse

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
)

func (s *service[T, K, P]) Follow(ctx context.Context, env ferry.Env, o bank.Outcome) error {
	return s.follow(ctx, env, Reply{Outcome: o})
}

func (s *service[T, K, P]) follow(ctx context.Context, env ferry.Env, o Reply) error {
	if s.kind.named == nil {
		return nil
	}
	like, mine := s.kind.named(o.Key)
	if !mine {
		return nil
	}
	return s.units.In(env).Write(ctx, func(ctx context.Context, tx T) error {
		p, err := s.kind.Rows.Anyones(ctx, tx, like)
		if errors.Is(err, s.kind.Rows.Missing) {
			return nil // Reconcile finds it
		}
		if err != nil {
			return err
		}
		return s.followIn(ctx, tx, p, o)
	})
}

// followIn records an outcome on a row. The due work of the row stays, and ends when it finds
// the row closed.
func (s *service[T, K, P]) followIn(ctx context.Context, tx T, p P, told Reply) (err error) {
	o := told.Outcome
	if s.kind.Order(p).State == Open {
		if s.kind.receive != nil {
			s.kind.receive(&p, told.Receipt)
		}
		if s.kind.Begin != nil {
			if p, err = s.kind.Begin(ctx, tx, p, true); err != nil {
				return err
			}
		}
		if p, err = s.concludeIn(ctx, tx, p, o, s.kind.check(p, o)); err != nil {
			return err
		}
	}
	if s.kind.Order(p).State != Paid || o.State != bank.StateReturned || s.kind.CameBack == nil {
		return nil
	}
	another, err := s.anotherIn(ctx, tx, p, o)
	if err != nil {
		return err
	}
	if another != nil {
		s.kind.Progress(&p).count(answerOf(o, another))
	} else if p, err = s.kind.CameBack(ctx, tx, p, o); err != nil {
		return err
	}
	return s.saveIn(ctx, tx, &p)
}

// anotherIn returns why what came back is not the payment of a row, or nil. A person who resolved
// the row as paid has said that what the bank sent stands for what it was told.
func (s *service[T, K, P]) anotherIn(ctx context.Context, tx T, p P, o bank.Outcome) (another, _ error) {
	if another = s.kind.check(p, o); another == nil {
		return nil, nil
	}
	order := s.kind.Order(p)
	decided, err := ResolutionKind.GetOr(ctx, tx, Resolution{ID: order.Key, Scope: order.Scope})
	if err != nil || decided.Decision == WasPaid {
		return nil, err
	}
	return another, nil
}
