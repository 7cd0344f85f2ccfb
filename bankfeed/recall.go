package bankfeed

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// Follower does what follows when the bank recalls a credit, in the unit that books the
// recall. What is not its own it leaves alone.
type Follower[T Tx] func(ctx context.Context, tx T, env ferry.Env, c bank.Credit) error

// ErrOtherRecall refuses to book a recall of another sum than the books have of the
// credit.
var ErrOtherRecall = errors.New("bankfeed: the bank recalls another sum than was booked")

// recallKind is the kind of the postings of recalls; their Ref is the session.
const recallKind = "bank_recall"

// RecallID is the id under which the recall of a bank session is booked.
func RecallID(env ferry.Env, session string) ledger.PostingID {
	return ledger.PostingID(fmt.Sprintf("%s:%s:%s", recallKind, env, session))
}

// id is the posting of a credit, or of its recall.
func id(env ferry.Env, c bank.Credit) ledger.PostingID {
	if c.Recalled {
		return RecallID(env, c.SessionID)
	}
	return PostingID(env, c.SessionID)
}

// recall books that the bank took a credit back: the opposite of what the credit
// brought, without what had gone back to the sender. The same recall again is
// ledger.ErrPosted. Errors: ErrNoCredit, ErrOtherRecall, ledger.ErrInsufficientBalance.
func recall(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, followers []Follower[Tx]) error {
	legs, err := recalled(ctx, tx, env, c)
	if err != nil {
		return err
	}
	if err := follow(ctx, tx, env, c, followers); err != nil {
		return err
	}
	return postRecall(ctx, tx, env, c, legs)
}

func follow(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, followers []Follower[Tx]) error {
	return ferry.CallEach(followers, func(f Follower[Tx]) error { return f(ctx, tx, env, c) })
}

// recalled are the legs of a recall.
func recalled(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) ([]ledger.Leg, error) {
	if err := check(c); err != nil {
		return nil, err
	}
	entries, err := tx.Ledger().Legs(ctx, PostingID(env, c.SessionID))
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: a recall of session %q, which did not come", ErrNoCredit, c.SessionID)
	}
	legs, err := ledger.Opposite(entries, ledger.SystemAccount(env, ledger.Returns, money.AssetNGN))
	if err != nil {
		return nil, err
	}
	if len(legs) == 0 || legs[len(legs)-1].Amount != c.Amount {
		return nil, fmt.Errorf("%w: %s of session %q", ErrOtherRecall, c.Amount, c.SessionID)
	}
	return legs, nil
}

func postRecall(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, legs []ledger.Leg) error {
	return ledger.Post(ctx, tx.Ledger(), ledger.Posting{
		ID: RecallID(env, c.SessionID), Env: env, Kind: recallKind, Ref: c.SessionID, Legs: legs, At: tx.Now(),
	})
}

// claim books an uncovered recall: the money has left the bank, and suspense owes it until
// the operator has got it from the business. A recall without a credit books nothing.
func (s *Service) claim(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) error {
	came, err := ledger.Posted(ctx, tx.Ledger(), PostingID(env, c.SessionID))
	if err != nil || !came {
		return err
	}
	if err := follow(ctx, tx, env, c, s.hooks.Recalled); err != nil {
		return err
	}
	return postRecall(ctx, tx, env, c, []ledger.Leg{
		{Account: suspenseOf(env), Amount: c.Amount.Neg()},
		{Account: ledger.SystemAccount(env, ledger.Bank, money.AssetNGN), Amount: c.Amount},
	})
}

// Recalled reports whether the recall of a bank session has been booked.
func (s *Service) Recalled(ctx context.Context, env ferry.Env, session string) (bool, error) {
	return s.posted(ctx, env, RecallID(env, session))
}
