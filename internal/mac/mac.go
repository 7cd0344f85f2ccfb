// Package mac computes keyed digests (HMAC) under keys that are used many times.
package mac

import (
	"crypto/hmac"
	"hash"
	"sync"
)

// Key is an HMAC key. It is safe for concurrent use. The part of the computation that depends
// on the key alone is done once for many digests.
type Key struct{ macs sync.Pool }

// New returns a Key for HMACs with a hash function.
func New(digest func() hash.Hash, key []byte) *Key {
	return &Key{sync.Pool{New: func() any { return hmac.New(digest, key) }}}
}

// Sum returns the digest of the parts, joined without a separator: the parts "ab" and "c" have
// the digest of "a" and "bc".
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
