package checkout

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry/wallets"
)

// shown returns what belongs to a session that is to be shown. An address that is not
// that of its key is left out, and refused when there is no other way to pay. Errors:
// wallets.ErrAddressCompromised.
func (s *Service) shown(ctx context.Context, tx Tx, found Session) (State, error) {
	state, whole, err := s.sound(ctx, tx, found)
	if err == nil && !whole && state.Open && len(state.Available()) == 0 {
		err = wallets.ErrAddressCompromised
	}
	if err != nil {
		return State{}, err
	}
	return state, nil
}

// sound returns what belongs to a session, as far as the environment serves it, and
// whether that is all: an address that is not that of its key is left out, and USDC is
// not offered.
func (s *Service) sound(ctx context.Context, tx Tx, found Session) (state State, whole bool, err error) {
	if state, err = stateOf(ctx, tx, found); err != nil {
		return State{}, false, err
	}
	state = s.served(state)
	err = s.verify(ctx, tx, state)
	if !errors.Is(err, wallets.ErrAddressCompromised) {
		return state, true, err
	}
	state.Current, state.CryptoError = nil, wallets.ErrAddressCompromised.Message
	return state, false, nil
}

// verify checks that the address of the present instruction is that of its key, and that it
// belongs to the session.
func (s *Service) verify(ctx context.Context, tx Tx, state State) error {
	if state.Current == nil {
		return nil
	}
	return s.config.Wallets.VerifyAddress(ctx, tx, state.holder(), state.Current.Address, state.Current.Deposit)
}

// checkInstructions compares the addresses of instructions with custody.
func (a *audit) checkInstructions() error {
	for c, err := range wallets.CustodyKind.Walk(a.ctx, a.tx, wallets.CustodiesIn(a.env)) {
		if err != nil {
			return err
		}
		i, err := InstructionKind.Anyones(a.ctx, a.tx, Instruction{Address: c.ID})
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
