package checkout

import (
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/statement"
)

// checkExchange holds every conversion against its row, and their sum against the
// platform's side of them. What a conversion comes to besides the business's part,
// which is fees, stands in its posting only.
func (a *audit) checkExchange() error {
	given := money.NGN(0)
	count := func(scope ferry.Scope, subject string, posting ledger.PostingID, credited money.Amount) error {
		worth, err := a.checkConversion(scope, subject, posting, credited)
		if err == nil {
			given, err = given.Add(worth)
		}
		return err
	}
	for p, err := range a.paidBy(payments.USDC) {
		if err == nil && p.Settled.Asset() == money.AssetNGN {
			var credited money.Amount
			if credited, err = a.convertedFor(p); err == nil {
				err = count(p.Scope, string(p.ID), exchanged(p.ID), credited)
			}
		}
		if err != nil {
			return err
		}
	}
	for r, err := range a.receipts(payments.Accepted) {
		if err == nil && r.Holder == "" {
			var credited money.Amount
			if credited, err = a.acceptedFor(r); err == nil {
				err = count(r.Scope, string(r.ID), accepted(r.ID), credited)
			}
		}
		if err != nil {
			return err
		}
	}
	return a.compare("exchange", ledger.Exchange, given, "conversions came to %s, the books say %s")
}

// convertedFor is what the success of a payment credited: what it settled without
// what was accepted later.
func (a *audit) convertedFor(p payments.Payment) (money.Amount, error) {
	receipts, err := payments.ReceiptsOf(a.ctx, a.tx, p)
	credited := p.Settled
	for _, r := range receipts {
		if err != nil || r.State != payments.Accepted || r.Holder != "" {
			continue
		}
		var later money.Amount
		if later, err = a.acceptedFor(r); err == nil {
			credited, err = credited.Sub(later)
		}
	}
	return credited, err
}

// acceptedFor is what the line of a receipt that was accepted says, without its fee:
// nothing when there is none, as of what was worth nothing.
func (a *audit) acceptedFor(r payments.Receipt) (money.Amount, error) {
	line, err := statement.Kind.Find(a.ctx, a.tx, statement.ByReference, statement.Transaction{Scope: r.Scope, Reference: string(r.ID)})
	if errors.Is(err, statement.ErrNotFound) {
		return money.NGN(0), nil
	}
	if err != nil {
		return money.Amount{}, err
	}
	return line.Amount.Sub(line.Fee)
}

// checkConversion finds a conversion that credits its business with something else
// than its row says, and returns what the platform gave.
func (a *audit) checkConversion(scope ferry.Scope, subject string, posting ledger.PostingID, credited money.Amount) (worth money.Amount, err error) {
	entries, err := a.tx.Ledger().Legs(a.ctx, posting)
	if err != nil {
		return money.Amount{}, err
	}
	worth, got := money.NGN(0), money.NGN(0)
	for _, e := range entries {
		switch e.Account {
		case ledger.BusinessAccount(scope, money.AssetNGN):
			got, err = got.Add(e.Amount)
		case ledger.SystemAccount(a.env, ledger.Exchange, money.AssetNGN):
			worth, err = worth.Sub(e.Amount)
		}
		if err != nil {
			return money.Amount{}, err
		}
	}
	if got.Minor() != credited.Minor() {
		a.find("exchange", subject, "the business was to get %s, it was credited %s", credited, got)
	}
	return worth, nil
}
