package checkout

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

// shown returns what belongs to a session that is to be shown.
func (s *Service) shown(ctx context.Context, tx Tx, found Session) (State, error) {
	state, err := stateOf(ctx, tx, found)
	if err == nil {
		err = s.verify(ctx, tx, state)
	}
	if err != nil {
		return State{}, err
	}
	return state, nil
}

// verify makes sure that the address of the present instruction is that of its key, and
// that it belongs to whom the session says.
func (s *Service) verify(ctx context.Context, tx Tx, state State) error {
	if state.Current == nil {
		return nil
	}
	return s.config.Wallets.VerifyAddress(ctx, tx, state.holder(), state.Current.Address, state.Current.Deposit)
}

// checkInstructions compares what instructions tell payers with custody.
func (a *audit) checkInstructions() error {
	all := ferry.WalkKeys(func(after wallets.AddressID, limit int) ([]wallets.Custody, error) {
		return a.tx.Wallets().Custodies(a.ctx, a.env, after, limit)
	}, func(c wallets.Custody) wallets.AddressID { return c.ID })
	for c, err := range all {
		if err != nil {
			return err
		}
		i, err := a.tx.Checkout().Instruction(a.ctx, c.ID)
		if errors.Is(err, ErrInstructionNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if i.Deposit != c.Address || i.Holder != c.Scope.Business {
			a.find("deposit_address", string(c.ID), "custody says %s of %q, the instruction %s of %q", c.Address, c.Scope.Business, i.Deposit, i.Holder)
		}
	}
	return nil
}
