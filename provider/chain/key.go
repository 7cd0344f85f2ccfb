package chain

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"filippo.io/edwards25519"
	"github.com/gagliardetto/solana-go/base58"
)

// Address is a public key on the chain, in base58: 32 to 44 characters, case
// sensitive.
type Address string

// ErrInvalidAddress refuses a text that is no public key in base58.
var ErrInvalidAddress = errors.New("chain: not an address")

// ParseAddress checks that text is 32 bytes in base58.
func ParseAddress(text string) (Address, error) {
	if b, err := base58.Decode(text); err != nil || len(b) != ed25519.PublicKeySize {
		return "", ErrInvalidAddress
	}
	return Address(text), nil
}

// OnCurve reports whether somebody can hold the key of the address.
func (a Address) OnCurve() bool {
	b, err := base58.Decode(string(a))
	if err != nil {
		return false
	}
	_, err = new(edwards25519.Point).SetBytes(b)
	return err == nil
}

// Seed is the secret of one managed address. No formatter prints it.
type Seed struct{ bytes [ed25519.SeedSize]byte }

// NewSeed reads a fresh seed from random.
func NewSeed(random io.Reader) (Seed, error) {
	var s Seed
	_, err := io.ReadFull(random, s.bytes[:])
	return s, err
}

// OpenSeed restores the seed that Seal gave away.
func OpenSeed(plain []byte) (Seed, error) {
	if len(plain) != ed25519.SeedSize {
		return Seed{}, fmt.Errorf("chain: seed of %d bytes", len(plain))
	}
	return Seed{[ed25519.SeedSize]byte(plain)}, nil
}

// Seal passes the seed to a function that encrypts it. It is the only way out.
func (s Seed) Seal(with func(plain []byte) ([]byte, error)) ([]byte, error) {
	return with(s.bytes[:])
}

// Address is the public key that belongs to the seed.
func (s Seed) Address() Address {
	key := ed25519.NewKeyFromSeed(s.bytes[:])
	return Address(base58.Encode(key.Public().(ed25519.PublicKey)))
}

const redacted = "[redacted]"

// String hides the seed.
func (Seed) String() string { return redacted }

// GoString hides the seed from %#v.
func (Seed) GoString() string { return redacted }

// MarshalJSON hides the seed from encoders.
func (Seed) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// LogValue hides the seed from structured logs.
func (Seed) LogValue() slog.Value { return slog.StringValue(redacted) }

// Keyring signs for the sources of one transfer. Only adapters of Chain call
// Sign, on a message they built themselves from a Transfer.
type Keyring struct{ seeds map[Address]Seed }

// NewKeyring returns a keyring of the given seeds.
func NewKeyring(seeds ...Seed) Keyring {
	ring := Keyring{make(map[Address]Seed, len(seeds))}
	for _, s := range seeds {
		ring.seeds[s.Address()] = s
	}
	return ring
}

// String hides the keys.
func (Keyring) String() string { return redacted }

// GoString hides the keys from %#v.
func (Keyring) GoString() string { return redacted }

// LogValue hides the keys from structured logs.
func (Keyring) LogValue() slog.Value { return slog.StringValue(redacted) }

// Sign signs a message for one address, or fails when its key is not here.
func (k Keyring) Sign(address Address, message []byte) ([]byte, error) {
	seed, ok := k.seeds[address]
	if !ok {
		return nil, fmt.Errorf("chain: no key for %s", address)
	}
	return ed25519.Sign(ed25519.NewKeyFromSeed(seed.bytes[:]), message), nil
}
