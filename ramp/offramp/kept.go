package offramp

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Return is where a person has a deposit sent that could not go back to its sender.
type Return struct {
	To chain.Address
	// By is who decided, and Why is the reason: for whoever comes next.
	By, Why string
}

// backTo is where a deposit goes back to.
func (d Deposit) backTo() chain.Address { return cmp.Or(d.To, d.Sender) }

// ErrNotKept refuses to send a deposit back that goes its own way.
var ErrNotKept = ferry.ErrInvalidTransition.Saying("Only a deposit that is kept is sent to another address")

// Kept are the deposits of an environment that could not go back.
func (s *Service) Kept(ctx context.Context, env ferry.Env) ([]Deposit, error) {
	return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (kept []Deposit, err error) {
		for d, err := range DepositKind.Walk(ctx, tx, records.Where(records.Is("env", env))) {
			if err != nil {
				return nil, err
			}
			if d.State == Kept {
				kept = append(kept, d)
			}
		}
		return kept, nil
	})
}

// ReturnKept has a deposit sent to an address that could not go back, less the fee of the network, by
// the decision of a person. What is less than can be sent is kept again, and so is what the address
// cannot receive. The same address again changes nothing. Errors: ferry.ErrValidation,
// ErrDepositNotFound, ErrNotKept, outgoing.ErrInvalidAddress for an address of the platform.
func (s *Service) ReturnKept(ctx context.Context, env ferry.Env, id DepositID, r Return) (Deposit, error) {
	var problems ferry.Problems
	r.By, r.Why = disburse.Decided(r.By, r.Why, &problems)
	if _, err := chain.ParseAddress(string(r.To)); err != nil {
		problems.Add("to", "Must be a Solana address")
	}
	if err := problems.Err(); err != nil {
		return Deposit{}, err
	}
	return ferry.InUnit(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (Deposit, error) { return returnIn(ctx, tx, env, id, r) })
}

func returnIn(ctx context.Context, tx Tx, env ferry.Env, id DepositID, r Return) (Deposit, error) {
	d, err := DepositKind.Anyones(ctx, tx, Deposit{ID: id})
	switch {
	case err != nil:
		return Deposit{}, err
	case d.Scope.Env != env:
		return Deposit{}, ErrDepositNotFound
	case d.State != Kept && d.To == r.To:
		return d, nil
	case d.State != Kept:
		return Deposit{}, ErrNotKept
	}
	switch ours, err := wallets.IsOfPlatformIn(ctx, tx, env, r.To); {
	case err != nil:
		return Deposit{}, err
	case ours:
		return Deposit{}, outgoing.ErrInvalidAddress
	}
	d.Return = r
	if err := d.move(tx, Redirect); err != nil {
		return Deposit{}, err
	}
	if d, err = DepositKind.Save(ctx, tx, d); err != nil {
		return Deposit{}, err
	}
	return d, d.scheduleIn(ctx, tx, tx.Now())
}
