package ferry

import (
	"encoding/hex"
	"io"
	"strings"
	"time"
)

// legacyPrefix begins the legacy form of an identifier: the same digits as the
// current form behind another prefix (docs/api.md, "Identifiers").
const legacyPrefix = "uid_"

const idDigits = 32

// NewID returns prefix followed by the 32 lower-case hexadecimal digits of a
// UUIDv7 made of now and of bytes read from random. Identifiers made later sort
// later, to the millisecond.
func NewID(prefix string, now time.Time, random io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[6:]); err != nil {
		return "", err
	}
	ms := now.UnixMilli()
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return prefix + hex.EncodeToString(b[:]), nil
}

// UID returns the legacy form of id: wal_018f… becomes uid_018f….
func UID(id string) string {
	if i := strings.LastIndexByte(id, '_'); i >= 0 {
		return legacyPrefix + id[i+1:]
	}
	return id
}

// CanonicalID returns text as an identifier with the given prefix, accepting
// the current and the legacy form. It reports false when text is neither.
func CanonicalID(prefix, text string) (string, bool) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		digits, ok = strings.CutPrefix(text, legacyPrefix)
	}
	if !ok || len(digits) != idDigits || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", false
	}
	return prefix + digits, true
}
