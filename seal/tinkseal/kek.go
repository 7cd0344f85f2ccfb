package tinkseal

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/subtle/random"
)

// KEK encrypts and decrypts keysets, each bound to associated data. FileKEK and
// EnvKEK have the key in memory. A key management service is one too, and then
// its key never leaves it: every tink.AEAD has these methods. They are called
// when a key file is loaded or written, never for a single text.
type KEK interface {
	Encrypt(plaintext, associatedData []byte) ([]byte, error)
	Decrypt(ciphertext, associatedData []byte) ([]byte, error)
}

// kekSize is the length of a KEK in memory, in bytes.
const kekSize = 32

// FileKEK returns the KEK that a file holds as base64 of 32 bytes. Only the
// owner may have access to it (ErrExposed). Errors: ErrMissing, ErrNoKEK.
func FileKEK(path string) (KEK, error) {
	text, _, err := readPrivate(path)
	if err != nil {
		return nil, err
	}
	defer clear(text)
	return parseKEK(text, path)
}

// EnvKEK returns the KEK that an environment variable holds as base64 of 32
// bytes, or ErrNoKEK.
func EnvKEK(name string) (KEK, error) { return parseKEK([]byte(os.Getenv(name)), "$"+name) }

// CreateKEK writes a fresh KEK to a new file of mode 0600, or returns ErrExists.
func CreateKEK(path string) error {
	key := random.GetRandomBytes(kekSize)
	defer clear(key)
	text := append(base64.StdEncoding.AppendEncode(nil, key), '\n')
	defer clear(text)
	return create(path, text)
}

func parseKEK(text []byte, place string) (KEK, error) {
	key, err := base64.StdEncoding.AppendDecode(nil, bytes.TrimSpace(text))
	defer clear(key)
	if err != nil || len(key) != kekSize { // err would show a part of the key
		return nil, fmt.Errorf("%w: %s", ErrNoKEK, place)
	}
	aead, err := subtle.NewXChaCha20Poly1305(key)
	if err != nil {
		return nil, fmt.Errorf("tinkseal: %w", err)
	}
	return memoryKEK{KEK: aead}, nil
}

// memoryKEK is a KEK in memory.
type memoryKEK struct {
	KEK
	hidden
}

// hidden keeps what embeds it from being shown.
type hidden struct{}

const redacted = "[redacted]"

// Format hides the keys from every verb.
func (hidden) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalText hides the keys from encoders.
func (hidden) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue hides the keys from structured logs.
func (hidden) LogValue() slog.Value { return slog.StringValue(redacted) }
