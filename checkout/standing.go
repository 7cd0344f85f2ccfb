package checkout

import (
	"context"
	"time"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/payments"
)

// Open reports whether a session may be paid at an instant: it is pending, and neither
// its own time nor that of an attempt is over. One whose time is over stays pending
// until chain and bank were asked for the last time.
func (s Session) Open(p payments.Payment, now time.Time) bool {
	return s.running(p, now) && now.Before(s.ExpiresAt)
}

// openIn is Open now.
func openIn(ctx context.Context, tx Tx, s Session) (bool, error) {
	p, err := payments.PaymentKind.Get(ctx, tx, s.Scope, s.Payment)
	return s.Open(p, tx.Now()), err
}

// running is Open, and for an attempt under way also after the session's time.
func (s Session) running(p payments.Payment, now time.Time) bool {
	return s.Status == Pending && now.Before(dueAt(s, p))
}

// Seen is the status as a dialect names it: B does not know Cancelled.
func (s Session) Seen(as business.Dialect) Status {
	if as == business.DialectB && s.Status == Cancelled {
		return Failed
	}
	return s.Status
}
