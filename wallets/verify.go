package wallets

import (
	"context"
	"errors"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
)

// VerifyAddress makes sure that an address of the scope, which is to be shown, is the
// public key of its sealed key. The sealed text opens only in its own wallet and with
// its own public key, so rows that were changed or exchanged do not pass. What passed
// once is known for the life of the service. Errors: ErrAddressCompromised.
func (s *Service) VerifyAddress(ctx context.Context, tx Tx, scope ferry.Scope, id AddressID, shown chain.Address) error {
	claim := addressClaim{scope, id, shown}
	if s.verified.has(claim) {
		return nil
	}
	err := s.proveAddress(ctx, tx, claim)
	if err == nil {
		s.verified.add(claim)
		return nil
	}
	if errors.Is(err, ferry.NotFound) || errors.Is(err, seal.ErrTampered) || errors.Is(err, chain.ErrNoSeed) {
		s.config.Logger.ErrorContext(ctx, "an address is not that of its key and was not shown",
			"env", scope.Env, "business", scope.Business, "id", id, "address", shown, "error", err)
		return ErrAddressCompromised
	}
	return err
}

// prefetchKey says that an address will be verified.
func (s *Service) prefetchKey(tx Tx, scope ferry.Scope, id AddressID, shown chain.Address) {
	if !s.verified.has(addressClaim{scope, id, shown}) {
		SealedKeyKind.Prefetch(tx, scope, id)
	}
}

// proveAddress opens the key of an address and compares.
func (s *Service) proveAddress(ctx context.Context, tx Tx, c addressClaim) error {
	k, err := SealedKeyKind.Get(ctx, tx, c.scope, c.id)
	if err != nil {
		return err
	}
	_, err = k.openFor(c.address, s.config.Sealer)
	return err
}

// listed is VerifyAddress for a row of a list, which shows no address in place of one
// that is not that of its key: one row does not hide the others.
func (s *Service) listed(ctx context.Context, tx Tx, scope ferry.Scope, id AddressID, shown chain.Address) (chain.Address, error) {
	err := s.VerifyAddress(ctx, tx, scope, id, shown)
	if errors.Is(err, ErrAddressCompromised) {
		return "", nil
	}
	return shown, err
}

// addressClaim says that an id stands for an address on the chain.
type addressClaim struct {
	scope   ferry.Scope
	id      AddressID
	address chain.Address
}

// maxClaims bounds the memory of claims to some 20 MB.
const maxClaims = 100_000

// claims are what was verified. They are forgotten all at once when they are too many.
type claims struct {
	mu   sync.RWMutex
	seen map[addressClaim]struct{}
}

func (c *claims) has(claim addressClaim) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, found := c.seen[claim]
	return found
}

func (c *claims) add(claim addressClaim) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil || len(c.seen) >= maxClaims {
		c.seen = map[addressClaim]struct{}{}
	}
	c.seen[claim] = struct{}{}
}
