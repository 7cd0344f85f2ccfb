package storetest

import (
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts/transfers"
	provider "github.com/ferrypay/ferry/provider/bank"
)

var _ = caseOf(kindCase[transfers.ID, transfers.Transfer]{
	kind: transfers.Kind,
	row: func(scope ferry.Scope, n int) transfers.Transfer {
		return transfers.Transfer{
			ID: transfers.ID(idOf(transfers.Prefix, n)), Scope: scope, Reference: fmt.Sprintf("rent-%d", n), Status: transfers.Processing, Stage: outflow.PendingApproval,
			Amount: money.NGN(100_00), Fees: fees.Fees{Platform: money.NGN(2), Processing: money.NGN(3)},
			Channel: transfers.FromAccount, Source: "bank_1", SourceNumber: "9990000001",
			To:        provider.Party{BankCode: "058", AccountNumber: "0123456789", AccountName: "Ada Obi"},
			Narration: "Rent", BalanceBefore: money.NGN(500_00), BalanceAfter: money.NGN(399_95), SessionID: "session-1", Failure: "why",
			Progress: disburse.Progress{Answer: disburse.InProgress, Attempts: 2, UpdatedAt: after(n + 4), Submissions: 1},
			PaidAt:   after(n + 1), ReturnedAt: after(n + 2), CreatedAt: after(n),
		}
	},
	change: func(t *transfers.Transfer) {
		t.Stage = outflow.Free
		t.Status, t.To.AccountName, t.SessionID, t.Failure, t.Progress = transfers.Failed, "Bola", "session-2", "", disburse.Progress{Answer: disburse.Declined}
	},
	vary: func(t *transfers.Transfer, n int) {
		if n%2 == 0 {
			t.Status = transfers.Pending
		}
	},
})
