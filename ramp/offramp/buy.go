package offramp

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/ramp"
)

// fundBillIn has the bill of an order bought whose USDC is all there. What the business may not buy
// any more counts as refused.
func (s *Service) fundBillIn(ctx context.Context, tx Tx, o Order) (Order, error) {
	ctx = outflow.By(ctx, o.MadeBy)
	refused, err := ruledOut(s.config.Bills.ForeseeIn(ctx, tx, o.Scope, o.Goods))
	switch {
	case err != nil:
		return o, err
	case refused == "":
		return s.buyIn(ctx, tx, o, Fund)
	}
	if o, err = moveIn(ctx, tx, o, Fund); err != nil {
		return o, err
	}
	return s.refusedIn(ctx, tx, o, refused)
}

// ruledOut is why the rules of what leaves refuse a bill, or empty. Every other error stays.
func ruledOut(err error) (why string, other error) {
	if errors.Is(err, outflow.ErrLimit) || errors.Is(err, outflow.ErrDestination) {
		rule, _ := errors.AsType[*ferry.Error](err)
		return rule.Message, nil
	}
	return "", err
}

// buyIn gives the business the naira of an order, and makes a bill that sets them aside. The biller
// knows each attempt by a key of its own.
func (s *Service) buyIn(ctx context.Context, tx Tx, o Order, cause Cause) (Order, error) {
	o.Tries++
	if err := o.postIn(ctx, tx, "exchange", platformNaira(o.Scope.Env), ledger.BusinessAccount(o.Scope, money.AssetNGN)); err != nil {
		return o, err
	}
	b, err := s.config.Bills.PayIn(ctx, tx, o.Scope, o.Goods, string(o.ID))
	if err != nil {
		return o, err
	}
	o.Bill, o.Failure = b.ID, ""
	return moveIn(ctx, tx, o, cause)
}

// postIn moves the naira of an attempt to buy a bill.
func (o Order) postIn(ctx context.Context, tx Books, what string, from, to ledger.AccountID) error {
	id := ledger.PostingID("offramp-" + what + ":" + string(o.ID) + ":" + strconv.Itoa(o.Tries))
	return ledger.Post(ctx, tx.Ledger(), ledger.Move(id, o.Scope.Env, "offramp_"+what, string(o.ID), from, to, o.Amount, tx.Now()))
}

// BillMovedIn moves the order that pays a bill with the bill, in the unit of the move.
func (s *Service) BillMovedIn(ctx context.Context, tx Books, b bills.Bill, by bills.Cause) error {
	o, err := Kind.Get(ctx, tx, b.Scope, ID(b.PaidBy))
	if err != nil {
		return err
	}
	if o.Bill != b.ID {
		return fmt.Errorf("offramp: the bill %s of %s moves, whose newest is %s", b.ID, o.ID, o.Bill)
	}
	switch by {
	case bills.Submit:
		o, err = moveIn(ctx, tx, o, Submit)
	case bills.Deliver:
		o, err = deliveredIn(ctx, tx, o, b)
	case bills.Refuse, bills.Reject:
		if err = o.postIn(ctx, tx, "undone", ledger.BusinessAccount(o.Scope, money.AssetNGN), platformNaira(o.Scope.Env)); err == nil {
			o, err = s.refusedIn(ctx, tx, o, b.Failure)
		}
	default:
		err = fmt.Errorf("offramp: a bill moves by %q", by)
	}
	if err != nil {
		return err
	}
	return Kind.Update(ctx, tx, o)
}

// deliveredIn books an order whose bill was delivered: the USDC is the platform's.
func deliveredIn(ctx context.Context, tx Books, o Order, b bills.Bill) (Order, error) {
	o.SessionID, o.Receipt, o.PaidAt, o.Failure = b.BillerRef, b.Receipt, tx.Now(), ""
	if err := exchangeIn(ctx, tx, o); err != nil {
		return o, err
	}
	return moveIn(ctx, tx, o, Pay)
}

// refusedIn holds the USDC of an order whose bill was not bought, until the time for a retry is
// over. It begins with the first refusal.
func (s *Service) refusedIn(ctx context.Context, tx Books, o Order, why string) (Order, error) {
	if o.Failure = why; o.RetryUntil.IsZero() {
		o.RetryUntil = tx.Now().Add(s.config.RetryWindow)
	}
	o, err := moveIn(ctx, tx, o, Refuse)
	if err != nil {
		return o, err
	}
	if !tx.Now().Before(o.RetryUntil) {
		return forgoIn(ctx, tx, o)
	}
	return o, o.endsIn(ctx, tx, o.RetryUntil)
}

// forgoIn ends an order whose bill was not bought, and gives the USDC back.
func forgoIn(ctx context.Context, tx Books, o Order) (Order, error) {
	if err := giveBackIn(ctx, tx, o, Unsold); err != nil {
		return o, err
	}
	return moveIn(ctx, tx, o, Forgo)
}

// Retry tries to buy the bill of an order again that was definitely refused, while its USDC is held:
// with the same naira, under a new key of the biller. Errors: those of Get,
// ferry.ErrInvalidTransition for an order that is not refused, or whose time is over;
// outflow.ErrLimit and outflow.ErrDestination, which leave the order as it is.
func (s *Service) Retry(ctx context.Context, scope ferry.Scope, ref Ref) (Details, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Details, error) {
		return s.RetryIn(ctx, tx, scope, ref)
	})
}

// RetryIn is Retry within a unit.
func (s *Service) RetryIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (Details, error) {
	ref.Pays = ToBill
	o, err := findIn(ctx, tx, scope, ref)
	switch {
	case err != nil:
		return Details{}, err
	case o.Stage != ramp.PurchaseRefused:
		return Details{}, ferry.ErrInvalidTransition.Saying("Only a crypto bill whose stage is purchase_refused can be tried again")
	case !tx.Now().Before(o.RetryUntil):
		return Details{}, ferry.ErrInvalidTransition.Saying("The time to try the bill again is over: its USDC goes back")
	}
	if o, err = s.buyIn(ctx, tx, o, Retry); err != nil {
		return Details{}, err
	}
	if err := Kind.Update(ctx, tx, o); err != nil {
		return Details{}, err
	}
	return s.shownIn(ctx, tx, o)
}
