package storetest

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

var _ = caseOf(kindCase[refunds.ID, refunds.Refund]{
	kind: refunds.Kind,
	row: func(scope ferry.Scope, n int) refunds.Refund {
		return refunds.Refund{
			ID: refunds.ID(idOf(refunds.Prefix, n)), Scope: scope, Transaction: collected(scope, 1).ID, TrxID: "order-1", Paid: "pay-1",
			Reference: fmt.Sprintf("refund-%d", n), Status: refunds.Processing, Stage: outflow.PendingApproval, Mode: refunds.AutoSender,
			Amount: money.NGN(100_00), Fees: fees.Fees{Platform: money.NGN(2), Processing: money.NGN(3)}, Reason: "Sold out",
			To: provider.Party{BankCode: "058", AccountNumber: "0123456789", AccountName: "Ada Obi"}, Source: "9990000001",
			ProviderReference: "session-1", ProviderResponse: "done", Note: "called her",
			Progress:    disburse.Progress{Answer: disburse.InProgress, Attempts: 2, UpdatedAt: after(n + 4), Submissions: 1},
			ScheduledAt: after(n), ProcessedAt: after(n + 1), FinalizedAt: after(n + 2), ReturnedAt: after(n + 3), CreatedAt: after(n),
		}
	},
	before: func(ctx context.Context, p store.Ports, row refunds.Refund) error {
		if _, err := statement.Kind.Anyones(ctx, p, statement.Transaction{ID: row.Transaction}); err == nil {
			return nil
		}
		of := collected(row.Scope, 1)
		of.ID = row.Transaction
		return statement.Kind.Insert(ctx, p, of)
	},
	change: func(r *refunds.Refund) {
		r.Stage = outflow.Free
		r.Status, r.ProviderReference, r.ProviderResponse, r.Note, r.Progress = refunds.Failed, "", "no", "", disburse.Progress{Answer: disburse.Declined}
	},
	vary: func(r *refunds.Refund, n int) {
		if n%2 == 0 {
			r.Status = refunds.Pending
		}
	},
})
