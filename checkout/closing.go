package checkout

import (
	"context"

	"github.com/ferrypay/ferry/wallets"
)

// ClosingIn refuses to close a wallet into which a pending session may still be paid:
// what comes to a closed wallet can never be sent. Errors: ErrOffered.
func ClosingIn(ctx context.Context, tx Tx, w wallets.Wallet) error {
	for s, err := range SessionKind.Newest(ctx, tx, w.Scope, Filter{Status: Pending}.Query()) {
		if err == nil && s.holder() == w.Scope && s.Instruction != "" {
			err = offersNone(ctx, tx, s, w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// offersNone returns ErrOffered when a session has offered an address of a wallet.
func offersNone(ctx context.Context, tx Tx, s Session, w wallets.Wallet) error {
	for i, err := range InstructionKind.Walk(ctx, tx, ofSession(s.ID)) {
		if err != nil {
			return err
		}
		a, err := wallets.AddressKind.Get(ctx, tx, w.Scope, i.Address)
		if err == nil && a.Wallet == w.ID {
			err = ErrOffered
		}
		if err != nil {
			return err
		}
	}
	return nil
}
