package offramp

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/wallets"
)

// DepositIn does what follows from USDC that was credited to an address, when that is of an order.
//
//	in time, not all there     set aside; deposits add up until the order expires
//	in time, all there         the naira are set aside and go out
//	in time, more              they do, and the rest goes back
//	later, or paid before      it goes back
//
// What stood in a block before the order expired is in time, unless the order has ended. Errors:
// ramp.ErrUnavailable when it counts at a rate that RateNow was not asked for in time.
func (s *Service) DepositIn(ctx context.Context, tx Tx, to wallets.Address, in wallets.Transaction, came wallets.Coming) error {
	if to.Scope != platform(to.Scope.Env) {
		return nil
	}
	o, ours, err := orderAt(ctx, tx, to.Scope.Env, to.ID)
	if err != nil || !ours {
		return err
	}
	at := ferry.NotAfter(came.At, tx.Now())
	if !o.takes(at) {
		return goesBackIn(ctx, tx, o.newDeposit(tx, in, in.Amount), Late)
	}
	rate, err := o.rateFor(at, came.Rate)
	if err != nil {
		return err
	}
	return s.countIn(ctx, tx, o, in, rate)
}

// newDeposit is so much of what came for an order.
func (o Order) newDeposit(tx Tx, in wallets.Transaction, amount money.Amount) Deposit {
	return Deposit{
		ID: DepositID(tx.NewID(depositPrefix)), Scope: o.Scope, Order: o.ID, Address: o.Address, Amount: amount,
		Source: cmp.Or(string(in.Signature), string(in.ID)), Sender: in.From,
		State: DepositLifecycle.Initial, Returned: money.USDC(0), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
}

// countIn counts a deposit at a rate, and has the naira go out when all is there. What is more
// than that goes back.
func (s *Service) countIn(ctx context.Context, tx Tx, o Order, in wallets.Transaction, rate money.Rate) error {
	need, err := o.need(rate)
	if err != nil {
		return err
	}
	counted := money.USDC(min(need.Minor(), in.Amount.Minor()))
	excess, err := in.Amount.Sub(counted)
	if err != nil {
		return err
	}
	if counted.Sign() > 0 {
		d := o.newDeposit(tx, in, counted)
		d.Rate = rate.Price()
		if err := d.holdIn(ctx, tx); err != nil {
			return err
		}
	}
	if excess.Sign() > 0 {
		if err := goesBackIn(ctx, tx, o.newDeposit(tx, in, excess), Excess); err != nil {
			return err
		}
	}
	if err := o.count(counted, rate); err != nil {
		return err
	}
	o.UpdatedAt = tx.Now()
	if in.Amount.Minor() >= need.Minor() {
		if o, err = s.fundIn(ctx, tx, o); err != nil {
			return err
		}
	}
	return Kind.Update(ctx, tx, o)
}

// holdIn records a new deposit, and sets it aside on its address.
func (d Deposit) holdIn(ctx context.Context, tx Books) error {
	if err := DepositKind.Insert(ctx, tx, d); err != nil {
		return err
	}
	return ledger.Reserve(ctx, tx.Ledger(), d.reservation(tx.Now()))
}

// fundIn goes on with an order whose USDC is all there.
func (s *Service) fundIn(ctx context.Context, tx Tx, o Order) (Order, error) {
	o.Credited, o.FundedAt = o.Amount, tx.Now()
	if o.Pays == ToBill {
		return s.fundBillIn(ctx, tx, o)
	}
	return s.fundAccountIn(ctx, tx, o)
}

// fundAccountIn gives the business the naira of an order, sets them aside and makes their payment
// due. They are the platform's until then.
func (s *Service) fundAccountIn(ctx context.Context, tx Tx, o Order) (Order, error) {
	account := ledger.BusinessAccount(o.Scope, money.AssetNGN)
	if err := ledger.Post(ctx, tx.Ledger(), ledger.Move(
		exchanged(o.ID), o.Scope.Env, "offramp_exchange", string(o.ID), platformNaira(o.Scope.Env), account, o.Amount, tx.Now(),
	)); err != nil {
		return o, err
	}
	if err := ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
		ID: o.reservation(), Account: account, Amount: o.Amount, At: tx.Now(),
	}); err != nil {
		return o, err
	}
	o, err := moveIn(ctx, tx, o, Fund)
	if err != nil {
		return o, err
	}
	return o, orderOf(o).ScheduleIn(ctx, tx, QueuePayments, tx.Now())
}

// platformNaira is the account from which the naira of offramps come.
func platformNaira(env ferry.Env) ledger.AccountID {
	return ledger.SystemAccount(env, ledger.Offramps, money.AssetNGN)
}

// exchanged and undone name the posting that gives a business the naira of an order, and the one
// that takes them back.
func exchanged(id ID) ledger.PostingID { return ledger.PostingID("offramp-exchange:" + string(id)) }
func undone(id ID) ledger.PostingID    { return ledger.PostingID("offramp-undone:" + string(id)) }
