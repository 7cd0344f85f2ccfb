package checkout

import (
	"context"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
)

// settleUSDC makes the payment a success with the USDC that is held for it: what is
// held becomes the business's, or is converted, but for an excess of the last
// receipt.
func (a *arrival) settleUSDC(ctx context.Context, rate money.Rate, excess money.Amount) error {
	taken, err := a.release(ctx, excess)
	if err != nil {
		return err
	}
	if a.s.Settlement == business.Convert {
		err = a.convert(ctx, rate, taken)
	} else {
		err = a.keep(ctx, rate, taken)
	}
	if err != nil {
		return err
	}
	a.s, a.p, err = CompleteIn(ctx, a.tx, a.s, a.p)
	return err
}

// portion is USDC that was taken of one address.
type portion struct {
	receipt payments.Receipt
	amount  money.Amount
}

// release ends what holds the receipts of a payment, but for an excess of the last
// one, and returns what there is of each.
func (a *arrival) release(ctx context.Context, excess money.Amount) ([]portion, error) {
	receipts, err := payments.ReceiptsOf(ctx, a.tx.Payments(), a.p)
	if err != nil {
		return nil, err
	}
	var taken []portion
	for n, r := range receipts {
		if r.State != payments.Held {
			continue
		}
		if err := ledger.Release(ctx, a.tx.Ledger(), r.HeldBy()); err != nil {
			return nil, err
		}
		keep := money.USDC(0)
		if n == len(receipts)-1 {
			keep = excess
		}
		part, err := r.Amount.Sub(keep)
		if err != nil {
			return nil, err
		}
		if part.Sign() > 0 {
			taken = append(taken, portion{r, part})
		}
		if keep.Sign() > 0 {
			err = a.holdExcess(ctx, r, keep)
		} else {
			_, err = payments.MoveReceiptIn(ctx, a.tx, r, payments.Settle)
		}
		if err != nil {
			return nil, err
		}
	}
	return taken, nil
}

func (a *arrival) holdExcess(ctx context.Context, r payments.Receipt, excess money.Amount) error {
	r.Held, r.UpdatedAt = excess, a.tx.Now()
	if err := a.tx.Payments().UpdateReceipt(ctx, r); err != nil {
		return err
	}
	return ledger.Reserve(ctx, a.tx.Ledger(), ledger.Reservation{
		ID: r.Excess(), Account: ledger.AddressAccount(r.Address), Amount: excess, At: a.tx.Now(),
	})
}

func total(portions []portion) money.Amount {
	sum := money.USDC(0)
	for _, part := range portions {
		sum = plus(sum, part.amount)
	}
	return sum
}

// accepted notes on a payment that another sum than it costs was taken for it.
func (a *arrival) accepted(taken money.Amount) {
	worth := taken
	if a.s.Pricing.Type == InFiat {
		worth = a.s.Credited
	}
	a.p.Amount, a.p.Fees = worth, a.p.Fees.Capped(worth)
}

// odd reports whether another sum than the order costs is taken.
func (a *arrival) odd() bool {
	return a.s.Mismatch == business.Accept && len(a.p.Exceptions) > 0
}

// convert credits the business with the worth of USDC in naira. The USDC stays in
// the platform's wallet.
func (a *arrival) convert(ctx context.Context, rate money.Rate, portions []portion) (err error) {
	worth := a.s.Pricing.Fiat
	if a.s.Pricing.Type == InCrypto || a.odd() {
		if worth, err = rate.Convert(total(portions)); err != nil {
			return err
		}
	}
	if a.odd() {
		a.accepted(total(portions))
	}
	fees := a.s.Pricing.Fees.Capped(worth)
	legs, err := payments.Shares(a.s.Scope, worth, fees)
	if err != nil {
		return err
	}
	paid, err := fees.Total()
	if err != nil {
		return err
	}
	if a.p.Settled, err = worth.Sub(paid); err != nil || worth.IsZero() {
		return err
	}
	return a.post(ctx, exchanged(a.p.ID), "exchange", ledger.Exchange, worth, legs)
}

// exchanged names the posting of a conversion.
func exchanged(id payments.ID) ledger.PostingID { return ledger.PostingID("exchange:" + string(id)) }

// post books naira from one account of the engine to others.
func (a *arrival) post(ctx context.Context, id ledger.PostingID, kind string, from ledger.System, amount money.Amount, to []ledger.Leg) error {
	source := ledger.Leg{Account: ledger.SystemAccount(a.s.Scope.Env, from, money.AssetNGN), Amount: amount.Neg()}
	return ledger.Post(ctx, a.tx.Ledger(), ledger.Posting{
		ID: id, Env: a.s.Scope.Env, Kind: kind, Ref: string(a.p.ID),
		Legs: append(to, source), At: a.tx.Now(),
	})
}

// keep leaves USDC in the business's wallet, but for the fees.
func (a *arrival) keep(ctx context.Context, rate money.Rate, portions []portion) (err error) {
	taken := total(portions)
	if a.odd() {
		a.accepted(taken)
	}
	fees := a.p.Fees
	if a.s.Pricing.Type == InFiat {
		if fees, err = a.p.Fees.Converted(rate); err != nil {
			return err
		}
	}
	fees = fees.Capped(taken)
	paid, err := fees.Total()
	if err != nil {
		return err
	}
	if a.p.Settled, err = taken.Sub(paid); err != nil {
		return err
	}
	return a.charge(ctx, fees, portions)
}

// charge takes fees out of portions, as much of each as it takes.
func (a *arrival) charge(ctx context.Context, fees payments.Fees, portions []portion) error {
	platform, processing := fees.Platform.Minor(), fees.Processing.Minor()
	for _, part := range portions {
		first := min(platform, part.amount.Minor())
		second := min(processing, part.amount.Minor()-first)
		platform, processing = platform-first, processing-second
		legs := payments.Nonzero(
			ledger.Leg{Account: ledger.SystemAccount(a.s.Scope.Env, ledger.PlatformFees, money.AssetUSDC), Amount: money.USDC(first)},
			ledger.Leg{Account: ledger.SystemAccount(a.s.Scope.Env, ledger.ProcessingFees, money.AssetUSDC), Amount: money.USDC(second)},
		)
		if len(legs) == 0 {
			continue
		}
		if err := wallets.ChargeIn(ctx, a.tx, a.s.holder(), wallets.Charge{
			Address: wallets.AddressID(part.receipt.Address), To: legs,
			Posting: ledger.PostingID("fee:" + string(part.receipt.ID)),
		}); err != nil {
			return err
		}
	}
	return nil
}
