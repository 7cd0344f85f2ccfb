package hosted

import (
	"slices"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
)

// phase is what a page says about a session; its texts have the keys phase.* in lang.
type phase string

const (
	// waiting: nothing was seen.
	waiting phase = "waiting"
	// partial: some USDC is there, and the rest is waited for.
	partial phase = "partial"
	// seen: money was seen on its way.
	seen phase = "seen"
	// confirming: it is there but for the last confirmation.
	confirming phase = "confirming"
	// closing: its time is over, and chain and bank are asked for the last time.
	closing phase = "closing"
	// paid: the payment succeeded.
	paid phase = "paid"
	// reversed: it succeeded and was taken back.
	reversed phase = "reversed"
	// underpaid: too little naira came, which ended it.
	underpaid phase = "underpaid"
	// failed: an attempt failed.
	failed phase = "failed"
	// cancelled: the payer gave up.
	cancelled phase = "cancelled"
	// expired: its time is over.
	expired phase = "expired"
)

// phaseOf is the phase of a session, given the deposits that are not final yet.
func phaseOf(s checkout.State, in chain.PendingDeposits) phase {
	switch s.Status {
	case checkout.Completed:
		if s.Payment.Status == payments.Reversed {
			return reversed
		}
		return paid
	case checkout.Cancelled:
		return cancelled
	case checkout.Expired:
		return expired
	case checkout.Failed:
		if slices.Contains(s.Payment.Exceptions, payments.Underpaid) {
			return underpaid
		}
		return failed
	}
	switch {
	case !s.Payment.PendingUntil.IsZero(), in.Amount.Sign() > 0 && in.Commitment.Rank() >= chain.Confirmed.Rank():
		return confirming
	case in.Amount.Sign() > 0:
		return seen
	case !s.Open:
		return closing
	case s.Credited.Sign() > 0:
		return partial
	}
	return waiting
}

// underway reports whether a pending session asks for nothing: its time is over, or a
// payment is on its way, so that asking would be asking twice. That is an attempt, or
// all of the USDC that is still to come.
func (s subject) underway() bool {
	if !s.Open || !s.Payment.PendingUntil.IsZero() {
		return true
	}
	return s.incoming.Amount.Sign() > 0 &&
		s.incoming.Amount.Minor() >= s.Current.Amount.Minor()-s.Current.Received.Minor()
}

// over reports whether nothing more is expected of the payer.
func (p phase) over() bool {
	switch p {
	case waiting, partial, seen, confirming, closing:
		return false
	}
	return true
}

// step is one line of the way from waiting to paid.
type step struct{ Key, State string }

// payingUSDC reports whether USDC is on its way for a session. Only then does a payment pass
// the steps: a bank transfer is there, or it is not.
func (s subject) payingUSDC() bool {
	return s.incoming.Amount.Sign() > 0 || !s.Payment.PendingUntil.IsZero() && s.Payment.Method == payments.USDC
}

// steps are the way of USDC as far as it has come; none when it has ended.
func (p phase) steps() []step {
	way := []phase{waiting, seen, confirming, paid}
	at := -1
	if p.over() {
		return nil
	}
	for i, s := range way {
		if s == p || p == partial && s == waiting {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	steps := make([]step, len(way))
	for i, s := range way {
		state := "todo"
		switch {
		case i < at:
			state = "done"
		case i == at:
			state = "current"
		}
		steps[i] = step{string(s), state}
	}
	return steps
}
