package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// awaited is an operation that waits for an approval, or that one is about.
type awaited struct {
	kind    outflow.Kind
	scope   ferry.Scope
	subject string
}

// auditApprovals compares the pending approvals of an environment with the operations that wait
// for one: each has the other, and each approval has an end (check "approval"). It reads within one
// unit, so that it sees one state.
func auditApprovals(ctx context.Context, tx store.Tx, env ferry.Env) (findings []ledger.Finding, err error) {
	find := func(subject, text string, args ...any) {
		findings = append(findings, ledger.Finding{Check: "approval", Subject: subject, Text: fmt.Sprintf(text, args...)})
	}
	waiting := map[awaited]bool{}
	if err := eachWaiting(ctx, tx, env, func(of awaited) { waiting[of] = true }); err != nil {
		return nil, err
	}
	for a, err := range outflow.ApprovalKind.Walk(ctx, tx, outflow.PendingIn(env)) {
		if err != nil {
			return nil, err
		}
		of := awaited{a.Kind, a.Scope, a.Subject}
		if !waiting[of] {
			find(string(a.ID), "it is pending, and the %s %s does not wait for it", a.Kind, a.Subject)
		}
		if a.ExpiresAt.IsZero() {
			find(string(a.ID), "it is pending, and never expires")
		}
		delete(waiting, of)
	}
	for _, of := range slices.SortedFunc(maps.Keys(waiting), func(a, b awaited) int { return cmp.Compare(a.subject, b.subject) }) {
		find(of.subject, "the %s waits for its approval, and none is pending", of.kind)
	}
	return findings, nil
}

// eachWaiting calls wait for each operation of an environment that waits for its approval.
func eachWaiting(ctx context.Context, tx store.Tx, env ferry.Env, wait func(awaited)) error {
	return errors.Join(
		eachRow(ctx, tx, payouts.Kind, env, func(p payouts.Payout) { wait(awaited{outflow.Payout, p.Scope, string(p.ID)}) }),
		eachRow(ctx, tx, outgoing.TransferKind, env, func(t outgoing.Transfer) { wait(awaited{outflow.Transfer, t.Scope, string(t.ID)}) }),
		eachRow(ctx, tx, transfers.Kind, env, func(t transfers.Transfer) { wait(awaited{outflow.FiatTransfer, t.Scope, string(t.ID)}) }),
		eachRow(ctx, tx, refunds.Kind, env, func(r refunds.Refund) { wait(awaited{outflow.Refund, r.Scope, string(r.ID)}) }),
		eachRow(ctx, tx, bills.Kind, env, func(b bills.Bill) { wait(awaited{outflow.Bill, b.Scope, string(b.ID)}) }),
	)
}

// eachRow calls wait for each row of a kind that waits for its approval.
func eachRow[K ~string, R any](ctx context.Context, tx store.Tx, kind *records.Kind[K, R], env ferry.Env, wait func(R)) error {
	for row, err := range kind.Walk(ctx, tx, outflow.WaitingIn(env)) {
		if err != nil {
			return err
		}
		wait(row)
	}
	return nil
}
