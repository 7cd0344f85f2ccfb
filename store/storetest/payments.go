package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

// payment is the n-th payment of a scope, with no field empty.
func payment(scope ferry.Scope, n int) payments.Payment {
	return payments.Payment{
		ID: payments.ID(idOf(payments.Prefix, n)), Scope: scope, Reference: fmt.Sprintf("order-%d", n),
		Status: payments.Pending, Channel: fees.Link, Method: payments.BankTransfer,
		Amount: money.NGN(5000_00), Fees: fees.Fees{Platform: money.NGN(50_00), Processing: money.NGN(10)},
		Customer:  payments.Customer{ID: "cus_1", Email: "ada@example.com", Phone: "08012345678", Name: "Ada"},
		Collected: map[string]string{"Address": "12 Marina Road"},
		Metadata:  ferry.Metadata{"cart": json.Number("12.50")},
		Link:      "plink_1", Session: "sess_1", Pages: "https://pay.example.com",
		Expected: money.USDC(3_333_334), Received: money.USDC(1), Settled: money.USDC(0),
		Exceptions: []payments.Exception{payments.Underpaid, payments.Late},
		Receipts:   []payments.ReceiptID{"rcpt_1", "rcpt_2"}, Failure: "why",
		PendingUntil: after(n + 1), PaidAt: after(n + 2), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

// returned is the n-th return of a scope.
func returned(scope ferry.Scope, n int) payments.Return {
	return payments.Return{
		ID: payments.ReturnID(idOf("ret_", n)), Scope: scope, Session: fmt.Sprintf("session-%d", n), Amount: money.NGN(100),
		Reason: "underpaid", State: payments.ReturnPending, CreatedAt: after(n),
		Progress: disburse.Progress{Answer: disburse.TooMuch, Attempts: 3, UpdatedAt: after(n)},
	}
}

var paymentCase = caseOf(kindCase[payments.ID, payments.Payment]{
	kind: payments.PaymentKind, row: payment,
	change: func(p *payments.Payment) { p.Status, p.Exceptions, p.Received = payments.Failed, nil, money.NGN(7) },
	vary: func(p *payments.Payment, n int) {
		if n%2 == 0 {
			p.Link, p.Status = "", payments.Success
		}
		if n == 5 {
			p.Customer.Email, p.Amount, p.Public = "bola@example.com", money.USDC(5), true
		}
	},
})

// receipt is the n-th receipt of a scope.
func receipt(scope ferry.Scope, n int) payments.Receipt {
	return payments.Receipt{
		ID: payments.ReceiptID(idOf("rcpt_", n)), Scope: scope, Payment: payment(scope, 1).ID, Method: payments.USDC,
		Amount: money.USDC(20), Source: "signature", Address: "addr_1", Holder: scope.Business,
		Sender: statement.Sender{BankCode: "058", AccountNumber: "0123456789", AccountName: "Bola", Address: "So1"},
		Held:   money.USDC(5), Decided: money.USDC(1), Price: "1499.5", State: payments.Held, Late: true, Outcome: "trx_1", CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var _ = caseOf(kindCase[payments.ReceiptID, payments.Receipt]{
	kind: payments.ReceiptKind, row: receipt,
	before: func(ctx context.Context, p store.Ports, _ payments.Receipt) error {
		if _, err := payments.PaymentKind.Get(ctx, p, home, payment(home, 1).ID); err == nil {
			return nil
		}
		return payments.PaymentKind.Insert(ctx, p, payment(home, 1))
	},
	needed: []string{"payment", "amount", "amount_asset", "held", "held_asset"},
	change: func(r *payments.Receipt) {
		r.State, r.Held, r.Decided = payments.Accepted, money.USDC(0), money.USDC(5)
	},
	vary: func(r *payments.Receipt, n int) {
		if n%2 == 0 {
			r.State, r.Held = payments.Settled, money.USDC(0)
		}
	},
})

var _ = caseOf(kindCase[payments.ReturnID, payments.Return]{
	kind: payments.ReturnKind, row: returned,
	needed: []string{"amount", "amount_asset"},
	change: func(r *payments.Return) {
		r.State, r.Answer, r.Attempts = payments.ReturnAccepted, disburse.UnknownSession, 4
	},
})

func testOrderNames(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	own, public := payment(home, 1), payment(home, 2)
	public.Reference, public.Public = own.Reference, true
	for _, row := range []payments.Payment{own, public} {
		write(t, b, paymentCase.inserted(row))
		require.Equal(t, row.ID, look(t, b, func(ctx context.Context, p store.Ports) (payments.Payment, error) {
			return payments.PaymentKind.Find(ctx, p, payments.ByName, payments.PaymentNamed(home, row.Name()))
		}).ID, "a name that came with a public key and one of the shop's are two")
	}
	again := payment(home, 5)
	again.Reference, again.Public = own.Reference, true
	refuse(t, b, statement.ErrDuplicateTrxID, paymentCase.inserted(again))
}
