// Package bankfeed reads the credits that the bank reports, books each to its owner, and
// reconciles the bank's list with the books.
//
//	bank credit ──to a source account──> credited to the business's NGN balance
//	            ├─to another owner─────> where that says
//	            └─owner unknown, or ───> held in suspense, until an operator
//	              cannot take it         gives it back
//
// What an operator's program needs, on the service Engine.BankFeed:
//
//   - [Service.Suspense]: the credits that nobody owns, each a [Suspended]; Engine.ReturnSuspended
//     sends one back
//   - [Service.Reconcile]: a [Reconciliation] of the bank's list with the books
//   - [Service.Booked]: whether a credit was booked
//
// The other names are for the engine, the domains that collect naira, and the stores.
package bankfeed

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
	Ledger() ledger.Store
}

// Account says whose a bank account is.
type Account struct {
	Scope   ferry.Scope
	Number  string
	Version int64
}

// Feed is the place reached in the feed of an environment's bank.
type Feed struct {
	Env     ferry.Env
	Cursor  bank.Cursor
	Version int64
}

var (
	// ErrAccountTaken refuses to register an account number twice.
	ErrAccountTaken = errors.New("bankfeed: account number taken")
	// ErrAccountUnknown says that an account number has no owner.
	ErrAccountUnknown = errors.New("bankfeed: unknown account number")
	// ErrNoCredit refuses an invalid credit of a bank: without an id, or without a
	// positive amount.
	ErrNoCredit = errors.New("bankfeed: the bank reported an invalid credit")
	// ErrNoRate says that the rate which a credit needs is not to be had for now.
	ErrNoRate = errors.New("bankfeed: a credit waits for a rate")
	// ErrWaits says that a credit cannot be booked for now, and that more may stand
	// behind it.
	ErrWaits = errors.New("bankfeed: a credit that cannot be booked waits")
)

// Register makes a bank account the source account of a business, and opens the
// business's NGN balance.
func Register(ctx context.Context, tx Tx, scope ferry.Scope, number string) error {
	if err := AccountKind.Insert(ctx, tx, Account{Scope: scope, Number: number}); err != nil {
		return err
	}
	balance := ledger.BusinessAccount(scope, money.AssetNGN)
	return ledger.OpenOnce(ctx, tx.Ledger(), ledger.Account{ID: balance, Scope: scope, Asset: money.AssetNGN})
}

// creditKind is the kind of the postings of credits; their Ref is the session.
const creditKind = "bank_credit"

// Owner takes in credits to accounts of its own, in the unit that books them: it does
// what follows and returns the legs by which the money goes on, which add up to it.
// It reports false for an account that is not its own. The rate is that of Config.Priced.
type Owner[T Tx] func(ctx context.Context, tx T, env ferry.Env, c bank.Credit, rate money.Rate) (legs []ledger.Leg, ours bool, err error)

// Credit books one bank credit: to a source account, to one of the owners at a rate, or
// into suspense. The same session id again is ledger.ErrPosted. Errors: ErrNoCredit.
func Credit(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, rate money.Rate, owners ...Owner[Tx]) error {
	posted, err := ledger.Posted(ctx, tx.Ledger(), PostingID(env, c.SessionID))
	if err != nil || posted {
		return cmp.Or(err, ledger.ErrPosted)
	}
	return creditNew(ctx, tx, env, c, rate, owners)
}

// creditNew is Credit for a session id that is assumed to be new. One that is not is refused
// by its posting, or by another key of what its owner wrote.
func creditNew(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, rate money.Rate, owners []Owner[Tx]) error {
	if err := check(c); err != nil {
		return err
	}
	legs, err := destination(ctx, tx, env, c, rate, owners)
	if err != nil {
		return err
	}
	return post(ctx, tx, env, c, legs...)
}

// check refuses what cannot be booked at all.
func check(c bank.Credit) error {
	if c.SessionID == "" || c.Amount.Asset() != money.AssetNGN || c.Amount.Sign() <= 0 {
		return fmt.Errorf("%w: %s, session %q", ErrNoCredit, c.Amount, c.SessionID)
	}
	return nil
}

// post books a credit to where its legs go.
func post(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, legs ...ledger.Leg) error {
	from := ledger.Leg{Account: ledger.SystemAccount(env, ledger.Bank, money.AssetNGN), Amount: c.Amount.Neg()}
	return ledger.Post(ctx, tx.Ledger(), ledger.Posting{
		ID: PostingID(env, c.SessionID), Env: env, Kind: creditKind, Ref: c.SessionID,
		Legs: append([]ledger.Leg{from}, legs...), At: tx.Now(),
	})
}

// destination is where a credit goes.
func destination(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit, rate money.Rate, owners []Owner[Tx]) ([]ledger.Leg, error) {
	account, err := AccountByNumber(ctx, tx, env, c.AccountNumber)
	if err == nil {
		return []ledger.Leg{{Account: ledger.BusinessAccount(account.Scope, money.AssetNGN), Amount: c.Amount}}, nil
	}
	if !errors.Is(err, ErrAccountUnknown) {
		return nil, err
	}
	for _, owner := range owners {
		if legs, ours, err := owner(ctx, tx, env, c, rate); ours || err != nil {
			return legs, err
		}
	}
	return []ledger.Leg{{Account: suspenseOf(env), Amount: c.Amount}}, nil
}

// PostingID is the id under which a bank session is booked.
func PostingID(env ferry.Env, session string) ledger.PostingID {
	return ledger.PostingID(fmt.Sprintf("bank_credit:%s:%s", env, session))
}
