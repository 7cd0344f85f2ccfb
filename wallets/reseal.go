package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
)

// ResealKeyIn seals the key of an address anew within a unit, unless it is
// sealed under the Sealer's present key. It first makes sure that the key is that
// of the address: seal.ErrTampered, and the row is left as it is, when it does
// not open or is another one. Errors: ErrAddressNotFound.
func (s *Service) ResealKeyIn(ctx context.Context, tx Tx, scope ferry.Scope, id AddressID) error {
	k, err := SealedKeyKind.Get(ctx, tx, scope, id)
	if err != nil || seal.Current(s.config.Sealer, k.Sealed) {
		return err
	}
	a, err := AddressKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if _, err := k.openFor(a.Address, s.config.Sealer); err != nil {
		return err
	}
	former := k.context()
	k.KeyVersion++
	if k.Sealed, err = seal.Reseal(s.config.Sealer, k.Sealed, former, k.context()); err != nil {
		return err
	}
	if _, err := k.Open(s.config.Sealer); err != nil {
		return err
	}
	return SealedKeyKind.Update(ctx, tx, k)
}
