package payments

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// How long a bank is left alone at most before it is asked for a return again.
const (
	longestUnavailable = 5 * time.Minute
	longestRefused     = 6 * time.Hour
)

// RunDue asks the banks to send back at most limit returns that are due, and
// returns how many there were. A bank that does not accept one is asked again.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueReturns, s.config.Lease, limit, s.sendBack)
}

// sendBack asks the bank for one return, unless money is held, and records its
// answer.
func (s *Service) sendBack(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	r, err := ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Return, error) {
		return tx.Payments().Returns().Get(ctx, scope, ReturnID(id))
	})
	if err != nil {
		return err
	}
	held, err := s.config.Held(ctx, scope.Env)
	if err != nil || held {
		return errors.Join(err, s.units.Of(scope).Write(ctx, func(ctx context.Context, tx Tx) error {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(s.config.Retry))
		}))
	}
	said := s.ask(ctx, r)
	answered, err := ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Return, error) {
		return s.answerIn(ctx, tx, c, r, said)
	})
	if err == nil {
		s.tell(ctx, r.Answer, answered, said)
	}
	return err
}

// ask asks the bank for a return. Nil says that it has accepted it.
func (s *Service) ask(ctx context.Context, r Return) error {
	if r.State != ReturnPending {
		return nil
	}
	b, err := ferry.Provider(s.config.Banks, r.Scope.Env, bank.ErrNone)
	if err != nil {
		return err
	}
	return b.Return(ctx, r.key(), r.Session, r.Amount)
}

// answerIn records what the bank said of a return. A worker that lost its claim
// may have recorded more.
func (s *Service) answerIn(ctx context.Context, tx Tx, c lease.Claim, asked Return, said error) (Return, error) {
	r, err := tx.Payments().Returns().Get(ctx, asked.Scope, asked.ID)
	if err != nil {
		return Return{}, err
	}
	if said == nil || r.State != ReturnPending {
		r, err = acceptIn(ctx, tx, r)
		return r, errors.Join(err, tx.Leases().Finish(ctx, c))
	}
	answer := answerOf(said)
	if answer != r.Answer {
		r.Answer, r.Attempts = answer, 0
	}
	r.Attempts++
	r.UpdatedAt = tx.Now()
	if err := tx.Payments().Returns().Update(ctx, r); err != nil {
		return Return{}, err
	}
	return r, tx.Leases().Retry(ctx, c, tx.Now().Add(s.pause(r)))
}

// acceptIn records that the bank sends a return back.
func acceptIn(ctx context.Context, tx Tx, r Return) (Return, error) {
	if r.State == ReturnAccepted {
		return r, nil
	}
	edge, err := ReturnLifecycle.Next(r.State, ReturnAccept)
	if err != nil {
		return Return{}, err
	}
	r.State, r.UpdatedAt = edge.To, tx.Now()
	if err := tx.Payments().Returns().Update(ctx, r); err != nil {
		return Return{}, err
	}
	return r, ledger.Post(ctx, tx.Ledger(), ledger.Move(
		ledger.PostingID("return:"+string(r.ID)), r.Scope.Env, "return", string(r.ID),
		ledger.SystemAccount(r.Scope.Env, ledger.Returns, money.AssetNGN),
		ledger.SystemAccount(r.Scope.Env, ledger.Bank, money.AssetNGN), r.Amount, tx.Now(),
	))
}

// answerOf is what a bank's error says.
func answerOf(said error) ReturnAnswer {
	switch {
	case errors.Is(said, bank.ErrUnknownSession):
		return AnswerUnknownSession
	case errors.Is(said, bank.ErrTooMuch):
		return AnswerTooMuch
	}
	return AnswerUnavailable
}

// pause is how long to wait before the bank is asked again.
func (s *Service) pause(r Return) time.Duration {
	longest := longestUnavailable
	if r.Refused() {
		longest = longestRefused
	}
	pause := s.config.Retry
	for range r.Attempts - 1 {
		pause = min(2*pause, longest)
	}
	return min(pause, longest)
}

// tell logs an answer that is another one than before.
func (s *Service) tell(ctx context.Context, before ReturnAnswer, r Return, said error) {
	level, text := slog.LevelWarn, "the bank does not answer whether money goes back"
	switch {
	case r.State == ReturnAccepted && before == "", r.State == ReturnPending && r.Answer == before:
		return
	case r.State == ReturnAccepted:
		level, text = slog.LevelInfo, "the bank sends money back after all"
	case r.Refused():
		level, text = slog.LevelError, "the bank refuses to send money back"
	}
	s.config.Logger.Log(ctx, level, text, "env", r.Scope.Env, "return", r.ID, "session", r.Session,
		"amount", r.Amount.String(), "answer", said)
}
