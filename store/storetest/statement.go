package storetest

import (
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/statement"
)

// collected is the n-th transaction of a scope, with no field empty.
func collected(scope ferry.Scope, n int) statement.Transaction {
	return statement.Transaction{
		ID: statement.ID(idOf("trx_", n)), Scope: scope,
		TrxID: fmt.Sprintf("order-%d", n), Reference: fmt.Sprintf("pay-%d", n),
		Direction: statement.In, Channel: "checkout", Status: statement.Success,
		Amount: money.NGN(100), Fee: money.NGN(1), Order: money.USDC(7), Refunds: statement.Refunds{Open: 2, Done: 3}, Source: "vacc_1",
		Sender:    statement.Sender{BankCode: "058", AccountNumber: "0123456789", AccountName: "Bola", Address: "So1"},
		CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var _ = caseOf(kindCase[statement.ID, statement.Transaction]{
	kind: statement.Kind, row: collected,
	change: func(t *statement.Transaction) {
		t.Status, t.Direction, t.Refunds = statement.Reversed, statement.Out, statement.Refunds{Done: 5}
	},
	vary: func(t *statement.Transaction, n int) {
		if n%2 == 0 {
			t.Source, t.Direction, t.Amount = "", statement.Out, money.USDC(1)
		}
	},
})
