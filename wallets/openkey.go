package wallets

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
)

var (
	errNoKey    = fmt.Errorf("wallets: the address has no key: %w", seal.ErrTampered)
	errNoHolder = fmt.Errorf("wallets: the key has no address: %w", seal.ErrTampered)
)

// OpenKeyIn opens the key of an address within a unit, for a copy of all keys. It first makes
// sure that the key is that of the address: seal.ErrTampered when it does not open, is another
// one, or is not there.
func (s *Service) OpenKeyIn(ctx context.Context, tx Tx, a Address) (chain.Seed, error) {
	k, err := SealedKeyKind.Get(ctx, tx, a.Scope, a.ID)
	if ferry.KindOf(err) == ferry.NotFound {
		return chain.Seed{}, fmt.Errorf("%w: %s", errNoKey, a.ID)
	}
	if err != nil {
		return chain.Seed{}, err
	}
	return k.openFor(a.Address, s.config.Sealer)
}

// CheckHolderIn returns nil when the address of a key is there, and seal.ErrTampered when it is
// not: addresses are never deleted.
func (s *Service) CheckHolderIn(ctx context.Context, tx Tx, k SealedKey) error {
	_, err := AddressKind.Peek(ctx, tx, k.Scope, k.ID)
	if ferry.KindOf(err) == ferry.NotFound {
		return fmt.Errorf("%w: %s", errNoHolder, k.ID)
	}
	return err
}
