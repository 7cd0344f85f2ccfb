package wallets

import (
	"context"
	"time"

	"github.com/ferrypay/ferry/money"
)

// Coming is when money came to an address, and the rate at which it counts.
type Coming struct {
	At   time.Time
	Rate money.Rate
}

// ArriveIn records money that was posted to an address: a line of its statement, its
// counters and the event.
func (s *Service) ArriveIn(ctx context.Context, tx Tx, to Address, in Transaction, came Coming) error {
	if err := TransactionKind.Insert(ctx, tx, in); err != nil {
		return err
	}
	if err := tx.Wallets().CountArrival(ctx, to.ID, in.Amount, tx.Now()); err != nil {
		return err
	}
	if err := s.tellReceived(ctx, tx, to, in); err != nil {
		return err
	}
	return s.hooks.arrived(ctx, tx, to, in, came)
}
