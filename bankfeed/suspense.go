package bankfeed

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// Suspended is a credit in suspense: its account has no owner, or it could not be booked to
// its owner.
type Suspended struct {
	Env     ferry.Env
	Session string
	Amount  money.Amount
	At      time.Time
}

// ErrNotSuspended says that no credit of that session went into suspense.
var ErrNotSuspended = ferry.NewError(ferry.NotFound, "not_found", "No credit of that session is in suspense")

// releaseKind is the kind of the postings that take a credit out of suspense.
const releaseKind = "suspense_release"

func releaseID(env ferry.Env, session string) ledger.PostingID {
	return ledger.PostingID(releaseKind + ":" + string(env) + ":" + session)
}

func suspenseOf(env ferry.Env) ledger.AccountID {
	return ledger.SystemAccount(env, ledger.Suspense, money.AssetNGN)
}

// suspend books a credit into suspense.
func suspend(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) error {
	return post(ctx, tx, env, c, ledger.Leg{Account: suspenseOf(env), Amount: c.Amount})
}

// Suspense lists the credits that are held in suspense, oldest first.
func (s *Service) Suspense(ctx context.Context, env ferry.Env) ([]Suspended, error) {
	held := map[string]Suspended{}
	err := s.eachEntry(ctx, env, suspenseOf(env), func(e ledger.Entry) {
		switch e.Kind {
		case creditKind:
			held[e.Ref] = Suspended{env, e.Ref, e.Amount, e.At}
		case releaseKind, recallKind:
			delete(held, e.Ref)
		}
	})
	return slices.SortedFunc(maps.Values(held), func(a, b Suspended) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session))
	}), err
}

// Uncovered lists uncovered recalls, oldest first: suspense owes their money to the bank
// until the operator has got it from the business.
func (s *Service) Uncovered(ctx context.Context, env ferry.Env) (owed []Suspended, err error) {
	held := map[string]bool{}
	err = s.eachEntry(ctx, env, suspenseOf(env), func(e ledger.Entry) {
		switch {
		case e.Kind == recallKind && !held[e.Ref]:
			owed = append(owed, Suspended{env, e.Ref, e.Amount.Neg(), e.At})
		default:
			held[e.Ref] = e.Kind == creditKind
		}
	})
	return owed, err
}

// ReleaseIn takes the credit of a session out of suspense, once: to says to where,
// in the same unit. It reports false for one that was released before. Errors:
// ErrNotSuspended.
func ReleaseIn(ctx context.Context, tx Tx, env ferry.Env, session string, to func(Suspended) (ledger.AccountID, error)) (Suspended, bool, error) {
	legs, err := tx.Ledger().Legs(ctx, PostingID(env, session))
	if err != nil {
		return Suspended{}, false, err
	}
	if len(legs) == 0 || legs[1].Account != suspenseOf(env) {
		return Suspended{}, false, ErrNotSuspended
	}
	held := Suspended{env, session, legs[1].Amount, legs[1].At}
	if recalled, err := ledger.Posted(ctx, tx.Ledger(), RecallID(env, session)); err != nil || recalled {
		return Suspended{}, false, cmp.Or(err, error(ErrNotSuspended))
	}
	released, err := ledger.Posted(ctx, tx.Ledger(), releaseID(env, session))
	if err != nil || released {
		return held, false, err
	}
	account, err := to(held)
	if err != nil {
		return Suspended{}, false, err
	}
	return held, true, ledger.Post(ctx, tx.Ledger(), ledger.Move(
		releaseID(env, session), env, releaseKind, session, suspenseOf(env), account, held.Amount, tx.Now()))
}

// eachEntry walks the entries of an account, oldest first: every page in a unit of its
// own.
func (s *Service) eachEntry(ctx context.Context, env ferry.Env, account ledger.AccountID, see func(ledger.Entry)) error {
	entries := ferry.WalkKeys(func(after ledger.EntryID, limit int) ([]ledger.Entry, error) {
		return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) ([]ledger.Entry, error) {
			return tx.Ledger().Entries(ctx, account, after, limit)
		})
	}, func(e ledger.Entry) ledger.EntryID { return e.ID })
	for e, err := range entries {
		if errors.Is(err, ledger.ErrAccountNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		see(e)
	}
	return nil
}
