package refunds

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/bank/banks"
	"github.com/ferrypay/ferry/statement"
)

// errSeveral refuses to choose among senders. Anybody can pay a part of an order, and must not
// get back what another one paid.
var errSeveral = ErrNoSender.Saying("The transaction has several senders: refund it manually")

var bankCodePattern = regexp.MustCompile(`^[0-9]{3,6}$`)

// accountOf returns the one bank account that the money of a line came from. Errors: ErrNoSender.
func accountOf(ctx context.Context, tx Tx, line statement.Transaction) (bank.Party, error) {
	receipts, err := receiptsOf(ctx, tx, line)
	if err != nil {
		return bank.Party{}, err
	}
	senders := []statement.Sender{line.Sender}
	if len(receipts) > 0 {
		senders = senders[:0]
		for _, r := range receipts {
			senders = append(senders, r.Sender)
		}
	}
	from := senders[0]
	for _, other := range senders {
		if other.BankCode != from.BankCode || other.AccountNumber != from.AccountNumber {
			return bank.Party{}, errSeveral
		}
	}
	if !bankCodePattern.MatchString(from.BankCode) || banks.NumberProblem(from.AccountNumber) != "" {
		return bank.Party{}, ErrNoSender
	}
	return bank.Party{BankCode: from.BankCode, AccountNumber: from.AccountNumber, AccountName: from.AccountName}, nil
}

// receiptOf returns the first receipt of a line of USDC that the business keeps, and that came
// from one address. Errors: ErrNoSender.
func receiptOf(ctx context.Context, tx Tx, line statement.Transaction) (payments.Receipt, error) {
	receipts, err := receiptsOf(ctx, tx, line)
	if err != nil {
		return payments.Receipt{}, err
	}
	for _, r := range receipts {
		switch {
		case r.Sender.Address == "" || r.Holder != line.Scope.Business:
			return payments.Receipt{}, ErrNoSender
		case r.Sender.Address != receipts[0].Sender.Address:
			return payments.Receipt{}, errSeveral
		}
	}
	if len(receipts) == 0 {
		return payments.Receipt{}, ErrNoSender
	}
	return receipts[0], nil
}

// receiptsOf returns the receipts that a line stands for: those of which a part paid a payment, or
// one that the business accepted. A line of a collection account has none.
func receiptsOf(ctx context.Context, tx Tx, line statement.Transaction) ([]payments.Receipt, error) {
	switch {
	case strings.HasPrefix(line.Reference, payments.Prefix):
		p, err := payments.PaymentKind.Get(ctx, tx, line.Scope, payments.ID(line.Reference))
		if err != nil {
			return nil, err
		}
		all, err := payments.ReceiptsOf(ctx, tx, p)
		return slices.DeleteFunc(all, func(r payments.Receipt) bool { return !r.Paid() }), err
	case strings.HasPrefix(line.Reference, payments.ReceiptPrefix):
		r, err := payments.ReceiptKind.Get(ctx, tx, line.Scope, payments.ReceiptID(line.Reference))
		return []payments.Receipt{r}, err
	}
	return nil, nil
}
