package checkout

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/statement"
)

// acceptance is the business taking what is held for a payment.
type acceptance struct {
	*arrival
	// now is the rate at which it is converted.
	now quote
	// fees are what the order still has to bear, in the asset that the business gets.
	fees fees.Fees
	// taken is the USDC that was converted so far, and given what it was worth.
	taken, given money.Amount
}

// acceptIn gives the business the money that is held for a payment. USDC in the wallet of
// the business is released. USDC in that of the platform is converted at the current rate.
// An order that was not a success bears its fees here.
func (s *Service) acceptIn(ctx context.Context, tx Tx, p payments.Payment, held []payments.Receipt, now quote) (payments.Payment, error) {
	found, err := SessionKind.Get(ctx, tx, p.Scope, ID(p.Session))
	if err != nil {
		return payments.Payment{}, err
	}
	a := acceptance{arrival: &arrival{Service: s, tx: tx, s: found, p: p}, now: now, taken: money.USDC(0), given: money.NGN(0)}
	if a.fees, err = a.unpaid(ctx); err != nil {
		return payments.Payment{}, err
	}
	for _, r := range held {
		if err := a.accept(ctx, r); err != nil {
			return payments.Payment{}, err
		}
	}
	return payments.SaveIn(ctx, tx, a.p)
}

// unpaid are the fees of the order without what was paid of them: all by a success,
// else what the lines of accepted receipts say.
func (a acceptance) unpaid(ctx context.Context) (fees.Fees, error) {
	asset := money.AssetUSDC
	if a.s.Settlement == business.Convert {
		asset = money.AssetNGN
	}
	owed, err := a.s.Pricing.feesIn(asset)
	if err != nil || a.p.Status == payments.Success {
		return owed.Capped(money.Of(asset, 0)), err
	}
	receipts, err := payments.ReceiptsOf(ctx, a.tx, a.p)
	if err != nil {
		return fees.Fees{}, err
	}
	paid := money.Of(asset, 0)
	for _, r := range receipts {
		if r.State != payments.Accepted {
			continue
		}
		line, err := statement.Kind.Find(ctx, a.tx, statement.ByReference, statement.Transaction{Scope: a.p.Scope, Reference: string(r.ID)})
		if errors.Is(err, statement.ErrNotFound) {
			continue // it was worth nothing
		}
		if err != nil {
			return fees.Fees{}, err
		}
		if paid, err = paid.Add(line.Fee); err != nil {
			return fees.Fees{}, err
		}
	}
	return owed.After(paid), nil
}

// accept gives the business one receipt, with a line of /v1/transactions.
func (a *acceptance) accept(ctx context.Context, r payments.Receipt) error {
	if err := ledger.Release(ctx, a.tx.Ledger(), r.HeldBy()); err != nil {
		return err
	}
	if err := payments.MoveReceiptIn(ctx, a.tx, r, payments.Accept); err != nil {
		return err
	}
	got, err := a.worth(r)
	if err != nil || got.IsZero() {
		return err
	}
	taken := a.fees.Capped(got)
	if err := a.book(ctx, r, got, taken); err != nil {
		return err
	}
	line := statement.Incoming(a.tx, a.p.Scope, string(a.p.Channel), string(r.ID), got, r.Sender)
	if line.Fee, err = taken.Total(); err != nil {
		return err
	}
	a.fees = a.fees.After(line.Fee)
	net, err := taken.Net(got)
	if err != nil {
		return err
	}
	if err := a.settled(net); err != nil {
		return err
	}
	return statement.Kind.Insert(ctx, a.tx, line)
}

// worth is what the business gets for a receipt, fees included. What is accepted at once
// is converted as one sum, rounded down: a receipt brings what it adds to that.
func (a *acceptance) worth(r payments.Receipt) (got money.Amount, err error) {
	if a.s.Settlement != business.Convert {
		return r.Held, nil
	}
	rate, err := rateOf(a.now.price)
	if err != nil {
		return money.Amount{}, err
	}
	if a.taken, err = a.taken.Add(r.Held); err != nil {
		return money.Amount{}, err
	}
	sum, err := rate.ConvertDown(a.taken)
	if err != nil {
		return money.Amount{}, err
	}
	if got, err = sum.Sub(a.given); err == nil {
		a.given = sum
	}
	return got, err
}

// book posts a receipt that was taken: naira in exchange, or the fees of what is in
// the business's wallet already.
func (a *acceptance) book(ctx context.Context, r payments.Receipt, got money.Amount, taken fees.Fees) error {
	if a.s.Settlement != business.Convert {
		return a.charge(ctx, taken, []portion{{r, got}})
	}
	legs, err := taken.Shares(a.s.Scope, got)
	if err != nil {
		return err
	}
	return a.post(ctx, accepted(r.ID), "exchange", ledger.Exchange, got, legs)
}

// settled adds to what the business was credited. An earlier settlement in another asset
// stays; the lines show both.
func (a *acceptance) settled(net money.Amount) (err error) {
	switch {
	case a.p.Settled.IsZero():
		a.p.Settled = net
	case a.p.Settled.Asset() == net.Asset():
		a.p.Settled, err = a.p.Settled.Add(net)
	}
	return err
}

// accepted names the posting of a receipt that was taken and converted.
func accepted(id payments.ReceiptID) ledger.PostingID {
	return ledger.PostingID("accepted:" + string(id))
}
