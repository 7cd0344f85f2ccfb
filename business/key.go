package business

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
)

// KeyID names an API key: key_ and 32 hexadecimal digits. It is not the key.
type KeyID string

// KeyType says what a key may be used for.
type KeyType string

const (
	// SecretKey is for server-to-server calls.
	SecretKey KeyType = "secret"
	// PublicKey is for checkout creation.
	PublicKey KeyType = "public"
	// WidgetKey is for the ramp widget.
	WidgetKey KeyType = "widget"
)

var keyPrefixes = map[KeyType]string{SecretKey: "sk", PublicKey: "pk", WidgetKey: "rwpk"}

// Valid reports whether t is one of the types above.
func (t KeyType) Valid() bool { return keyPrefixes[t] != "" }

// Key is what the engine keeps of an API key: never the key itself, only its
// keyed digest.
type Key struct {
	ID    KeyID
	Scope ferry.Scope
	Type  KeyType
	Label string
	// Digest is the HMAC-SHA-256 of the key under the pepper, in hexadecimal.
	Digest string
	// Text is the key itself when it is no secret: public and widget keys.
	Text string
	// Prefix and LastFour are the parts of the key that lists show.
	Prefix   string
	LastFour string
	// ValidUntil ends a rotated key, RevokedAt ended a revoked one; zero for none.
	ValidUntil time.Time
	RevokedAt  time.Time
	CreatedAt  time.Time
	Version    int64
}

// UsableAt reports whether the key is accepted at an instant.
func (k Key) UsableAt(now time.Time) bool {
	return k.RevokedAt.IsZero() && (k.ValidUntil.IsZero() || now.Before(k.ValidUntil))
}

// Pepper is the key of key digests. It is kept outside the store, so that a
// stolen store yields no key.
type Pepper []byte

// String hides the pepper from logs.
func (Pepper) String() string { return "[redacted]" }

// GoString hides the pepper from %#v.
func (Pepper) GoString() string { return "[redacted]" }

// Digest returns the digest under which a key is stored.
func (p Pepper) Digest(secret string) string {
	mac := hmac.New(sha256.New, p)
	mac.Write([]byte(secret))
	return hex.EncodeToString(mac.Sum(nil))
}

// keyBytes is the strength of a key: 256 bits.
const keyBytes = 32

// newSecret returns a fresh key of the type and environment, as in
// sk_test_<43 characters>.
func newSecret(t KeyType, env ferry.Env, random io.Reader) (string, error) {
	b := make([]byte, keyBytes)
	if random == nil {
		random = rand.Reader
	}
	if _, err := io.ReadFull(random, b); err != nil {
		return "", err
	}
	return keyPrefix(t, env) + base64.RawURLEncoding.EncodeToString(b), nil
}

func keyPrefix(t KeyType, env ferry.Env) string {
	return keyPrefixes[t] + "_" + string(env) + "_"
}

// EnvOf returns the environment that a key's prefix names.
func EnvOf(secret string) (ferry.Env, bool) {
	for t := range keyPrefixes {
		for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
			if strings.HasPrefix(secret, keyPrefix(t, env)) {
				return env, true
			}
		}
	}
	return "", false
}

var (
	// ErrKeyNotFound says that the scope has no such key.
	ErrKeyNotFound = ferry.NewError(ferry.NotFound, "key_not_found", "API key not found")
	// ErrLastKey refuses to revoke the last usable secret key.
	ErrLastKey = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The last secret key cannot be revoked; create another one first")
	// ErrUnauthorized is the one answer to every bad credential.
	ErrUnauthorized = ferry.NewError(ferry.Unauthenticated, "unauthorized", "Unauthorized")
)
