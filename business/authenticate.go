package business

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
)

// Authenticate returns the key that a credential is. Whatever is wrong with the
// credential (malformed, unknown, revoked, expired), the error is
// ErrUnauthorized and says no more.
//
// A key that was seen may be answered from memory for 5 seconds, so a key that
// another process revokes or replaces works no longer than that after its end; one
// that this process ends does so at once.
func (s *Service) Authenticate(ctx context.Context, secret string) (Key, error) {
	now := s.config.Clocks.Live.Now()
	digest := s.digest(secret)
	k, known, generation := s.seen.get(digest, now)
	if !known {
		if !s.wellFormed(secret) {
			return Key{}, ErrUnauthorized
		}
		var err error
		if k, err = s.keyByDigest(ctx, digest); err != nil {
			return Key{}, err
		}
		s.seen.put(k, now, generation)
	}
	if !k.usableAt(s.config.Clocks.In(k.Scope.Env).Now()) {
		return Key{}, ErrUnauthorized
	}
	return k, nil
}

// Forget makes every key be looked up anew: the store was emptied.
func (s *Service) Forget() { s.seen.forget() }

// wellFormed reports whether a text can be a key of this service.
func (s *Service) wellFormed(text string) bool {
	return wellFormed(text) || s.config.ChosenKeys && checkChosen(text) == ""
}

func (s *Service) keyByDigest(ctx context.Context, digest string) (Key, error) {
	k, err := ferry.InRead(ctx, s.units.In(ferry.Live), func(ctx context.Context, tx Tx) (Key, error) {
		return KeyKind.Find(ctx, tx, byDigest, Key{Digest: digest})
	})
	if errors.Is(err, ErrKeyNotFound) {
		return Key{}, ErrUnauthorized
	}
	return k, err
}

const (
	// trusted is how long a key that was seen is answered from memory.
	trusted = 5 * time.Second
	// maxSeen bounds the memory; a full one forgets all.
	maxSeen = 4096
)

// keyCache remembers keys by digest. It holds no key's text but public ones.
type keyCache struct {
	mu   sync.RWMutex
	keys map[string]seenKey
	// generation counts how often all was forgotten: what was looked up before
	// is not remembered after.
	generation uint64
}

// seenKey is what is remembered of a key: itself, or that it is changing and
// must be looked up.
type seenKey struct {
	key      Key
	changing bool
	until    time.Time
}

func newKeyCache() *keyCache { return &keyCache{keys: map[string]seenKey{}} }

func (c *keyCache) get(digest string, now time.Time) (key Key, known bool, generation uint64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	seen, known := c.keys[digest]
	return seen.key, known && !seen.changing && now.Before(seen.until), c.generation
}

func (c *keyCache) put(k Key, now time.Time, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if generation != c.generation {
		return
	}
	if seen := c.keys[k.Digest]; seen.changing && now.Before(seen.until) {
		return
	}
	c.remember(k.Digest, seenKey{key: k, until: now.Add(trusted)})
}

// distrust makes a key be looked up for a while. It is called before the unit
// that changes the key commits, and outlasts look-ups that began before that.
func (c *keyCache) distrust(digest string, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remember(digest, seenKey{changing: true, until: now.Add(2 * trusted)})
}

func (c *keyCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.keys)
	c.generation++
}

func (c *keyCache) remember(digest string, seen seenKey) {
	if len(c.keys) >= maxSeen {
		clear(c.keys)
	}
	c.keys[digest] = seen
}
