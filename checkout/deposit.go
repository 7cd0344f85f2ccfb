package checkout

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets"
)

// DepositIn does what follows from USDC that was credited to an address, when that
// is of a session. It is set aside until it is known whose it is.
//
//	pending, not all there       held; deposits add up until the session ends
//	pending, all there           the payment succeeds
//	pending, more                it succeeds, the rest is held   (strict)
//	                             it succeeds for what came       (accept)
//	paid before                  duplicate: held
//	ended unpaid, or over        late: held
//
// What stood in a block before a session's time was over is in time. What came later ends
// nothing, and is no part of a payment that is still made. Errors: ErrCryptoUnavailable
// when it counts at a rate that RateNow was not asked for in time.
func (s *Service) DepositIn(ctx context.Context, tx Tx, to wallets.Address, in wallets.Transaction, came wallets.Coming) error {
	i, found, ours, err := instructed(ctx, tx, to.ID)
	if err != nil || !ours {
		return err
	}
	at, err := s.currentIn(ctx, tx, found, came.At)
	if err != nil {
		return err
	}
	d := deposit{arrival: at, i: i}
	inTime := at.inTime()
	if inTime {
		if d.rate, err = found.rateFor(i, came); err != nil {
			return err
		}
	}
	if d.r, err = at.hold(ctx, to, in, d.rate); err != nil {
		return err
	}
	switch {
	case inTime:
		return d.count(ctx)
	case at.paid():
		return at.noteDuplicate(ctx, in.Amount)
	}
	return at.noteLate(ctx, in.Amount, i.Amount)
}

// NotePendingIn notes that USDC is on its way to an address, when that is of a session. The
// first sign of all that is left to pay, confirmed but not final, begins an attempt; a
// part of it does not, nor does what needs a rate to be known for all that is left.
func NotePendingIn(ctx context.Context, tx Tx, to wallets.AddressID, in chain.PendingDeposits) error {
	if in.Commitment.Rank() < chain.Confirmed.Rank() {
		return nil
	}
	i, found, ours, err := instructed(ctx, tx, to)
	if err != nil || !ours || found.Status != Pending || !tx.Now().Before(found.ExpiresAt) {
		return err
	}
	p, err := payments.PaymentKind.Get(ctx, tx, found.Scope, found.Payment)
	if err != nil || !p.PendingUntil.IsZero() {
		return err
	}
	if found.Pricing.Type == InFiat && !i.standsAt(tx.Now()) {
		return nil
	}
	need, err := found.due(i)
	if err != nil || in.Amount.Minor() < need.Minor() {
		return err
	}
	return beginIn(ctx, tx, found, p, payments.USDC)
}

// WrongAssetIn notes on a session's payment that another token than USDC came to one
// of its addresses.
func (s *Service) WrongAssetIn(ctx context.Context, tx Tx, to wallets.AddressID) error {
	_, found, ours, err := instructed(ctx, tx, to)
	if err != nil || !ours {
		return err
	}
	p, err := payments.PaymentKind.Get(ctx, tx, found.Scope, found.Payment)
	if err != nil {
		return err
	}
	_, err = payments.SaveIn(ctx, tx, p.With(payments.WrongAsset))
	return err
}

// instructed returns the instruction that offered an address, and its session. It
// reports false for an address of no session.
func instructed(ctx context.Context, tx Tx, to wallets.AddressID) (i Instruction, of Session, ours bool, err error) {
	i, err = InstructionKind.Anyones(ctx, tx, Instruction{Address: to})
	if errors.Is(err, ErrInstructionNotFound) {
		return i, of, false, nil
	}
	if err != nil {
		return i, of, false, err
	}
	of, err = SessionKind.Get(ctx, tx, i.Scope, i.Session)
	return i, of, true, err
}

// deposit is USDC that arrived for a session.
type deposit struct {
	*arrival
	i Instruction
	r payments.Receipt
	// rate is the one at which it counts: zero when that is at face.
	rate money.Rate
}

// hold records a deposit that counts at a rate, and sets it aside on its address.
func (a *arrival) hold(ctx context.Context, to wallets.Address, in wallets.Transaction, rate money.Rate) (r payments.Receipt, err error) {
	price := ""
	if rate != (money.Rate{}) {
		price = rate.Price()
	}
	a.p, r, err = payments.ReceiveIn(ctx, a.tx, a.p, payments.Receipt{
		Method: payments.USDC, Amount: in.Amount, Held: in.Amount, State: payments.ReceiptLifecycle.Initial,
		Source: cmp.Or(string(in.Signature), string(in.ID)), Sender: statement.Sender{Address: string(in.From)},
		Address: string(to.ID), Holder: to.Scope.Business, Price: price, Late: !a.inTime() && !a.paid(),
	})
	if err != nil {
		return r, err
	}
	return r, ledger.Reserve(ctx, a.tx.Ledger(), ledger.Reservation{
		ID: r.Reservation(), Account: ledger.AddressAccount(string(to.ID)), Amount: r.Amount, At: a.tx.Now(),
	})
}

