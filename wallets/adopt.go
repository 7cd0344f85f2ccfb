package wallets

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// ErrUnderWay refuses to adopt an outflow while another attempt of its transfer
// may still land.
var ErrUnderWay = errors.New("wallets: another attempt of the transfer is still live")

// Adopt books an outflow, so that the books match the chain again. When its transfer is
// pending over that amount, the outflow is the payment of the transfer: the transfer
// succeeds and is not paid again. Otherwise it is booked against suspense, and the
// operator settles it with the business. Wallets that were suspended because of it are
// active again. Adopting an adopted outflow changes nothing.
//
// Errors: ErrOutflowNotFound; ErrHeld before the hold was matched, because other
// addresses may have paid a part; ErrUnderWay.
func (s *Service) Adopt(ctx context.Context, env ferry.Env, signature chain.Signature) (Outflow, error) {
	return ferry.InUnit(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (Outflow, error) {
		o, err := tx.Wallets().Outflow(ctx, env, signature)
		if err != nil || !o.AdoptedAt.IsZero() {
			return o, err
		}
		h, err := tx.Wallets().Hold(ctx, env)
		if err != nil {
			return Outflow{}, err
		}
		if h.Held && h.Matched.IsZero() {
			return Outflow{}, fmt.Errorf("%w: the chain has not been read to its end since the hold began", ErrHeld)
		}
		return s.adopt(ctx, tx, o)
	})
}

func (s *Service) adopt(ctx context.Context, tx Tx, o Outflow) (Outflow, error) {
	t, err := payee(ctx, tx, o)
	if err != nil {
		return Outflow{}, err
	}
	moved, err := o.moved()
	if err != nil {
		return Outflow{}, err
	}
	if err := s.bookOutflow(ctx, tx, o, t, moved); err != nil {
		return Outflow{}, err
	}
	for _, id := range o.Suspended {
		if err := reactivate(ctx, tx, o.Env, id); err != nil {
			return Outflow{}, err
		}
	}
	if o.Booked, err = o.Booked.Add(moved); err != nil {
		return Outflow{}, err
	}
	o.Suspended, o.AdoptedAt = nil, tx.Now()
	if err := tx.Wallets().UpdateOutflow(ctx, o); err != nil {
		return Outflow{}, err
	}
	o.Version++
	return o, tx.Leases().Schedule(ctx, QueueHolds.In(o.Env), string(o.Env), tx.Now())
}

// payee returns the pending transfer that an outflow has paid, or nil.
func payee(ctx context.Context, tx Tx, o Outflow) (*Transfer, error) {
	if o.Transfer == "" {
		return nil, nil
	}
	t, err := TransferKind.Anyones(ctx, tx, Transfer{ID: o.Transfer})
	if isAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if t.Scope.Env != o.Env || t.Status != Pending || t.Kind == External && t.Amount.Minor() != o.Amount.Minor() {
		return nil, nil
	}
	_, err = tx.Wallets().LiveAttempt(ctx, t.Scope, t.ID)
	if err == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnderWay, t.ID)
	}
	if !isAbsent(err) {
		return nil, err
	}
	t.Signature, t.WaitsFor, t.ConfirmedAt = o.Signature, "", blockTime(tx, o.At)
	t.Attempts = max(t.Attempts, o.Attempt)
	if t.Kind == Treasury {
		t.Amount = o.Amount
	}
	return &t, nil
}

// bookOutflow posts what an outflow moved, and ends the transfer that it paid.
// Addresses that the store has forgotten may have paid a part: that much is
// left over on the others and stands in suspense, for who owned it.
func (s *Service) bookOutflow(ctx context.Context, tx Tx, o Outflow, t *Transfer, moved money.Amount) error {
	if t != nil && t.Kind == External {
		return s.settleTransfer(ctx, tx, *t, moved.Neg())
	}
	if t != nil {
		if _, _, err := endTransfer(ctx, tx, *t, Settled, ""); err != nil {
			return err
		}
	}
	if moved.IsZero() {
		return nil // from one of our addresses to another
	}
	return ledger.Post(ctx, tx.Ledger(), ledger.Move(
		ledger.PostingID(fmt.Sprintf("outflow:%s:%s:%d", o.Env, o.Signature, o.Version)), o.Env, "outflow", string(o.Signature),
		ledger.SystemAccount(o.Env, ledger.Suspense, Asset), outside(o.Env), moved.Neg(), tx.Now(),
	))
}
