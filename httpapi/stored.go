package httpapi

import (
	"compress/gzip"
	"io"
	"strings"
)

// packedFrom is the length in bytes from which on the body of an answer is stored packed: that of
// a payout of 1,000 items takes a seventh then. A shorter one is stored as it is.
const packedFrom = 16 << 10

// gzipMagic begins what pack has packed. No JSON document begins with it.
const gzipMagic = "\x1f\x8b"

// pack returns the form in which a key keeps the body of its answer.
func pack(body string) (string, error) {
	if len(body) < packedFrom {
		return body, nil
	}
	var packed strings.Builder
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, body); err != nil {
		return "", err
	}
	err := w.Close()
	return packed.String(), err
}

// unpack is the opposite of pack.
func unpack(stored string) (string, error) {
	if !strings.HasPrefix(stored, gzipMagic) {
		return stored, nil
	}
	r, err := gzip.NewReader(strings.NewReader(stored))
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(r)
	return string(body), err
}
