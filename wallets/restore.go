package wallets

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
)

// Lost is an address of the engine that its store does not have, because the store was restored
// from an older backup, and its key.
type Lost struct {
	ID     AddressID
	Wallet ID
	Seed   chain.Seed
}

// RestoreAddress gives a wallet a lost address back, active and under its former id, and reports
// whether the store lacked it. Label and metadata are gone. Its history on the chain is read from
// the beginning: deposits are credited, and what left it is found as a payment that the store does
// not know. A wallet that is not active gets it, too.
//
// Only an address that the engine made may come back in this way: what others sent from a key of
// theirs would stop all outflows of the environment. Errors: ErrUnknownWallet, ErrUnavailable,
// chain.ErrNoSeed, and seal.ErrTampered when the store has that id or that address in another row.
func (s *Service) RestoreAddress(ctx context.Context, scope ferry.Scope, lost Lost) (restored bool, err error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (bool, error) {
		if lost.Seed.Address() == "" {
			return false, chain.ErrNoSeed
		}
		known, err := lost.knownIn(ctx, tx, scope)
		if err != nil || known {
			return false, err
		}
		return true, s.restoreAddressIn(ctx, tx, scope, lost)
	})
}

// errTaken says that id and address of a lost address are not those of one row.
var errTaken = fmt.Errorf("wallets: the store has the id or the address already, and not together: %w", seal.ErrTampered)

// knownIn reports whether the store has the address.
func (l Lost) knownIn(ctx context.Context, tx Tx, scope ferry.Scope) (bool, error) {
	byID, err := AddressKind.Get(ctx, tx, scope, l.ID)
	if err == nil && byID.Address == l.Seed.Address() {
		return true, nil
	}
	if errors.Is(err, ErrAddressNotFound) {
		_, err = AddressAt(ctx, tx, scope.Env, l.Seed.Address())
	}
	switch {
	case errors.Is(err, ErrAddressNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	return false, fmt.Errorf("%w: %s", errTaken, l.ID)
}

func (s *Service) restoreAddressIn(ctx context.Context, tx Tx, scope ferry.Scope, lost Lost) error {
	if _, err := s.config.Chains.In(scope.Env); err != nil {
		return err
	}
	w, err := WalletKind.Get(ctx, tx, scope, lost.Wallet)
	if errors.Is(err, ErrWalletNotFound) {
		return ErrUnknownWallet
	}
	if err != nil {
		return err
	}
	key := FreshKey{lost.Seed, lost.Seed.Address()}
	a := newAddress(tx, w, key)
	a.ID = lost.ID
	return s.insertAddress(ctx, tx, a, key, time.Time{})
}
