package checkout

import (
	"context"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
)

// settleUSDC makes the payment a success with the USDC that is held for it, which
// pays so much of the order: what is held becomes the business's, or is converted,
// but for an excess of the last receipt.
func (a *arrival) settleUSDC(ctx context.Context, paid, excess money.Amount) error {
	taken, err := a.release(ctx, excess)
	if err != nil {
		return err
	}
	if paid != a.s.payable() { // where other sums are accepted
		if a.p, err = a.s.paidWith(a.p, paid); err != nil {
			return err
		}
	}
	settle := a.keep
	if a.s.Settlement == business.Convert {
		settle = a.convert
	}
	brought, err := settle(ctx, paid, taken)
	if err != nil {
		return err
	}
	a.s, a.p, err = completeIn(ctx, a.tx, a.s, a.p, brought)
	return err
}

// portion is USDC that was taken of one address.
type portion struct {
	receipt payments.Receipt
	amount  money.Amount
}

// release ends what holds the receipts that count for a payment, but for an excess of
// the last one, and returns what there is of each.
func (a *arrival) release(ctx context.Context, excess money.Amount) ([]portion, error) {
	receipts, err := payments.ReceiptsOf(ctx, a.tx, a.p)
	if err != nil {
		return nil, err
	}
	var taken []portion
	for n, r := range receipts {
		if !counts(r) {
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
			err = payments.MoveReceiptIn(ctx, a.tx, r, payments.Settle)
		}
		if err != nil {
			return nil, err
		}
	}
	return taken, nil
}

func (a *arrival) holdExcess(ctx context.Context, r payments.Receipt, excess money.Amount) error {
	r.Held, r.UpdatedAt = excess, a.tx.Now()
	if err := payments.ReceiptKind.Update(ctx, a.tx, r); err != nil {
		return err
	}
	return ledger.Reserve(ctx, a.tx.Ledger(), ledger.Reservation{
		ID: r.Excess(), Account: ledger.AddressAccount(r.Address), Amount: excess, At: a.tx.Now(),
	})
}

// convert credits the business with the worth of USDC in naira: with what was paid of an
// order in naira. The USDC stays in the platform's wallet.
func (a *arrival) convert(ctx context.Context, paid money.Amount, portions []portion) (b payments.Brought, err error) {
	worth := paid
	if a.s.Pricing.Type == InCrypto {
		if worth, err = a.atTheirRates(ctx, portions); err != nil {
			return b, err
		}
	}
	if b, err = a.s.brings(worth); err != nil || worth.IsZero() {
		return b, err
	}
	legs, err := b.Fees.Shares(a.s.Scope, worth)
	if err != nil {
		return b, err
	}
	return b, a.post(ctx, exchanged(a.p.ID), "exchange", ledger.Exchange, worth, legs)
}

// atTheirRates is the worth of portions in naira, rounded once: each counts at the rate of
// its receipt.
func (a *arrival) atTheirRates(ctx context.Context, portions []portion) (money.Amount, error) {
	priced := make([]money.Priced, len(portions))
	for n, part := range portions {
		rate, err := countedAt(ctx, a.tx, part.receipt)
		if err != nil {
			return money.Amount{}, err
		}
		priced[n] = money.Priced{Amount: part.amount, Rate: rate}
	}
	return money.Worth(priced...)
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
func (a *arrival) keep(ctx context.Context, _ money.Amount, portions []portion) (b payments.Brought, err error) {
	taken := money.USDC(0)
	for _, part := range portions {
		if taken, err = taken.Add(part.amount); err != nil {
			return b, err
		}
	}
	if b, err = a.s.brings(taken); err != nil {
		return b, err
	}
	return b, a.charge(ctx, b.Fees, portions)
}

// charge takes fees out of portions, as much of each as it takes.
func (a *arrival) charge(ctx context.Context, taken fees.Fees, portions []portion) error {
	platform, processing := taken.Platform.Minor(), taken.Processing.Minor()
	for _, part := range portions {
		first := min(platform, part.amount.Minor())
		second := min(processing, part.amount.Minor()-first)
		platform, processing = platform-first, processing-second
		legs := ledger.Nonzero(
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
