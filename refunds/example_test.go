package refunds_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
)

// A part of what somebody paid goes back to the bank account that it came from.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	account := must(e.Accounts.CreateVirtual(ctx, shop, accounts.VirtualParams{Currency: "NGN", Reference: "invoice-7"}))
	must(e.World.Credit(ctx, sandbox.CreditParams{
		AccountNumber: account.Bank.AccountNumber, SessionID: "session-7", Amount: money.NGN(2_500_00),
		Sender: bank.Party{BankCode: "058", AccountNumber: "0123456780", AccountName: "Bola Ade"},
	}))
	must(e.Advance(ctx, time.Minute))

	paid := statement.Ref{Reference: "session-7"}
	refund := must(e.Refunds.Create(ctx, shop, refunds.Params{
		Transaction: paid, Amount: money.NGN(1_000_00), Reference: "refund-7", Reason: "One item was sold out", Mode: refunds.AutoSender,
	}))
	fmt.Println(refund.Status, "to", refund.To.AccountName)

	must(e.Advance(ctx, refunds.DefaultDelay))
	must(e.Drain(ctx))
	refund = must(e.Refunds.Get(ctx, shop, refunds.Ref{Reference: "refund-7"}))
	line := must(e.Statement.Get(ctx, shop, paid))
	fmt.Println(refund.Status, line.RefundStatus(), line.Refundable())
	// Output:
	// pending to Bola Ade
	// successful partially_refunded 1500 NGN
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
