package wallets

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
)

// FreshKey is the secret of an address to be. It is drawn outside of the unit
// that makes the address, and no formatter prints it.
type FreshKey struct {
	seed    chain.Seed
	address chain.Address
}

// NewKey draws a key from the configured source of randomness.
func (s *Service) NewKey() (FreshKey, error) {
	seed, err := chain.NewSeed(s.config.Random)
	if err != nil {
		return FreshKey{}, fmt.Errorf("wallets: no randomness for a key: %w", err)
	}
	return FreshKey{seed, seed.Address()}, nil
}

const redacted = "[redacted]"

// String hides the key.
func (FreshKey) String() string { return redacted }

// GoString hides the key from %#v.
func (FreshKey) GoString() string { return redacted }

// MarshalText hides the key from encoders.
func (FreshKey) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue hides the key from structured logs.
func (FreshKey) LogValue() slog.Value { return slog.StringValue(redacted) }

// SealedKey is the secret of an address as it is stored.
type SealedKey struct {
	ID        AddressID
	Scope     ferry.Scope
	Wallet    ID
	PublicKey chain.Address
	// KeyVersion counts the sealings of the key and is part of what the sealed
	// text is bound to.
	KeyVersion int
	Sealed     []byte
	CreatedAt  time.Time
	Version    int64
}

// context binds the sealed text to environment, wallet, public key and version.
func (k SealedKey) context() seal.Context {
	return seal.Context{
		Purpose: "wallets.seed",
		Env:     string(k.Scope.Env),
		Owner:   string(k.Wallet) + "/" + string(k.PublicKey),
		Version: k.KeyVersion,
	}
}

// sealKey seals a fresh key for an address.
func (s *Service) sealKey(key FreshKey, a Address) (SealedKey, error) {
	k := SealedKey{
		ID: a.ID, Scope: a.Scope, Wallet: a.Wallet, PublicKey: a.Address,
		KeyVersion: 1, CreatedAt: a.CreatedAt,
	}
	var err error
	k.Sealed, err = key.seed.Seal(func(plain []byte) ([]byte, error) {
		return s.config.Sealer.Seal(plain, k.context())
	})
	return k, err
}

// errWrongKey says that a stored key is not that of its address.
var errWrongKey = fmt.Errorf("wallets: the stored key belongs to another address: %w", seal.ErrTampered)

// openFor is Open for an address as another row has it: the key must be that one's.
func (k SealedKey) openFor(address chain.Address, sealer seal.Sealer) (chain.Seed, error) {
	if k.PublicKey != address {
		return chain.Seed{}, fmt.Errorf("%w: %s", errWrongKey, k.ID)
	}
	return k.Open(sealer)
}

// Open opens a stored key and makes sure that it is that of the address.
func (k SealedKey) Open(sealer seal.Sealer) (chain.Seed, error) {
	plain, err := sealer.Open(k.Sealed, k.context())
	if err != nil {
		return chain.Seed{}, fmt.Errorf("wallets: key of %s: %w", k.ID, err)
	}
	seed, err := chain.OpenSeed(plain)
	clear(plain)
	if err != nil {
		return chain.Seed{}, err
	}
	if seed.Address() != k.PublicKey {
		return chain.Seed{}, fmt.Errorf("%w: %s", errWrongKey, k.ID)
	}
	return seed, nil
}
