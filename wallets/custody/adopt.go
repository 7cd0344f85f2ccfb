package custody

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/books"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Adopt books an outflow, so that the books match the chain again. When its transfer is
// pending over that amount, the outflow is the payment of the transfer: the transfer
// succeeds and is not paid again. Otherwise it is booked against suspense, and the
// operator settles it with the business. Wallets that were suspended because of it are
// active again. Adopting an adopted outflow changes nothing.
//
// Errors: ErrOutflowNotFound; ErrHeld before the hold was matched, because other
// addresses may have paid a part; ErrUnderWay.
func (s *Service) Adopt(ctx context.Context, env ferry.Env, signature chain.Signature) (Outflow, error) {
	return ferry.InUnit(ctx, s.units.In(env), func(ctx context.Context, tx wallets.Tx) (Outflow, error) {
		o, err := outflowOf(ctx, tx, env, signature)
		if err != nil || !o.AdoptedAt.IsZero() {
			return o, err
		}
		h, err := holdOf(ctx, tx, env)
		if err != nil {
			return Outflow{}, err
		}
		if h.Held && h.Matched.IsZero() {
			return Outflow{}, fmt.Errorf("%w: the chain has not been read to its end since the hold began", outgoing.ErrHeld)
		}
		return s.adopt(ctx, tx, o)
	})
}

func (s *Service) adopt(ctx context.Context, tx wallets.Tx, o Outflow) (Outflow, error) {
	moved, err := o.moved()
	if err != nil {
		return Outflow{}, err
	}
	if err := s.bookOutflow(ctx, tx, o, moved); err != nil {
		return Outflow{}, err
	}
	for _, id := range o.Suspended {
		if err := s.reactivate(ctx, tx, o.Env, id); err != nil {
			return Outflow{}, err
		}
	}
	if o.Booked, err = o.Booked.Add(moved); err != nil {
		return Outflow{}, err
	}
	o.Suspended, o.AdoptedAt = nil, tx.Now()
	if err := OutflowKind.Update(ctx, tx, o); err != nil {
		return Outflow{}, err
	}
	o.Version++
	return o, tx.Leases().Schedule(ctx, QueueHolds.In(o.Env), string(o.Env), tx.Now())
}

// bookOutflow posts what an outflow moved, and ends the transfer that it paid.
func (s *Service) bookOutflow(ctx context.Context, tx wallets.Tx, o Outflow, moved money.Amount) error {
	ended, err := s.config.Outgoing.PaidIn(ctx, tx, outgoing.Paid{
		Env: o.Env, Transfer: o.Transfer, Attempt: o.Attempt, Signature: o.Signature, Amount: o.Amount, Left: moved.Neg(), At: o.At,
	})
	if err != nil || ended == outgoing.External {
		return err
	}
	if moved.IsZero() {
		return nil // from one of our addresses to another
	}
	return ledger.Post(ctx, tx.Ledger(), ledger.Move(
		ledger.PostingID(fmt.Sprintf("outflow:%s:%s:%d", o.Env, o.Signature, o.Version)), o.Env, "outflow", string(o.Signature),
		ledger.SystemAccount(o.Env, ledger.Suspense, wallets.Asset), books.Outside(o.Env), moved.Neg(), tx.Now(),
	))
}

// reactivate ends the alarm of the wallet of an address.
func (s *Service) reactivate(ctx context.Context, tx wallets.Tx, env ferry.Env, id wallets.AddressID) error {
	custody, err := wallets.CustodyOf(ctx, tx, env, id)
	if err != nil {
		return err
	}
	return s.config.Wallets.EndAlarmIn(ctx, tx, custody.Scope, custody.Wallet)
}
