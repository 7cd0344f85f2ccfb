package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
)

// QueueSessions is the queue of sessions that have an end.
const QueueSessions lease.Kind = "checkout.session"

func dueKey(s Session) string { return lease.RecordKey(s.Scope, string(s.ID)) }

// RunDue ends at most limit sessions whose time, or the time of whose attempt, is
// over, and returns how many it looked at. Chain and bank are asked once more before.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueSessions, time.Minute, limit, s.end)
}

// dueAt is when a pending session ends: the time of the attempt that is under way, or
// else its own, is over then.
func dueAt(s Session, p payments.Payment) time.Time {
	if !p.PendingUntil.IsZero() {
		return p.PendingUntil
	}
	return s.ExpiresAt
}

// end looks for the last time whether a session was paid, and ends it.
func (s *Service) end(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	look, err := s.lookOnce(ctx, scope, ID(id))
	if err != nil {
		return err
	}
	err = s.units.Of(scope).Write(ctx, func(ctx context.Context, tx Tx) error {
		if wait := look.wait(tx.Now()); wait > 0 {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(wait))
		}
		return s.endDueIn(ctx, tx, c, scope, ID(id))
	})
	return errors.Join(ferry.UnlessLacking(look.chain), ferry.UnlessLacking(look.bank), err)
}

// How long the end of a session that was due waits for the chain; for the bank it is
// bank.Patience.
const (
	// finality is for USDC in a block that is not final, and finalLook how often
	// that is looked at.
	finality  = 10 * time.Minute
	finalLook = 2 * time.Second
	// absent is how long to wait for a provider to be configured before another look.
	absent = 5 * time.Minute
)

// lastLook is what was seen when a session was due.
type lastLook struct {
	due time.Time
	// chain and bank are the errors of asking them.
	chain, bank error
	// onTheWay says that USDC was seen that is not final.
	onTheWay bool
}

// wait is how long the end waits before another look; zero when it does not.
func (l lastLook) wait(now time.Time) time.Duration {
	overdue := now.Sub(l.due)
	switch {
	case l.chain != nil, l.bank != nil && overdue < bank.Patience:
		if ferry.UnlessLacking(l.chain) == nil && ferry.UnlessLacking(l.bank) == nil {
			return absent
		}
		return retryUnavailable
	case l.onTheWay && overdue < finality:
		return finalLook
	}
	return 0
}

// lookOnce books the reports of bank and chain for a pending session that is due. The chain
// is asked about the address that it offers, and about all former ones: nobody may have looked
// at the chain since money came to one.
func (s *Service) lookOnce(ctx context.Context, scope ferry.Scope, id ID) (look lastLook, err error) {
	type seen struct {
		due     time.Time
		bank    bool
		offered []chain.Address
	}
	at, err := ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (at seen, err error) {
		found, err := SessionKind.Get(ctx, tx, scope, id)
		if err != nil || found.Status != Pending {
			return at, err
		}
		p, err := payments.PaymentKind.Get(ctx, tx, scope, found.Payment)
		if err != nil || tx.Now().Before(dueAt(found, p)) {
			return at, err
		}
		at.due, at.bank = dueAt(found, p), found.Account.AccountNumber != ""
		if found.Instruction == "" {
			return at, nil
		}
		for i, err := range InstructionKind.Walk(ctx, tx, ofSession(id)) {
			if err != nil {
				return at, err
			}
			at.offered = append(at.offered, i.Deposit)
		}
		return at, nil
	})
	look.due = at.due
	if err == nil && at.bank {
		look.bank = s.config.ReadBank(ctx, scope.Env, at.due)
	}
	for _, address := range at.offered {
		onTheWay, unseen := s.config.Deposits.Look(ctx, scope.Env, address)
		look.onTheWay, look.chain = look.onTheWay || onTheWay, errors.Join(look.chain, unseen)
	}
	return look, err
}

// endDueIn ends a session that is due: as failed when an attempt was under way, else as
// expired.
func (s *Service) endDueIn(ctx context.Context, tx Tx, c lease.Claim, scope ferry.Scope, id ID) error {
	found, err := SessionKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	p, err := payments.PaymentKind.Get(ctx, tx, scope, found.Payment)
	if err != nil {
		return err
	}
	if due := dueAt(found, p); found.Status == Pending && tx.Now().Before(due) {
		return tx.Leases().Retry(ctx, c, due)
	}
	switch {
	case found.Status != Pending:
	case !p.PendingUntil.IsZero():
		_, _, err = endIn(ctx, tx, found, p, causeFailed, "the attempt took too long")
	default:
		_, _, err = s.expireIn(ctx, tx, found, p)
	}
	if err != nil {
		return err
	}
	return tx.Leases().Finish(ctx, c)
}
