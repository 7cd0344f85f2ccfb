package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
)

// Explain says what a collection account waits for. It finds an account of either kind by its id, by
// its number at the bank, or by its reference. Errors: ErrNotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	a, err := named(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	x := explain.New(a.lifecycle().Name, a.ID, a.Reference, a.Status, tx.Now())
	x.Ended = a.lifecycle().Final(a.Status)
	switch a.Status {
	case Active:
		a.explainOpen(x)
	case Completed:
		x.Say("The account %s got the %s that it asked for, at %s.", a.Bank.AccountNumber, a.Amount, a.LastAt)
	case Expired:
		x.Say("The account %s takes no more money: its time was over at %s.", a.Bank.AccountNumber, a.ExpiresAt)
		x.Say("%s arrived in all.", a.Received)
	case Closed:
		x.Say("You closed the account %s. %s arrived in all.", a.Bank.AccountNumber, a.Received)
	}
	return x, nil
}

// explainOpen adds what has arrived on an account that takes money, and what is missing.
func (a Account) explainOpen(x *explain.Explanation) {
	if a.overdue(x.At) {
		x.Say("The time of the account %s was over at %s.", a.Bank.AccountNumber, a.ExpiresAt)
		x.Await(explain.Bank, "last_look", time.Time{}, "The bank is asked for the last time whether money came before.")
		return
	}
	x.Say("The account %s at %s takes money.", a.Bank.AccountNumber, a.Bank.BankName)
	if a.Count > 0 {
		x.Say("%s arrived, the last at %s.", a.Received, a.LastAt)
	}
	if rest, err := a.Amount.Sub(a.Received); err == nil && rest.Sign() > 0 {
		x.Miss(explain.Payer, "amount", rest, "%s of %s are missing.", rest, a.Amount)
	}
	if !a.ExpiresAt.IsZero() {
		x.Await(explain.Payer, "transfer", a.ExpiresAt, "It can be paid until %s.", a.ExpiresAt)
	} else {
		x.Await(explain.Payer, "transfer", a.ExpiresAt, "Any sum can be paid to it, at any time.")
	}
}

// named finds an account of a scope.
func named(ctx context.Context, tx Tx, scope ferry.Scope, name string) (Account, error) {
	found, err := findAny(ctx, tx, scope, Ref{ID: name})
	if !errors.Is(err, ErrNotFound) {
		return found, err
	}
	found, err = findAny(ctx, tx, scope, Ref{Number: name})
	if err == nil && found.Scope == scope || err != nil && !errors.Is(err, ErrNotFound) {
		return found, err
	}
	return ferry.FirstFound(func(k Kind) (Account, error) {
		return AccountKind.Find(ctx, tx, ByReference, Referred(scope, k, name))
	}, Virtual, Reserved)
}
