// Package funding takes in the naira that businesses bring themselves: credits
// to their own source accounts, as the bank reports them.
//
//	bank credit ──owner known──> credited to the business's NGN balance
//	            └─owner unknown─> held in suspense
package funding

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Funding() Store
	Ledger() ledger.Store
}

// Account says whose a bank account is.
type Account struct {
	Env    ferry.Env
	Number string
	Scope  ferry.Scope
}

// Store keeps accounts and the place reached in each bank's feed within a unit
// of work.
type Store interface {
	// InsertAccount adds an account; ErrAccountTaken when the number of that
	// environment is known.
	InsertAccount(context.Context, Account) error
	// AccountByNumber returns whose an account is, or ErrAccountUnknown.
	AccountByNumber(ctx context.Context, env ferry.Env, number string) (Account, error)
	// FeedCursor returns the place reached in an environment's feed; empty at first.
	FeedCursor(context.Context, ferry.Env) (bank.Cursor, error)
	// PutFeedCursor saves the place reached.
	PutFeedCursor(context.Context, ferry.Env, bank.Cursor) error
}

var (
	// ErrAccountTaken refuses to register an account number twice.
	ErrAccountTaken = errors.New("funding: account number taken")
	// ErrAccountUnknown says that an account number is nobody's.
	ErrAccountUnknown = errors.New("funding: unknown account number")
)

// Register makes a bank account the source account of a business, and opens the
// business's NGN balance.
func Register(ctx context.Context, tx Tx, scope ferry.Scope, number string) error {
	if err := tx.Funding().InsertAccount(ctx, Account{Env: scope.Env, Number: number, Scope: scope}); err != nil {
		return err
	}
	balance := ledger.BusinessAccount(scope, money.AssetNGN)
	_, err := tx.Ledger().Account(ctx, balance)
	if errors.Is(err, ledger.ErrAccountNotFound) {
		return tx.Ledger().OpenAccount(ctx, ledger.Account{ID: balance, Scope: scope, Asset: money.AssetNGN})
	}
	return err // nil when the business has another source account
}

// creditKind is the kind of the postings of credits; their Ref is the session.
const creditKind = "bank_credit"

// Credit books one bank credit. The same session id again changes nothing.
func Credit(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) error {
	to := ledger.SystemAccount(env, ledger.Suspense, money.AssetNGN)
	account, err := tx.Funding().AccountByNumber(ctx, env, c.AccountNumber)
	switch {
	case err == nil:
		to = ledger.BusinessAccount(account.Scope, money.AssetNGN)
	case !errors.Is(err, ErrAccountUnknown):
		return err
	}
	return ledger.Post(ctx, tx.Ledger(), ledger.Move(
		PostingID(env, c.SessionID), env, creditKind, c.SessionID,
		ledger.SystemAccount(env, ledger.Bank, money.AssetNGN), to, c.Amount, tx.Now(),
	))
}

// PostingID is the id under which a bank session is booked.
func PostingID(env ferry.Env, session string) ledger.PostingID {
	return ledger.PostingID(fmt.Sprintf("bank_credit:%s:%s", env, session))
}
