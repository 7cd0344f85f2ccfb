// Package seal is the port behind which secrets and personal data are encrypted
// at rest, with a default that needs nothing but the standard library.
//
// What a program needs:
//
//   - [New]: a [Sealer] with one key of the program, a setting of the engine
//   - [Ephemeral]: one whose key ends with the process, for tests
//   - [ErrTampered]: a sealed text was changed, moved, or sealed under another key
//   - [Rotating]: what a Sealer of your own adds when its keys change; package tinkseal has one
//
// [Context], [Current], [KeyOf] and [Reseal] are for the domains that keep secrets.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/ferrypay/ferry/internal/mac"
)

// Sealer encrypts and authenticates small secrets. It never waits for the
// network, so it may be used inside a unit of work.
type Sealer interface {
	// Seal encrypts plain, bound to its context: the same context must be
	// given to Open. A context names purpose, environment, owner and version.
	Seal(plain []byte, context Context) ([]byte, error)
	// Open decrypts what Seal made, or returns ErrTampered when the text or
	// its context is not the one that was sealed.
	Open(sealed []byte, context Context) ([]byte, error)
	// Digest returns a keyed digest of data for equality look-ups: the same
	// data and purpose give the same digest, which reveals nothing without the
	// key.
	Digest(data []byte, purpose string) []byte
}

// Context is what a sealed text belongs to. A text copied to another row, or to
// the other environment, does not open there.
type Context struct {
	// Purpose is the kind of secret, as in "customer.bvn".
	Purpose string
	// Env is the environment, and Owner the id of the record that holds it.
	Env, Owner string
	// Version counts the secrets of that owner and purpose.
	Version int
}

// Bytes is the context as the associated data of an AEAD. The fields are quoted,
// so that no two contexts have the same bytes.
func (c Context) Bytes() []byte {
	return fmt.Appendf(nil, "%q %q %q %d", c.Purpose, c.Env, c.Owner, c.Version)
}

// ErrTampered refuses a sealed text that is damaged or stands in another place
// than where it was sealed.
var ErrTampered = errors.New("seal: damaged or out of place")

// KeySize is the length of the key of New, in bytes.
const KeySize = 32

// New returns a Sealer of AES-256-GCM and HMAC-SHA-256 under keys derived from
// one key of KeySize bytes.
func New(key []byte) (Sealer, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("seal: key of %d bytes, want %d", len(key), KeySize)
	}
	block, err := aes.NewCipher(derive(key, "seal"))
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &sealer{aead, mac.New(sha256.New, derive(key, "digest"))}, nil
}

// Ephemeral returns a Sealer under a fresh random key that is never stored: for
// engines that live in memory.
func Ephemeral() Sealer {
	key := make([]byte, KeySize)
	if _, err := io.ReadFull(rand.Reader, key); err != nil {
		panic(err) // crypto/rand does not fail
	}
	s, err := New(key)
	if err != nil {
		panic(err) // the key has the right size
	}
	return s
}

// sealer has its keys where no formatter finds them, though it be a field of
// something that is printed.
type sealer struct {
	aead    cipher.AEAD
	digests *mac.Key
}

var _ Sealer = (*sealer)(nil)

// Format hides the keys from every verb.
func (*sealer) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[redacted]") }

func (s *sealer) Seal(plain []byte, context Context) ([]byte, error) {
	return s.aead.Seal(nil, nil, plain, context.Bytes()), nil
}

func (s *sealer) Open(sealed []byte, context Context) ([]byte, error) {
	plain, err := s.aead.Open(nil, nil, sealed, context.Bytes())
	if err != nil {
		return nil, ErrTampered
	}
	return plain, nil
}

func (s *sealer) Digest(data []byte, purpose string) []byte {
	return s.digests.Sum(strconv.AppendQuote(nil, purpose), data) // quoted: where it ends is plain
}

func derive(key []byte, purpose string) []byte {
	return mac.New(sha256.New, key).Sum([]byte(purpose))
}
