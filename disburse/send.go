package disburse

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
)

// send asks the bank for one payment, unless money is held, and records its answer.
func (s *service[T, K, P]) send(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	units := s.units.Of(scope)
	later := func() error {
		return units.Write(ctx, func(ctx context.Context, tx T) error { return tx.Leases().Retry(ctx, c, tx.Now().Add(HeldPause)) })
	}
	asked, err := s.begin(ctx, c, scope, K(id))
	if errors.Is(err, ErrNotYet) {
		return later()
	}
	if err != nil {
		return err
	}
	if s.kind.Order(asked).State != Open {
		return units.Write(ctx, func(ctx context.Context, tx T) error { return tx.Leases().Finish(ctx, c) })
	}
	reply, refusal := s.ask(ctx, scope.Env, asked)
	answered, err := s.answer(ctx, c, asked, reply, refusal)
	if err == nil {
		s.log(ctx, asked, answered, cmp.Or(refusal, reasonOf(reply.Outcome)))
	}
	return err
}

// reasonOf returns the words of the bank as an error, or nil.
func reasonOf(o bank.Outcome) error {
	if o.Reason == "" {
		return nil
	}
	return errors.New(o.Reason)
}

// begin returns a row for which the bank may be asked now, if it is open: ErrNotYet while money
// is held.
func (s *service[T, K, P]) begin(ctx context.Context, c lease.Claim, scope ferry.Scope, id K) (P, error) {
	if s.kind.Begin == nil {
		return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx T) (P, error) {
			return s.freeIn(ctx, tx, scope, id)
		})
	}
	s.recording.Lock()
	defer s.recording.Unlock()
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx T) (P, error) {
		p, err := s.freeIn(ctx, tx, scope, id)
		if err != nil || s.kind.Order(p).State != Open {
			return p, err
		}
		if p, err = s.kind.Begin(ctx, tx, p, false); err != nil {
			return p, err
		}
		return p, errors.Join(s.saveIn(ctx, tx, &p), tx.Leases().Check(ctx, c))
	})
}

// freeIn returns a row, or ErrNotYet while money is held.
func (s *service[T, K, P]) freeIn(ctx context.Context, tx T, scope ferry.Scope, id K) (p P, err error) {
	if held, err := s.config.Held(ctx, tx, scope.Env); err != nil {
		return p, err
	} else if held {
		return p, ErrNotYet
	}
	return s.kind.Rows.Get(ctx, tx, scope, id)
}

// ask asks the bank for a payment.
func (s *service[T, K, P]) ask(ctx context.Context, env ferry.Env, p P) (Reply, error) {
	ask, err := s.asks(env)
	if err != nil {
		return Reply{}, err
	}
	ctx, end := context.WithTimeout(ctx, s.config.Timeout)
	defer end()
	failpoint.Hit(failpoint.BeforePay)
	reply, err := ask(ctx, p)
	failpoint.Hit(failpoint.AfterPay)
	return reply, err
}

// asks returns how the bank of an environment is asked for a payment, or its biller.
func (s *service[T, K, P]) asks(env ferry.Env) (func(context.Context, P) (Reply, error), error) {
	if s.kind.sells != nil {
		b, err := ferry.Provider(s.config.Billers, env, biller.ErrNone)
		return s.kind.sells(b).sell, err
	}
	b, err := ferry.Provider(s.config.Banks, env, bank.ErrNone)
	return func(ctx context.Context, p P) (Reply, error) { return s.kind.Ask(ctx, b, p) }, err
}

// answer records what the bank said of a payment.
func (s *service[T, K, P]) answer(ctx context.Context, c lease.Claim, asked P, reply Reply, refusal error) (P, error) {
	s.recording.Lock()
	defer s.recording.Unlock()
	return ferry.InUnit(ctx, s.units.Of(s.kind.Order(asked).Scope), func(ctx context.Context, tx T) (P, error) {
		return s.answerIn(ctx, tx, c, asked, reply, refusal)
	})
}

// answerIn records what the bank said of a payment. A worker that lost its claim may have
// recorded more; the row is read again, and the claim is checked.
func (s *service[T, K, P]) answerIn(ctx context.Context, tx T, c lease.Claim, asked P, reply Reply, refusal error) (P, error) {
	order := s.kind.Order(asked)
	p, err := s.kind.Rows.Get(ctx, tx, order.Scope, order.ID)
	if err != nil {
		return p, err
	}
	if s.kind.Order(p).State == Open {
		if reply.Submitted {
			s.kind.Progress(&p).Submissions++
		}
		if s.kind.receive != nil {
			s.kind.receive(&p, reply.Receipt)
		}
		if p, err = s.concludeIn(ctx, tx, p, reply.Outcome, refusal); err != nil {
			return p, err
		}
	}
	if s.kind.Order(p).State == Open {
		return p, tx.Leases().Retry(ctx, c, tx.Now().Add(s.config.pause(*s.kind.Progress(&p))))
	}
	return p, tx.Leases().Finish(ctx, c)
}

// concludeIn records on an open row what the bank said of its payment, and saves it.
func (s *service[T, K, P]) concludeIn(ctx context.Context, tx T, p P, outcome bank.Outcome, refusal error) (_ P, err error) {
	paid := refusal == nil && (outcome.State == bank.StatePaid || outcome.State == bank.StateReturned)
	if !paid {
		s.kind.Progress(&p).count(answerOf(outcome, refusal))
	}
	switch {
	case paid:
		p, err = s.kind.Paid(ctx, tx, p, outcome)
	case s.kind.Progress(&p).Answer.Refused() && s.kind.Failed != nil:
		p, err = s.kind.Failed(ctx, tx, p, outcome)
	}
	if err != nil {
		return p, err
	}
	return p, s.saveIn(ctx, tx, &p)
}

// count notes one more answer.
func (p *Progress) count(answer Answer) {
	if answer != p.Answer {
		p.Answer, p.Attempts = answer, 0
	}
	p.Attempts++
}

// saveIn writes a row that was changed.
func (s *service[T, K, P]) saveIn(ctx context.Context, tx T, p *P) error {
	s.kind.Progress(p).UpdatedAt = tx.Now()
	return s.kind.Rows.Update(ctx, tx, *p)
}

// log logs an answer that differs from the one before.
func (s *service[T, K, P]) log(ctx context.Context, asked, answered P, refusal error) {
	before, now, order := s.kind.Progress(&asked).Answer, s.kind.Progress(&answered).Answer, s.kind.Order(answered)
	level, text := slog.LevelWarn, "does not say whether it pays"
	switch {
	case order.State == Paid && before == "", order.State == Open && now == before:
		return
	case order.State == Paid:
		level, text = slog.LevelInfo, "pays after all"
	case now.Refused():
		level, text = slog.LevelError, "refuses to pay"
	}
	s.config.Logger.Log(ctx, level, "the "+s.kind.asked()+" "+text, "env", order.Scope.Env, s.kind.Name, order.ID, "party", order.Party,
		"amount", order.Amount.String(), "answer", refusal)
}
