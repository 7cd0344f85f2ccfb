package business

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"

	"github.com/ferrypay/ferry/internal/mac"
)

// Pepper is the key of key digests. It is kept outside the store, so that a
// stolen store yields no key.
type Pepper []byte

const redacted = "[redacted]"

// String hides the pepper from logs.
func (Pepper) String() string { return redacted }

// GoString hides the pepper from %#v.
func (Pepper) GoString() string { return redacted }

// MarshalText hides the pepper from JSON.
func (Pepper) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue hides the pepper from slog.
func (Pepper) LogValue() slog.Value { return slog.StringValue(redacted) }

// Digest returns the digest under which a key is stored.
func (p Pepper) Digest(secret string) string { return p.digester()(secret) }

// digester returns a function that does what Digest does, for many secrets. It prepares the
// HMAC key only once.
func (p Pepper) digester() func(secret string) string {
	key := mac.New(sha256.New, p)
	return func(secret string) string { return hex.EncodeToString(key.Sum([]byte(secret))) }
}
