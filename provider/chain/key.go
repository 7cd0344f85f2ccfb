package chain

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"filippo.io/edwards25519"

	"github.com/mr-tron/base58"
)

// Address is a public key on the chain, in base58: 32 to 44 characters, case
// sensitive.
type Address string

// ErrInvalidAddress refuses a text that is no public key in base58.
var ErrInvalidAddress = errors.New("chain: not an address")

// The length of 32 bytes in base58. Decoding takes time with the square of the
// length, so it is checked first.
const minAddress, maxAddress = 32, 44

// ParseAddress checks that text is 32 bytes in base58.
func ParseAddress(text string) (Address, error) {
	if _, err := decodeAddress(text); err != nil {
		return "", err
	}
	return Address(text), nil
}

func decodeAddress(text string) ([]byte, error) {
	if len(text) < minAddress || len(text) > maxAddress {
		return nil, ErrInvalidAddress
	}
	b, err := base58.Decode(text)
	if err != nil || len(b) != ed25519.PublicKeySize {
		return nil, ErrInvalidAddress
	}
	return b, nil
}

// OnCurve reports whether somebody can hold the key of the address.
func (a Address) OnCurve() bool {
	b, err := decodeAddress(string(a))
	if err != nil {
		return false
	}
	_, err = new(edwards25519.Point).SetBytes(b)
	return err == nil
}

// Seed is the secret of one managed address. No formatter prints it: its bytes
// stand behind a function, where not even one that looks into the unexported
// fields of a struct finds them. The zero value is no seed.
type Seed struct {
	reveal func() [ed25519.SeedSize]byte
}

// ErrNoSeed refuses what is no seed.
var ErrNoSeed = errors.New("chain: not a seed")

// NewSeed reads a fresh seed from random.
func NewSeed(random io.Reader) (Seed, error) {
	var secret [ed25519.SeedSize]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return Seed{}, err
	}
	return hide(secret), nil
}

// OpenSeed restores the seed that Seal gave away. Errors: ErrNoSeed.
func OpenSeed(plain []byte) (Seed, error) {
	if len(plain) != ed25519.SeedSize {
		return Seed{}, fmt.Errorf("%w: %d bytes", ErrNoSeed, len(plain))
	}
	return hide([ed25519.SeedSize]byte(plain)), nil
}

func hide(secret [ed25519.SeedSize]byte) Seed {
	return Seed{func() [ed25519.SeedSize]byte { return secret }}
}

// Seal passes the seed to a function that encrypts it, and that keeps nothing of
// it. It is the only way out. Errors: ErrNoSeed, and those of the function.
func (s Seed) Seal(with func(plain []byte) ([]byte, error)) ([]byte, error) {
	if s.reveal == nil {
		return nil, ErrNoSeed
	}
	plain := s.reveal()
	defer clear(plain[:])
	return with(plain[:])
}

// Address is the public key that belongs to the seed; empty when it is none.
func (s Seed) Address() Address {
	if s.reveal == nil {
		return ""
	}
	return Address(base58.Encode(s.key().Public().(ed25519.PublicKey)))
}

// key is the private key of a seed that is one.
func (s Seed) key() ed25519.PrivateKey {
	plain := s.reveal()
	defer clear(plain[:])
	return ed25519.NewKeyFromSeed(plain[:])
}

const redacted = "[redacted]"

// String hides the seed.
func (Seed) String() string { return redacted }

// Format hides the seed from every verb.
func (Seed) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) } //nolint:errcheck // fmt has no use for it

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
		if s.reveal != nil {
			ring.seeds[s.Address()] = s
		}
	}
	return ring
}

// String hides the keys.
func (Keyring) String() string { return redacted }

// Format hides the keys from every verb.
func (Keyring) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) } //nolint:errcheck // fmt has no use for it

// LogValue hides the keys from structured logs.
func (Keyring) LogValue() slog.Value { return slog.StringValue(redacted) }

// Sign signs a message for one address, or fails when its key is not here.
func (k Keyring) Sign(address Address, message []byte) ([]byte, error) {
	seed, ok := k.seeds[address]
	if !ok {
		return nil, fmt.Errorf("chain: no key for %s", address)
	}
	return ed25519.Sign(seed.key(), message), nil
}
