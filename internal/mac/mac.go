// Package mac computes keyed digests (HMAC) under keys that stay.
package mac

import (
	"crypto/hmac"
	"hash"
	"sync"
)

// Key is a key of digests, for any number of goroutines. What all digests under it begin
// with is worked out once.
type Key struct{ macs sync.Pool }

// New returns a key for the digests of a hash.
func New(digest func() hash.Hash, key []byte) *Key {
	return &Key{sync.Pool{New: func() any { return hmac.New(digest, key) }}}
}

// Sum returns the digest of the parts, one after the other. Where one ends and the next
// begins does not count.
func (k *Key) Sum(parts ...[]byte) []byte {
	mac := k.macs.Get().(hash.Hash)
	for _, part := range parts {
		mac.Write(part)
	}
	sum := mac.Sum(nil)
	mac.Reset()
	k.macs.Put(mac)
	return sum
}
