package payments

import (
	"context"

	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// returns is how returns go out. A bank that refuses one is asked on until it accepts.
var returns = &disburse.Kind[Tx, ReturnID, Return]{
	Name:     "return",
	Queue:    QueueReturns,
	Rows:     ReturnKind,
	Order:    Return.order,
	Progress: func(r *Return) *disburse.Progress { return &r.Progress },
	Ask: func(ctx context.Context, b bank.Bank, r Return) error {
		return b.Return(ctx, r.key(), r.Session, r.Amount)
	},
	Told: toldReturns,
	Paid: acceptIn,
}

// order is what the bank is to pay for a return.
func (r Return) order() disburse.Order[ReturnID] {
	o := disburse.Order[ReturnID]{ID: r.ID, Scope: r.Scope, Key: r.key(), Party: ofSession(r.Session), Amount: r.Amount}
	if r.State == ReturnAccepted {
		o.State = disburse.Paid
	}
	return o
}

// ofSession names the credit that money belongs to.
func ofSession(session string) string { return "of session " + session }

// toldReturns is the bank's reports of returns.
func toldReturns(ctx context.Context, b bank.Bank, after bank.Cursor, limit int) (all []disburse.Told, err error) {
	page, err := b.Returns(ctx, after, limit)
	for _, r := range page {
		all = append(all, disburse.Told{Key: r.Key, Ref: r.SessionID, Party: ofSession(r.SessionID), Amount: r.Amount, Cursor: r.Cursor})
	}
	return all, err
}

// acceptIn books that the bank sends a return back.
func acceptIn(ctx context.Context, tx Tx, r Return) (Return, error) {
	edge, err := ReturnLifecycle.Next(r.State, ReturnAccept)
	if err != nil {
		return Return{}, err
	}
	r.State = edge.To
	return r, ledger.Post(ctx, tx.Ledger(), ledger.Move(
		ledger.PostingID("return:"+string(r.ID)), r.Scope.Env, "return", string(r.ID),
		ledger.SystemAccount(r.Scope.Env, ledger.Returns, money.AssetNGN),
		ledger.SystemAccount(r.Scope.Env, ledger.Bank, money.AssetNGN), r.Amount, tx.Now(),
	))
}
