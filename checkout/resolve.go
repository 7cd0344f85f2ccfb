package checkout

import (
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Action is what becomes of money that is held.
type Action string

const (
	// Accept gives it to the business. The payment's status stays.
	Accept Action = "accept"
	// Refund sends it back to the sender, less the network fee.
	Refund Action = "refund"
)

// transferSteps are those of a transfer that is recorded in the unit of a decision.
type transferSteps = ferry.Steps[wallets.Tx, outgoing.Transfer]

// resolution is a decision with what it needs from outside.
type resolution struct {
	scope   ferry.Scope
	payment payments.ID
	action  Action
	backs   map[payments.ReceiptID]transferSteps
	// rate is that of now, when what is accepted is converted.
	rate quote
}

// prepareResolve finds what is held for a payment. It asks the chain about the senders
// when it is to go back, and for a rate when it is to be converted. Errors:
// ferry.ErrValidation, payments.ErrNotFound, payments.ErrInvalidReference,
// ErrNothingHeld, ErrSenderUnknown, ErrCryptoUnavailable, and those of outgoing.Service.Transfer.
func (s *Service) prepareResolve(ctx context.Context, scope ferry.Scope, ref payments.Ref, action Action) (resolution, error) {
	if err := scope.Check(); err != nil {
		return resolution{}, err
	}
	if action != Accept && action != Refund {
		return resolution{}, ferry.ErrValidation.About("action", "Must be accept or refund")
	}
	type found struct {
		p    payments.Payment
		held []payments.Receipt
		from map[payments.ReceiptID]wallets.Address
	}
	at, err := ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (f found, err error) {
		if f.p, err = payments.Find(ctx, tx, scope, ref); err != nil {
			return f, err
		}
		if f.held, err = heldOf(ctx, tx, f.p); err != nil {
			return f, err
		}
		f.from = map[payments.ReceiptID]wallets.Address{}
		for _, r := range f.held {
			owner := ferry.Scope{Business: r.Holder, Env: scope.Env}
			if f.from[r.ID], err = wallets.AddressKind.Get(ctx, tx, owner, wallets.AddressID(r.Address)); err != nil {
				return f, err
			}
		}
		return f, nil
	})
	if err != nil {
		return resolution{}, err
	}
	made := resolution{scope: scope, payment: at.p.ID, action: action, backs: map[payments.ReceiptID]transferSteps{}}
	switch {
	case action == Refund:
		err = s.prepareBacks(ctx, made, at.held, at.from)
	case at.held[0].Holder == "": // and so are all others
		made.rate, err = s.ask(ctx, scope.Env)
	}
	return made, err
}

// prepareBacks prepares what can go back. What cannot, because it is dust or its
// sender is not known, stays held and does not keep the rest: anybody may have sent
// it. When nothing can go back, it says why.
func (s *Service) prepareBacks(ctx context.Context, made resolution, held []payments.Receipt, from map[payments.ReceiptID]wallets.Address) error {
	var refused error
	for _, r := range held {
		ready, err := s.prepareBack(ctx, from[r.ID], r)
		switch {
		case err == nil:
			made.backs[r.ID] = ready
		case errors.Is(err, ErrSenderUnknown) || errors.Is(err, outgoing.ErrAmountTooLow):
			refused = err
		default:
			return err
		}
	}
	if len(made.backs) == 0 {
		return refused
	}
	return nil
}

// heldOf returns the receipts of a payment that wait, or ErrNothingHeld. Those of a
// pending payment wait for the rest of it.
func heldOf(ctx context.Context, tx Tx, p payments.Payment) ([]payments.Receipt, error) {
	receipts, err := payments.ReceiptsOf(ctx, tx, p)
	held := slices.DeleteFunc(receipts, func(r payments.Receipt) bool {
		return r.State != payments.Held || p.Status == payments.Pending
	})
	if err == nil && len(held) == 0 {
		err = ErrNothingHeld
	}
	return held, err
}

