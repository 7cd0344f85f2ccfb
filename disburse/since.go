package disburse

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

func (s *service[T, K, P]) ReconcileSince(ctx context.Context, env ferry.Env, since time.Time) (Reconciliation, error) {
	found := Reconciliation{Told: money.NGN(0), Booked: money.NGN(0)}
	own, err := s.ofEnv(ctx, env)
	if err != nil {
		return found, err
	}
	resolved, err := s.resolved(ctx, env)
	if err != nil {
		return found, err
	}
	for _, p := range own {
		order := s.kind.Order(p)
		if order.State != Open && s.kind.Progress(&p).UpdatedAt.Before(since) {
			continue
		}
		told, err := s.toldOf(ctx, p)
		if err != nil {
			return found, err
		}
		s.compareOne(&found, p, told, resolved[order.Key])
		if err := found.add(told, order.Amount, order.wasPaid()); err != nil {
			return found, err
		}
	}
	return found, nil
}

// add counts a payment that the other side reports, and one that is booked as paid.
func (r *Reconciliation) add(told Told, amount money.Amount, booked bool) (err error) {
	if told != (Told{}) {
		r.Payments++
		if r.Told, err = r.Told.Add(told.Amount); err != nil {
			return err
		}
	}
	if booked {
		r.Booked, err = r.Booked.Add(amount)
	}
	return err
}

// toldOf is a payment as the other side reports it when it is asked; the zero Told when it has not
// made it.
func (s *service[T, K, P]) toldOf(ctx context.Context, p P) (Told, error) {
	reply, err := s.find(ctx, p)
	o := reply.Outcome
	switch {
	case answerOf(o, err) == UnknownKey:
		return Told{}, nil
	case err != nil:
		return Told{}, err
	case o.State != bank.StatePaid && o.State != bank.StateReturned:
		return Told{}, nil
	}
	return Told{Key: o.Key, Ref: o.SessionID, Party: PartyOf(o.To), Amount: o.Amount, Back: o.State == bank.StateReturned}, nil
}
