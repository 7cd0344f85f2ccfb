package customers

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/seal"
)

// ResealIn seals the numbers of a customer anew within a unit, unless they are
// sealed under the Sealer's present key. Nothing else of the customer changes.
// seal.ErrTampered, and the row is left as it is, when one does not open.
// Errors: ErrNotFound.
func (s *Service) ResealIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) error {
	c, err := CustomerKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	bvn, err := s.reseal(&c.BVN, customerContext(scope, kyc.BVN, id))
	if err != nil {
		return err
	}
	nin, err := s.reseal(&c.NIN, customerContext(scope, kyc.NIN, id))
	if err != nil || !bvn && !nin {
		return err
	}
	return CustomerKind.Update(ctx, tx, c)
}

// ResealIdentityIn is ResealIn for the number of an identity. Errors:
// ErrIdentityNotFound.
func (s *Service) ResealIdentityIn(ctx context.Context, tx Tx, scope ferry.Scope, id IdentityID) error {
	i, err := IdentityKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if changed, err := s.reseal(&i.Number, identityContext(scope, id)); err != nil || !changed {
		return err
	}
	return IdentityKind.Update(ctx, tx, i)
}

// reseal seals a number anew, and reports whether that was necessary.
func (s *Service) reseal(n *SealedNumber, owner seal.Context) (changed bool, err error) {
	if n.IsZero() || seal.Current(s.config.Sealer, n.Sealed) {
		return false, nil
	}
	if n.Sealed, err = seal.Reseal(s.config.Sealer, n.Sealed, owner, owner); err != nil {
		return false, fmt.Errorf("%s of %s: %w", owner.Purpose, owner.Owner, err)
	}
	return true, nil
}
