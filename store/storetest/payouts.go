package storetest

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
)

// payout is the n-th payout of a scope, with no field empty.
func payout(scope ferry.Scope, n int) payouts.Payout {
	return payouts.Payout{
		ID: payouts.ID(idOf(payouts.Prefix, n)), Scope: scope, Reference: fmt.Sprintf("salaries-%d", n), Type: payouts.Bulk,
		Source: "9990000001", Narration: "Salary", Status: payouts.Processing, Stage: outflow.PendingApproval,
		Total: money.NGN(500_00), Fee: money.NGN(10), Reserved: money.NGN(100), Slices: 2,
		Counts:    payouts.Counts{Pending: 1, Processing: 2, Successful: 3, Failed: 4, Cancelled: 5},
		CreatedAt: after(n), UpdatedAt: after(n + 1),
	}
}

var _ = caseOf(kindCase[payouts.ID, payouts.Payout]{
	kind: payouts.Kind, row: payout,
	change: func(p *payouts.Payout) {
		p.Stage = outflow.Free
		p.Status, p.Reserved, p.Slices, p.Counts = payouts.Successful, money.NGN(0), 9, payouts.Counts{Successful: 3}
	},
	vary: func(p *payouts.Payout, n int) {
		if n%2 == 0 {
			p.Type, p.Status = payouts.Single, payouts.Pending
		}
	},
})

var _ = caseOf(kindCase[payouts.ItemID, payouts.Item]{
	kind: payouts.ItemKind,
	row: func(scope ferry.Scope, n int) payouts.Item {
		return payouts.Item{
			ID: payouts.ItemID(idOf(payouts.ItemPrefix, n)), Scope: scope, Payout: payout(scope, 1).ID, Number: n + 1, Reference: fmt.Sprintf("ada-%d", n),
			Status: payouts.ItemProcessing, Amount: money.NGN(100_00), Fees: fees.Fees{Platform: money.NGN(2), Processing: money.NGN(3)},
			To:     provider.Party{BankCode: "058", AccountNumber: "0123456789", AccountName: "Ada Obi"},
			Source: "9990000001", Narration: "Salary", SessionID: "session-1", Failure: "why",
			Progress: disburse.Progress{Answer: disburse.InProgress, Attempts: 2, UpdatedAt: after(n + 4), Submissions: 1},
			PaidAt:   after(n + 1), ReturnedAt: after(n + 2), CreatedAt: after(n),
		}
	},
	before: func(ctx context.Context, p store.Ports, row payouts.Item) error {
		if _, err := payouts.Kind.Anyones(ctx, p, payouts.Payout{ID: row.Payout}); err == nil {
			return nil
		}
		of := payout(row.Scope, 1)
		of.ID = row.Payout
		return payouts.Kind.Insert(ctx, p, of)
	},
	change: func(i *payouts.Item) {
		i.Status, i.To.AccountName, i.SessionID, i.Failure, i.Progress = payouts.ItemFailed, "Bola", "session-2", "", disburse.Progress{Answer: disburse.Declined}
	},
	vary: func(i *payouts.Item, n int) {
		if n%2 == 0 {
			i.Status = payouts.ItemPending
		}
	},
})

var _ = caseOf(kindCase[ferry.Env, disburse.Place]{
	kind: disburse.PlaceKind,
	row: func(scope ferry.Scope, n int) disburse.Place {
		return disburse.Place{Env: envOf(scope, n), Cursor: "a"}
	},
	change: func(p *disburse.Place) { p.Cursor = "b" },
})

var _ = caseOf(kindCase[string, disburse.Resolution]{
	kind: disburse.ResolutionKind,
	row: func(scope ferry.Scope, n int) disburse.Resolution {
		return disburse.Resolution{
			ID: idOf(payouts.ItemPrefix, n), Scope: scope, Decision: disburse.WasPaid, SessionID: "session-1", By: "ada", Reason: "The bank called",
			CreatedAt: after(n),
		}
	},
	change: func(*disburse.Resolution) {},
})
