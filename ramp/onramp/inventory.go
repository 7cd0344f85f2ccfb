package onramp

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// The USDC of onramps come from the primary address of the platform's wallet for exchanges. The
// operator funds it by a deposit on the chain. The other addresses of that wallet are those of
// offramps, one for each order, and pay no onramp.

// inventory is the wallet that pays in an environment.
func inventory(env ferry.Env) wallets.Collection {
	return wallets.Collection{Scope: ferry.Scope{Env: env}, Reference: wallets.Exchange, Label: "Exchange"}
}

// Inventory is the address from which the USDC of onramps are sent in an environment. The first
// call makes it. Errors: wallets.ErrUnavailable without a chain.
func (s *Service) Inventory(ctx context.Context, env ferry.Env) (chain.Address, error) {
	known, err := ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (wallets.Address, error) {
		return wallets.FindPrimaryIn(ctx, tx, inventory(env))
	})
	if !errors.Is(err, wallets.ErrWalletNotFound) {
		return known.Address, err
	}
	key, err := s.config.Wallets.NewKey()
	if err != nil {
		return "", err
	}
	made, err := ferry.InUnit(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (wallets.Address, error) {
		return s.config.Wallets.PrimaryIn(ctx, tx, inventory(env), key)
	})
	return made.Address, err
}

// defaults is the wallet whose primary address gets the USDC of orders that name no address.
func defaults(scope ferry.Scope) wallets.Collection {
	return wallets.Collection{Scope: scope, Reference: "default", Label: "Default"}
}
