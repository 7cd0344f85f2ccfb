package webhook

import (
	"context"
	"fmt"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
)

// ResealEndpointIn seals the secrets of a scope's endpoint anew within a unit,
// unless they are sealed under the Sealer's present key. Nothing else of the
// endpoint changes. seal.ErrTampered, and the row is left as it is, when one does
// not open. Errors: ErrEndpointNotFound.
func (s *Service) ResealEndpointIn(ctx context.Context, tx Tx, scope ferry.Scope) error {
	e, err := EndpointOf(ctx, tx, scope)
	if err != nil {
		return err
	}
	changed := false
	e.Secrets = slices.Clone(e.Secrets)
	for i, secret := range e.Secrets {
		if seal.Current(s.config.Sealer, secret.Sealed) {
			continue
		}
		owner := secretContext(scope, secret.Number)
		if e.Secrets[i].Sealed, err = seal.Reseal(s.config.Sealer, secret.Sealed, owner, owner); err != nil {
			return fmt.Errorf("webhook: secret %d of %s: %w", secret.Number, scope, err)
		}
		changed = true
	}
	if !changed {
		return nil
	}
	return EndpointKind.Put(ctx, tx, e)
}