// count adds a deposit to a pending payment, and ends it when all is there.
func (d deposit) count(ctx context.Context) error {
	need, err := d.need()
	if err != nil {
		return err
	}
	if d.p.Received.Asset() != money.AssetUSDC {
		d.p.Received = money.USDC(0)
	}
	before, err := d.counted(ctx)
	if err != nil {
		return err
	}
	if d.p.Expected, err = before.Add(need); err != nil {
		return err
	}
	d.p.Method = payments.USDC
	if d.p.Received, err = d.p.Received.Add(d.r.Amount); err != nil {
		return err
	}
	if d.s.Credited, err = d.credited(); err != nil {
		return err
	}
	if err := d.see(ctx); err != nil {
		return err
	}
	if d.r.Amount.Minor() < need.Minor() {
		return d.wait(ctx)
	}
	excess, err := d.r.Amount.Sub(need)
	if err != nil {
		return err
	}
	paid := d.s.payable()
	if excess.Sign() > 0 {
		d.p = d.p.With(payments.Overpaid)
		if d.s.Mismatch == business.Accept {
			paid = money.Of(paid.Asset(), max(paid.Minor(), d.s.Credited.Minor()))
			excess = money.USDC(0)
		}
	}
	return d.settleUSDC(ctx, paid, excess)
}

// counted is the USDC that counted for the order before the deposit: what its
// instructions got.
func (d deposit) counted(ctx context.Context) (money.Amount, error) {
	sum := money.USDC(0)
	for i, err := range InstructionKind.Walk(ctx, d.tx, ofSession(d.s.ID)) {
		if err == nil {
			sum, err = sum.Add(i.Received)
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// need is what the order needs, at the rate of the deposit.
func (d deposit) need() (money.Amount, error) {
	if d.atItsRate() {
		return d.s.due(d.i)
	}
	return d.s.left(d.rate)
}

// atItsRate reports whether the deposit counts at the rate of its instruction, or at face.
func (d deposit) atItsRate() bool {
	return d.rate == money.Rate{} || d.rate.Price() == d.i.Price
}

// see notes the deposit on its instruction, which asks for what is left when it counted
// at another rate.
func (d *deposit) see(ctx context.Context) (err error) {
	before := d.i
	if d.i.Received, err = d.i.Received.Add(d.r.Amount); err != nil {
		return err
	}
	if !d.atItsRate() {
		if d.i.Amount, err = d.s.asked(before, d.i.Received); err != nil {
			return err
		}
	}
	if edge, err := InstructionLifecycle.Next(d.i.Status, See); err == nil {
		d.i.Status = edge.To // one that was replaced stays over
	}
	d.i.UpdatedAt = d.tx.Now()
	return InstructionKind.Update(ctx, d.tx, d.i)
}

// credited is what the order got from the deposit, in its own asset. Its worth is rounded
// down, so that many small deposits are never worth more than one.
func (d deposit) credited() (money.Amount, error) {
	if d.s.Pricing.Type == InCrypto {
		return d.s.Credited.Add(d.r.Amount)
	}
	worth, err := d.rate.ConvertDown(d.r.Amount)
	if err != nil {
		return money.Amount{}, err
	}
	return d.s.Credited.Add(worth)
}

// wait keeps a deposit until the rest comes or the session ends.
func (d deposit) wait(ctx context.Context) error {
	if err := d.askLess(ctx); err != nil {
		return err
	}
	if _, err := saveSession(ctx, d.tx, d.s); err != nil {
		return err
	}
	_, err := payments.SaveIn(ctx, d.tx, d.p)
	return err
}

// askLess makes the instruction that is offered ask for what is left, when the deposit
// came to a former one.
func (d deposit) askLess(ctx context.Context) error {
	if d.i.Address == d.s.Instruction {
		return nil
	}
	offered, err := InstructionKind.Anyones(ctx, d.tx, Instruction{Address: d.s.Instruction})
	if err != nil {
		return err
	}
	if offered.Amount, err = d.s.asked(offered, offered.Received); err != nil {
		return err
	}
	offered.UpdatedAt = d.tx.Now()
	return InstructionKind.Update(ctx, d.tx, offered)
}
