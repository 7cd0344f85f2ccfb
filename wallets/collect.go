package wallets

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
)

// Collection is the wallet in which the deposit addresses of orders stand.
type Collection struct {
	// Scope is whose wallet it is. Without a business it is the platform's: what comes to
	// its addresses has no event.
	Scope ferry.Scope
	// Reference is that of the wallet. One that replaces a closed wallet has a number behind it.
	Reference string
	// Label is that of the wallet when it is made.
	Label string
	// AwaitedUntil is until when somebody waits for USDC at an address that is made.
	AwaitedUntil time.Time
}

// IsOfPlatformIn reports whether an address is that of a wallet of the platform itself, within a
// unit.
func IsOfPlatformIn(ctx context.Context, tx Tx, env ferry.Env, address chain.Address) (bool, error) {
	found, err := AddressAt(ctx, tx, env, address)
	if errors.Is(err, ferry.NotFound) {
		return false, nil
	}
	return err == nil && found.Scope == (ferry.Scope{Env: env}), err
}

// Exchange is the reference of the platform's wallet for USDC that it gives naira for.
const Exchange = "exchange"

// CollectionKeys are the keys of an address to be made, and of a wallet for it.
type CollectionKeys struct{ wallet, address FreshKey }

// NewCollectionKeys draws keys before the unit that makes an address of a collection.
func (s *Service) NewCollectionKeys() (k CollectionKeys, err error) {
	if k.wallet, err = s.NewKey(); err == nil {
		k.address, err = s.NewKey()
	}
	return k, err
}

// MayCollectIn returns ErrWalletNotActive while the wallet of a collection is suspended.
func MayCollectIn(ctx context.Context, tx Tx, c Collection) error {
	w, _, found, err := c.walletIn(ctx, tx)
	if err != nil || !found {
		return err
	}
	return w.CheckActive()
}

// CollectIn makes a deposit address in a collection within a unit, and the wallet for it when it
// is the first. The wallet of p is that of the collection. Errors: those of CreateAddress.
func (s *Service) CollectIn(ctx context.Context, tx Tx, c Collection, p AddressParams, k CollectionKeys) (Address, error) {
	w, reference, found, err := c.walletIn(ctx, tx)
	if err != nil {
		return Address{}, err
	}
	if !found {
		if w, err = s.CreateIn(ctx, tx, c.Scope, CreateParams{Reference: reference, Label: c.Label}, k.wallet); err != nil {
			return Address{}, err
		}
	}
	p.Wallet = WalletRef{ID: string(w.ID)}
	made, err := s.createAddressIn(ctx, tx, c.Scope, p, k.address, c.AwaitedUntil)
	if err != nil || c.Scope.Business != "" {
		return made, err
	}
	return s.quietIn(ctx, tx, c.Scope, made.ID)
}

// PrimaryIn returns the primary address of the wallet of a collection within a unit, and makes
// the wallet when there is none. Errors: those of CreateIn.
func (s *Service) PrimaryIn(ctx context.Context, tx Tx, c Collection, key FreshKey) (Address, error) {
	w, reference, found, err := c.walletIn(ctx, tx)
	if err == nil && !found {
		w, err = s.CreateIn(ctx, tx, c.Scope, CreateParams{Reference: reference, Label: c.Label}, key)
	}
	if err != nil {
		return Address{}, err
	}
	if !found && c.Scope.Business == "" {
		return s.quietIn(ctx, tx, c.Scope, w.Primary)
	}
	return AddressKind.Get(ctx, tx, c.Scope, w.Primary)
}

// quietIn makes an address one whose deposits have no event.
func (s *Service) quietIn(ctx context.Context, tx Tx, scope ferry.Scope, id AddressID) (Address, error) {
	inactive := AddressInactive
	quiet, err := s.UpdateAddressIn(ctx, tx, scope, AddressRef{ID: string(id)}, UpdateAddressParams{Status: &inactive})
	return quiet.Address, err
}

// FindPrimaryIn is PrimaryIn, but ErrWalletNotFound when there is no wallet.
func FindPrimaryIn(ctx context.Context, tx Tx, c Collection) (Address, error) {
	w, _, found, err := c.walletIn(ctx, tx)
	if err != nil {
		return Address{}, err
	}
	if !found {
		return Address{}, ErrWalletNotFound
	}
	return AddressKind.Get(ctx, tx, c.Scope, w.Primary)
}

// walletIn returns the wallet of a collection. found is false when no usable one exists yet;
// reference is then the name under which to create it. A closed wallet is replaced.
func (c Collection) walletIn(ctx context.Context, tx Tx) (w Wallet, reference string, found bool, err error) {
	reference = c.Reference
	for n := 2; ; n++ {
		w, err = ByReference(ctx, tx, c.Scope, reference)
		switch {
		case errors.Is(err, ErrWalletNotFound):
			return w, reference, false, nil
		case err != nil || w.Status != Closed:
			return w, reference, true, err
		}
		reference = fmt.Sprintf("%s-%d", c.Reference, n)
	}
}
