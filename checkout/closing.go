package checkout

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

// ClosingIn refuses to close a wallet into which a pending session may still be paid:
// what comes to a closed wallet can never be sent. Errors: ErrOffered.
func ClosingIn(ctx context.Context, tx Tx, w wallets.Wallet) error {
	fetch := func(ctx context.Context, page ferry.Page) (ferry.List[Session], error) {
		return SessionKind.Page(ctx, tx, w.Scope, Filter{Status: Pending}.Query(), page)
	}
	for s, err := range ferry.Walk(ctx, fetch, func(s Session) string { return string(s.ID) }) {
		if err == nil && s.holder() == w.Scope {
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
	if s.Instruction == "" {
		return nil
	}
	all, err := instructionsOf(ctx, tx, s.ID)
	if err != nil {
		return err
	}
	for _, i := range all {
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
