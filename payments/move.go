package payments

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/statement"
)

// CreateIn adds a pending payment of what made says: its name, scope, channel, amount and
// fees, its customer, and what it is paid through. Whoever collects has checked them. Errors:
// statement.ErrDuplicateTrxID.
func CreateIn(ctx context.Context, tx Tx, made Payment) (Payment, error) {
	if err := isFree(ctx, tx, made.Scope, made.Name()); err != nil {
		return Payment{}, err
	}
	made.ID, made.Status, made.Metadata = ID(tx.NewID(Prefix)), Lifecycle.Initial, ferry.Metadata(nil).Merge(made.Metadata)
	made.Expected, made.Received, made.Settled = made.Amount, money.Of(made.Amount.Asset(), 0), money.Of(made.Amount.Asset(), 0)
	made.CreatedAt, made.UpdatedAt = tx.Now(), tx.Now()
	return PaymentKind.Add(ctx, tx, made)
}

// isFree refuses a trx_id that is the own id of a line of /v1/transactions: the
// payment could have no line when it is paid.
func isFree(ctx context.Context, tx Tx, scope ferry.Scope, name statement.Name) error {
	if !strings.HasPrefix(name.TrxID, statement.Prefix) {
		return nil
	}
	_, err := statement.Kind.Find(ctx, tx, statement.ByTrxID, statement.TransactionNamed(scope, name))
	if errors.Is(err, statement.ErrNotFound) {
		return nil
	}
	return cmp.Or(err, error(statement.ErrDuplicateTrxID))
}

// SaveIn writes changed facts of a payment; its status stays.
func SaveIn(ctx context.Context, tx Tx, p Payment) (Payment, error) {
	p.UpdatedAt = tx.Now()
	return PaymentKind.Save(ctx, tx, p)
}

// AttemptIn notes the first sign of an attempt: its time begins, and
// EventPending is sent. Later signs change nothing.
func AttemptIn(ctx context.Context, tx Tx, p Payment, method Method) (Payment, error) {
	if p.Status != Pending || !p.PendingUntil.IsZero() {
		return p, nil
	}
	p.Method, p.PendingUntil = method, tx.Now().Add(MaxPending[method])
	return saveAndTell(ctx, tx, p, EventPending)
}

// ConfirmIn makes a payment a success. The business was credited the amount of b, less its
// fees. ConfirmIn adds the line of /v1/transactions. Errors:
// ferry.ErrInvalidTransition.
func ConfirmIn(ctx context.Context, tx Tx, p Payment, b Brought) (_ Payment, err error) {
	if p.Settled, err = b.Fees.Net(b.Amount); err != nil {
		return Payment{}, err
	}
	p.PaidAt = tx.Now()
	if p, err = moveIn(ctx, tx, p, Confirm); err != nil {
		return Payment{}, err
	}
	line, err := lineOf(tx, p, b)
	if err != nil {
		return Payment{}, err
	}
	return p, statement.Kind.Insert(ctx, tx, line)
}

// EndIn ends a pending payment unpaid: by Fail, Cancel or Expire.
func EndIn(ctx context.Context, tx Tx, p Payment, cause Cause, why string) (Payment, error) {
	p.Failure = why
	return moveIn(ctx, tx, p, cause)
}

// moveIn makes one move of the lifecycle, with its event.
func moveIn(ctx context.Context, tx Tx, p Payment, cause Cause) (Payment, error) {
	edge, err := Lifecycle.Next(p.Status, cause)
	if err != nil {
		return Payment{}, err
	}
	p.Status = edge.To
	return saveAndTell(ctx, tx, p, edge.Event)
}

// saveAndTell writes a changed payment and emits an event of it, if there is one.
func saveAndTell(ctx context.Context, tx Tx, p Payment, event string) (Payment, error) {
	p, err := SaveIn(ctx, tx, p)
	if err != nil || event == "" {
		return p, err
	}
	return p, tell(ctx, tx, p, event)
}

// LateIn notes money that came after the time of a payment, which is unpaid.
func LateIn(ctx context.Context, tx Tx, p Payment) (Payment, error) {
	return saveAndTell(ctx, tx, p.With(Late), EventLate)
}

// ReceiveIn adds a receipt to a payment. The caller saves the payment.
func ReceiveIn(ctx context.Context, tx Tx, p Payment, r Receipt) (Payment, Receipt, error) {
	r.ID, r.Scope, r.Payment = ReceiptID(tx.NewID(ReceiptPrefix)), p.Scope, p.ID
	r.CreatedAt, r.UpdatedAt = tx.Now(), tx.Now()
	if r.Held == (money.Amount{}) {
		r.Held = money.Of(r.Amount.Asset(), 0)
	}
	if r.Decided == (money.Amount{}) {
		r.Decided = money.Of(r.Amount.Asset(), 0)
	}
	r, err := ReceiptKind.Add(ctx, tx, r)
	if err != nil {
		return Payment{}, Receipt{}, err
	}
	p.Receipts = append(p.Receipts[:len(p.Receipts):len(p.Receipts)], r.ID)
	return p, r, nil
}

// MoveReceiptIn makes one move of a receipt that was held.
func MoveReceiptIn(ctx context.Context, tx Tx, r Receipt, cause ReceiptCause) error {
	edge, err := ReceiptLifecycle.Next(r.State, cause)
	if err != nil {
		return err
	}
	r.State, r.UpdatedAt = edge.To, tx.Now()
	if cause != Settle {
		r.Decided = r.Held
	}
	r.Held = money.Of(r.Held.Asset(), 0)
	return ReceiptKind.Update(ctx, tx, r)
}

// HoldAgainIn sets aside what a refund of a receipt was to take and did not.
func HoldAgainIn(ctx context.Context, tx Tx, r Receipt, held money.Amount) error {
	edge, err := ReceiptLifecycle.Next(r.State, RefundFailed)
	if err != nil {
		return err
	}
	r.State, r.Held, r.Decided, r.UpdatedAt = edge.To, held, money.Of(held.Asset(), 0), tx.Now()
	if err := ReceiptKind.Update(ctx, tx, r); err != nil {
		return err
	}
	return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
		ID: r.HeldBy(), Account: ledger.AddressAccount(r.Address), Amount: held, At: tx.Now(),
	})
}