// prepareBack prepares the transfer that sends a receipt back. The sender bears the
// network fee.
func (s *Service) prepareBack(ctx context.Context, from wallets.Address, r payments.Receipt) (transferSteps, error) {
	if r.Sender.Address == "" {
		return transferSteps{}, ErrSenderUnknown
	}
	steps := s.config.Outgoing.TransferOp(from.Scope, outgoing.TransferParams{
		From: string(from.Address), To: r.Sender.Address, Amount: r.Held, Whole: true, FeeIncluded: true,
		Metadata: ferry.Metadata{"payment_id": string(r.Payment), "receipt_id": string(r.ID)},
		Origin:   outgoing.Origin{Kind: outgoing.FromReceipt, ID: string(r.ID)},
	}).Begin()
	err := steps.Prepare(ctx, "")
	if errors.Is(err, outgoing.ErrInvalidAddress) {
		err = ErrSenderUnknown.Because(err)
	}
	return steps, err
}

// resolveIn carries out a decision within a unit. Errors: ErrNothingHeld, and those
// of outgoing.Service.Transfer.
func (s *Service) resolveIn(ctx context.Context, tx Tx, made resolution) (payments.Payment, error) {
	p, err := payments.PaymentKind.Get(ctx, tx, made.scope, made.payment)
	if err != nil {
		return payments.Payment{}, err
	}
	held, err := heldOf(ctx, tx, p)
	if err != nil {
		return payments.Payment{}, err
	}
	if made.action == Accept {
		return s.acceptIn(ctx, tx, p, held, made.rate)
	}
	for _, r := range held {
		transfer, prepared := made.backs[r.ID]
		if !prepared {
			continue // it came after the decision or cannot go back, and waits for another one
		}
		if err := ledger.Release(ctx, tx.Ledger(), r.HeldBy()); err != nil {
			return payments.Payment{}, err
		}
		if err := sendBack(ctx, tx, r, transfer); err != nil {
			return payments.Payment{}, err
		}
	}
	// What went to another address of the same session has come in there again.
	if p, err = payments.PaymentKind.Get(ctx, tx, made.scope, made.payment); err != nil {
		return payments.Payment{}, err
	}
	return payments.SaveIn(ctx, tx, p)
}

// Resolve carries out a decision about what is held for a payment. Errors:
// ferry.ErrValidation, payments.ErrNotFound, payments.ErrInvalidReference,
// ErrNothingHeld, ErrSenderUnknown, ErrCryptoUnavailable, and those of outgoing.Service.Transfer.
func (s *Service) Resolve(ctx context.Context, scope ferry.Scope, ref payments.Ref, action Action) (payments.Payment, error) {
	return operation.Run(ctx, s.ResolveOp(scope, ref, action))
}

// ResolveOp is Resolve as an operation, for engine.Do.
func (s *Service) ResolveOp(scope ferry.Scope, ref payments.Ref, action Action) ferry.Operation[Tx, payments.Payment] {
	params := struct {
		Ref    payments.Ref
		Action Action
	}{ref, action}
	return ferry.Operation[Tx, payments.Payment]{
		Name: "checkout.Resolve", Scope: scope, Params: params, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (resolution, error) { return s.prepareResolve(ctx, scope, ref, action) },
			s.resolveIn,
			func(p payments.Payment) string { return string(p.ID) },
			func(ctx context.Context, tx Tx, id string) (payments.Payment, error) {
				return payments.PaymentKind.Get(ctx, tx, scope, payments.ID(id))
			},
		),
	}
}

func sendBack(ctx context.Context, tx Tx, r payments.Receipt, transfer transferSteps) error {
	made, err := transfer.Record(ctx, tx, "")
	if err != nil {
		return err
	}
	r.Outcome = made.Resource
	return payments.MoveReceiptIn(ctx, tx, r, payments.Refund)
}

// RefundFailedIn holds a receipt again whose refund moved nothing. A transfer that
// refunds none is no concern of it.
func RefundFailedIn(ctx context.Context, tx Tx, t outgoing.Transfer) error {
	if t.Origin.Kind != outgoing.FromReceipt {
		return nil
	}
	r, err := payments.ReceiptKind.Anyones(ctx, tx, payments.Receipt{ID: payments.ReceiptID(t.Origin.ID)})
	if err != nil || r.Outcome != string(t.ID) {
		return err
	}
	total, err := t.Total()
	if err != nil {
		return err
	}
	return payments.HoldAgainIn(ctx, tx, r, total)
}
