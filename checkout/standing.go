package checkout

import (
	"time"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/payments"
)

// At returns a session and its payment as they stand at an instant: what has run out
// by then has ended, whether or not the worker has been there.
//
//	an attempt whose time is over           failed
//	no attempt, the session's time is over  expired
//
// Where the end shows only when the worker looks, both stand as they did: the chain
// is asked once more about an attempt in USDC, and where other sums are accepted, a
// part of the USDC becomes the payment.
func (s Session) At(p payments.Payment, now time.Time) (Session, payments.Payment) {
	switch overdue(s, p, now) {
	case Fail:
		s.Status, p.Status = Failed, payments.Failed
	case Expire:
		if s.Mismatch != business.Accept || s.Credited.Sign() == 0 {
			s.Status, p.Status = Expired, payments.Expired
		}
	}
	return s, p
}

// overdue is what has to end a pending session by an instant, or empty while its time
// runs.
func overdue(s Session, p payments.Payment, now time.Time) Cause {
	switch attempted := !p.PendingUntil.IsZero(); {
	case s.Status != Pending:
	case attempted && !now.Before(p.PendingUntil) && p.Method != payments.USDC:
		return Fail
	case !attempted && !now.Before(s.ExpiresAt):
		return Expire
	}
	return ""
}

// Seen is the status as a dialect names it: B does not know Cancelled.
func (s Session) Seen(as business.Dialect) Status {
	if as == business.DialectB && s.Status == Cancelled {
		return Failed
	}
	return s.Status
}
