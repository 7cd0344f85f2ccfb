package business

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
)

// KeyID names an API key: key_ and 32 hexadecimal digits. It is not the key.
type KeyID string

// KeyPrefix begins the id of an API key.
const KeyPrefix = "key_"

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

// valid reports whether t is one of the types above.
func (t KeyType) valid() bool { return keyPrefixes[t] != "" }

// Key is what the engine keeps of an API key: never a secret key itself, only
// its keyed digest.
type Key struct {
	ID    KeyID
	Scope ferry.Scope
	Type  KeyType
	Label string
	// Line is the first of the keys that replaced each other up to this one; empty for a key
	// that replaced none.
	Line KeyID
	// Scopes are what a secret key may do; none means everything.
	Scopes []KeyScope
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

// First returns the id of the first of the keys that replaced each other up to this one.
func (k Key) First() KeyID { return cmp.Or(k.Line, k.ID) }

// usableAt reports whether the key is accepted at an instant.
func (k Key) usableAt(now time.Time) bool {
	return k.RevokedAt.IsZero() && (k.ValidUntil.IsZero() || now.Before(k.ValidUntil))
}

const (
	// keyBytes is the strength of a key: 256 bits.
	keyBytes = 32
	// sumBytes is the length of the checksum that follows them.
	sumBytes = 4
	lastFour = 4
)

// NewKeyText returns the text of a fresh key: the prefix of its type and
// environment, then random bytes and a checksum over all before it, in base64url,
// as in sk_test_<48 characters>.
func NewKeyText(t KeyType, env ferry.Env, random io.Reader) (string, error) {
	b := make([]byte, keyBytes, keyBytes+sumBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", err
	}
	prefix := keyPrefix(t, env)
	b = binary.BigEndian.AppendUint32(b, checksum(prefix, b))
	return prefix + base64.RawURLEncoding.EncodeToString(b), nil
}

// wellFormed reports whether text can be a key at all. It spares mistyped keys,
// and random guesses, a look-up.
func wellFormed(text string) bool {
	prefix, _, ok := splitKey(text)
	if !ok {
		return false
	}
	body := text[len(prefix):]
	b, err := base64.RawURLEncoding.DecodeString(body)
	return err == nil && len(b) == keyBytes+sumBytes && base64.RawURLEncoding.EncodeToString(b) == body &&
		binary.BigEndian.Uint32(b[keyBytes:]) == checksum(prefix, b[:keyBytes])
}

func checksum(prefix string, random []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE([]byte(prefix)), crc32.IEEETable, random)
}

func keyPrefix(t KeyType, env ferry.Env) string {
	return keyPrefixes[t] + "_" + string(env) + "_"
}

// splitKey returns the prefix of a key and the environment that it names.
func splitKey(text string) (prefix string, env ferry.Env, ok bool) {
	for t := range keyPrefixes {
		for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
			if prefix := keyPrefix(t, env); strings.HasPrefix(text, prefix) {
				return prefix, env, true
			}
		}
	}
	return "", "", false
}
