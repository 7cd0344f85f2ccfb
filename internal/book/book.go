// Package book books naira that goes to accounts of others: what payouts, fiat transfers and offramps
// do alike in the ledger and in the statement.
//
// [Payment] is one such payment. [Payment.Cost] is what is set aside for it, [Payment.Posting]
// takes it when the bank has paid, and [Payment.ReturnIn] gives the amount back when the money
// came back. [Known] looks up the holder of an account before it is paid. [Compare] holds rows
// against what is set aside for them.
package book

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
	Ledger() ledger.Store
}

// Payment is naira from a business to an account of another.
type Payment struct {
	// Kind names what pays, as in "payout": in the books, and as the channel of the statement.
	Kind string
	// ID is that of its record.
	ID     string
	Scope  ferry.Scope
	Amount money.Amount
	// Fees are paid on top of the amount.
	Fees fees.Fees
	To   bank.Party
	// Through is the account of the engine by which the amount leaves. Default: ledger.Bank.
	Through ledger.System
}

// Cost is the amount and the fees.
func (p Payment) Cost() (money.Amount, error) {
	fee, err := p.Fees.Total()
	if err != nil {
		return money.Amount{}, err
	}
	return p.Amount.Add(fee)
}

// account is that of the naira of the business, which pays.
func (p Payment) account() ledger.AccountID { return ledger.BusinessAccount(p.Scope, money.AssetNGN) }

// PostingID names the posting of a payment that the bank has made.
func (p Payment) PostingID() ledger.PostingID { return ledger.PostingID(p.Kind + ":" + p.ID) }

// Posting is that of a payment that was made: the amount leaves through the bank, or the biller, and
// the fees go to those who take them.
func (p Payment) Posting(tx ferry.Unit) (ledger.Posting, error) {
	cost, err := p.Cost()
	return ledger.Posting{
		ID: p.PostingID(), Env: p.Scope.Env, Kind: p.Kind, Ref: p.ID, At: tx.Now(),
		Legs: ledger.Nonzero(
			ledger.Leg{Account: p.account(), Amount: cost.Neg()},
			ledger.Leg{Account: ledger.SystemAccount(p.Scope.Env, cmp.Or(p.Through, ledger.Bank), money.AssetNGN), Amount: p.Amount},
			ledger.Leg{Account: ledger.SystemAccount(p.Scope.Env, ledger.PlatformFees, money.AssetNGN), Amount: p.Fees.Platform},
			ledger.Leg{Account: ledger.SystemAccount(p.Scope.Env, ledger.ProcessingFees, money.AssetNGN), Amount: p.Fees.Processing},
		),
	}, err
}

// StateIn writes the line of a payment that the bank has made into the statement.
func (p Payment) StateIn(ctx context.Context, tx Tx) (err error) {
	line := statement.Outgoing(tx, p.Scope, p.Kind, p.ID, p.Amount)
	if line.Fee, err = p.Fees.Total(); err != nil {
		return err
	}
	return statement.Kind.Insert(ctx, tx, line)
}

// ReturnIn books a payment that had been made and came back: the amount, without the fees.
func (p Payment) ReturnIn(ctx context.Context, tx Tx) error {
	env := p.Scope.Env
	if err := ledger.Post(ctx, tx.Ledger(), ledger.Move(
		ledger.PostingID(p.Kind+"-returned:"+p.ID), env, p.Kind+"_returned", p.ID,
		ledger.SystemAccount(env, ledger.Bank, money.AssetNGN), p.account(), p.Amount, tx.Now(),
	)); err != nil {
		return err
	}
	return statement.Kind.Insert(ctx, tx, statement.Incoming(tx, p.Scope, p.Kind, "returned:"+p.ID, p.Amount, statement.Sender{
		BankCode: p.To.BankCode, AccountNumber: p.To.AccountNumber, AccountName: p.To.AccountName,
	}))
}

// Reason is why a payment failed, in the bank's words if it has any.
func Reason(o bank.Outcome) string {
	if o.Reason == "" {
		return "The bank does not know the payment"
	}
	return o.Reason
}

// Ask is how a bank is asked to make the payment of a row.
type Ask[P any] func(context.Context, bank.Bank, P) (disburse.Reply, error)

// Receiver is what Known reads of a row.
type Receiver struct {
	// Key is by what the bank knows the payment.
	Key string
	To  *bank.Party
	// Asked says that the bank was asked to pay before.
	Asked bool
}

// Known looks up the holder of an account whose name is not known before it is paid. A bank
// that knows no such account has refused, in the words of unknown.
func Known[P any](of func(*P) Receiver, unknown error, pay Ask[P]) Ask[P] {
	return func(ctx context.Context, b bank.Bank, p P) (disburse.Reply, error) {
		r := of(&p)
		if r.To.AccountName != "" || r.Asked {
			return pay(ctx, b, p)
		}
		holder, err := b.Enquire(ctx, r.To.BankCode, r.To.AccountNumber)
		if errors.Is(err, bank.ErrNoHolder) {
			return disburse.Reply{Outcome: bank.Outcome{Key: r.Key, State: bank.StateFailed, Reason: unknown.Error()}}, nil
		}
		r.To.AccountName = holder.AccountName // empty when the bank does not say: it may pay all the same
		reply, err := pay(ctx, b, p)
		if reply.To.AccountName == "" {
			reply.To.AccountName = holder.AccountName
		}
		return reply, err
	}
}
