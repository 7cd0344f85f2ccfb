package httpapi

import (
	"bytes"
	"compress/gzip"
	"io"
)

// packedFrom is the length in bytes from which on the body of an answer is stored packed: that of
// a payout of 1,000 items takes a seventh then. A shorter one is stored as it is.
const packedFrom = 16 << 10

// gzipMagic begins what pack has packed. No JSON document begins with it.
const gzipMagic = "\x1f\x8b"

// pack returns the form in which a key keeps the body of its answer.
func pack(body []byte) ([]byte, error) {
	if len(body) < packedFrom {
		return body, nil
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return packed.Bytes(), err
}

// unpack is the opposite of pack.
func unpack(stored []byte) ([]byte, error) {
	if !bytes.HasPrefix(stored, []byte(gzipMagic)) {
		return stored, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(stored))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
