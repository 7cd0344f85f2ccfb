package recovery

import (
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/ferrypay/ferry/seal"
)

// The text of a key begins with what it is, because both halves are 32 bytes in base64.
const (
	secretPrefix = "recovery-secret:"
	publicPrefix = "recovery-public:"
)

var (
	// ErrNoKey refuses a text that is no recovery key.
	ErrNoKey = errors.New("recovery: not a recovery key: " + secretPrefix + " and 32 bytes in base64")
	// ErrNoRecipient refuses a text that is no recipient.
	ErrNoRecipient = errors.New("recovery: not a recipient: " + publicPrefix + " and 32 bytes in base64")
)

func kem() hpke.KEM { return hpke.DHKEM(ecdh.X25519()) }

// Recipient is the public half of a recovery key: it encrypts. The zero value is none.
type Recipient struct{ public hpke.PublicKey }

// ParseRecipient reads what String wrote. Errors: ErrNoRecipient.
func ParseRecipient(text string) (Recipient, error) {
	plain, ok := decode(text, publicPrefix)
	if !ok {
		return Recipient{}, ErrNoRecipient
	}
	public, err := kem().NewPublicKey(plain)
	if err != nil {
		return Recipient{}, ErrNoRecipient
	}
	return Recipient{public}, nil
}

// String is the recipient as text; it is no secret.
func (r Recipient) String() string {
	if r.public == nil {
		return ""
	}
	return publicPrefix + base64.StdEncoding.EncodeToString(r.public.Bytes())
}

func (r Recipient) seal(plain []byte, of seal.Context) ([]byte, error) {
	if r.public == nil {
		return nil, ErrNoRecipient
	}
	return hpke.Seal(r.public, hpke.HKDFSHA256(), hpke.AES256GCM(), of.Bytes(), plain)
}

// Key is a recovery key: it decrypts. No formatter prints it. The zero value is none.
type Key struct{ reveal func() hpke.PrivateKey }

// NewKey makes a recovery key.
func NewKey() (Key, error) {
	private, err := kem().GenerateKey()
	if err != nil {
		return Key{}, fmt.Errorf("recovery: no key: %w", err)
	}
	return hide(private), nil
}

// ParseKey reads what Keep wrote. Its error never shows the text. Errors: ErrNoKey.
func ParseKey(text string) (Key, error) {
	plain, ok := decode(text, secretPrefix)
	defer clear(plain)
	if !ok {
		return Key{}, ErrNoKey
	}
	private, err := kem().NewPrivateKey(plain)
	if err != nil {
		return Key{}, ErrNoKey
	}
	return hide(private), nil
}

// Keep passes the key as a line of text to a function that stores it, and that keeps nothing of
// it. Errors: ErrNoKey, and those of the function.
func (k Key) Keep(with func(text []byte) error) error {
	if k.reveal == nil {
		return ErrNoKey
	}
	plain, err := k.reveal().Bytes()
	if err != nil {
		return err
	}
	defer clear(plain)
	text := base64.StdEncoding.AppendEncode([]byte(secretPrefix), plain)
	text = append(text, '\n')
	defer clear(text)
	return with(text)
}

// Recipient is the public half of the key.
func (k Key) Recipient() Recipient {
	if k.reveal == nil {
		return Recipient{}
	}
	return Recipient{k.reveal().PublicKey()}
}

func (k Key) open(sealed []byte, of seal.Context) ([]byte, error) {
	if k.reveal == nil {
		return nil, ErrNoKey
	}
	return hpke.Open(k.reveal(), hpke.HKDFSHA256(), hpke.AES256GCM(), of.Bytes(), sealed)
}

func hide(private hpke.PrivateKey) Key { return Key{func() hpke.PrivateKey { return private }} }

// decode returns the bytes behind a prefix.
func decode(text, prefix string) ([]byte, bool) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(text), prefix)
	plain, err := base64.StdEncoding.DecodeString(encoded)
	return plain, ok && err == nil
}

const redacted = "[redacted]"

// String hides the key.
func (Key) String() string { return redacted }

// Format hides the key from every verb.
func (Key) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) } //nolint:errcheck // fmt has no use for it

// MarshalJSON hides the key from encoders.
func (Key) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// LogValue hides the key from structured logs.
func (Key) LogValue() slog.Value { return slog.StringValue(redacted) }
