package custody

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// OutflowHold keeps money from leaving the addresses of an environment: nothing is
// signed and nothing is sent, while everything else goes on. It stands in the
// store, so that every server keeps it and no restart ends it.
//
//	held ──height──> settling ──blocks──> reading ──last address──> matched ──nothing open──> ended
//
// A hold ends when the chain was matched with the store: so many blocks have
// passed that nothing that was signed before the hold can still land, what the
// fee payer sent and the history of every address were then read to their ends,
// and whatever left without an attempt in the store was adopted.
type OutflowHold struct {
	Env ferry.Env
	// Held is false for a hold that has ended.
	Held   bool
	Reason HoldReason
	Since  time.Time
	// Height was finalized soon after the hold began; 0 until it is known.
	Height uint64
	// Round counts how often the matching was begun.
	Round int64
	// After is the address up to which histories have been read since, and
	// Matched when the last one was; zero until then.
	After   wallets.AddressID
	Matched time.Time
	// Stopped is since when the operator keeps money from leaving, and zero while he does
	// not; StopReason is why. A stop is not a hold: no matching ends it.
	Stopped    time.Time
	StopReason string
	Version    int64
}

// InForce reports whether money is kept from leaving: by a hold or by a stop.
func (h OutflowHold) InForce() bool { return h.Held || !h.Stopped.IsZero() }

// HoldReason says why an environment is held.
type HoldReason string

const (
	// HoldAsked: an operator asked for it, as after a restore.
	HoldAsked HoldReason = "asked"
	// HoldUnknown: the chain has a payment of ours that the store does not
	// know. The store is older than the chain, or another party has our keys.
	HoldUnknown HoldReason = "unknown_outflow"
)

// QueueHolds is the queue of holds that are to be matched with the chain. Its
// keys are environments.
const QueueHolds lease.Kind = "wallets.hold"

var (
	// ErrOutflowNotFound says that there is no such outflow.
	ErrOutflowNotFound = errors.New("wallets: no such outflow")
	// ErrOutflowExists refuses to note an outflow twice.
	ErrOutflowExists = errors.New("wallets: outflow exists")
)

// HoldOutflows holds an environment, or begins the matching of a hold anew: what an
// earlier state of the store has matched proves nothing for this one.
func (s *Service) HoldOutflows(ctx context.Context, env ferry.Env, reason HoldReason) error {
	err := s.units.In(env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		h, err := holdOf(ctx, tx, env)
		if err != nil {
			return err
		}
		if !h.Held {
			h.Env, h.Reason, h.Since = env, reason, tx.Now()
		}
		return beginMatching(ctx, tx, h)
	})
	if err == nil {
		s.starting.Lock()
		defer s.starting.Unlock()
		s.started[env] = true
	}
	return err
}

// beginMatching holds, and matches from the beginning.
func beginMatching(ctx context.Context, tx wallets.Tx, h OutflowHold) error {
	h.Held, h.Height, h.After, h.Matched = true, 0, "", time.Time{}
	h.Round++
	if err := OutflowHoldKind.Put(ctx, tx, h); err != nil {
		return err
	}
	return tx.Leases().Schedule(ctx, QueueHolds.In(h.Env), string(h.Env), tx.Now())
}

// holdIn holds an environment within the unit that found a reason. It writes a present
// hold again, so that a unit that has not seen the reason cannot end it.
func (s *Service) holdIn(ctx context.Context, tx wallets.Tx, env ferry.Env) error {
	h, err := holdOf(ctx, tx, env)
	if err != nil {
		return err
	}
	if h.Held {
		return OutflowHoldKind.Put(ctx, tx, h)
	}
	s.config.Logger.ErrorContext(ctx, "nothing leaves any more: the chain has a payment that the store does not know", "env", env)
	h.Env, h.Reason, h.Since = env, HoldUnknown, tx.Now()
	return beginMatching(ctx, tx, h)
}

// OutflowHold returns the hold of an environment, with the stop that stands beside it.
func (s *Service) OutflowHold(ctx context.Context, env ferry.Env) (OutflowHold, error) {
	return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx wallets.Tx) (OutflowHold, error) {
		return holdOf(ctx, tx, env)
	})
}

// HeldIn reports whether money is kept from leaving an environment: by a hold or by a stop.
func HeldIn(ctx context.Context, tx records.Tx, env ferry.Env) (bool, error) {
	h, err := holdOf(ctx, tx, env)
	return h.InForce(), err
}

// MayLeaveIn returns ErrHeld while an environment is held or stopped.
func (s *Service) MayLeaveIn(ctx context.Context, tx wallets.Tx, env ferry.Env) error {
	held, err := HeldIn(ctx, tx, env)
	if err == nil && held {
		err = outgoing.ErrHeld
	}
	return err
}

// ReleaseOutflows ends a hold that was matched with the chain and for which nothing is
// left to adopt, at once instead of when the worker comes to it. It refuses any
// other with ErrHeld, which says what is missing. Without a hold it does nothing.
func (s *Service) ReleaseOutflows(ctx context.Context, env ferry.Env) error {
	return s.units.In(env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		return s.release(ctx, tx, env)
	})
}

func (s *Service) release(ctx context.Context, tx wallets.Tx, env ferry.Env) error {
	h, err := holdOf(ctx, tx, env)
	if err != nil || !h.Held {
		return err
	}
	if h.Matched.IsZero() {
		return fmt.Errorf("%w: the chain has not been read to its end since the hold began", outgoing.ErrHeld)
	}
	open, err := OutflowKind.After(ctx, tx, OpenIn(env), "", 1)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		return fmt.Errorf("%w: %s is unknown to the store and was not adopted", outgoing.ErrHeld, open[0].Signature)
	}
	h.Held = false
	if err := OutflowHoldKind.Put(ctx, tx, h); err != nil {
		return err
	}
	s.config.Logger.InfoContext(ctx, "the chain is matched with the store", "env", env, "held_since", h.Since, "stopped", !h.Stopped.IsZero())
	return tx.Leases().Expedite(ctx, outgoing.QueueTransfers.In(env), string(env)+"/", tx.Now())
}
