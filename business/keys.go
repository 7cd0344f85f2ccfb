package business

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

// maxLabel is the greatest length of a key's label, in code points.
const maxLabel = 100

// CreateKeyParams describe a new key.
type CreateKeyParams struct {
	Type KeyType
	// Label is what people call the key, at most 100 characters, or empty.
	Label string
	// Scopes are what a secret key may do; nil means everything.
	Scopes []KeyScope
	// By is the key that makes this one. It gives only scopes that it has, and must have
	// no end itself. Nil is the operator, who may give all scopes.
	By *Key
}

// CreateKey adds a key to the scope. Errors: ferry.ErrValidation, ErrNotFound,
// ErrScope, ErrKeyEnding.
func (s *Service) CreateKey(ctx context.Context, scope ferry.Scope, p CreateKeyParams) (Minted, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Minted, error) {
		return s.CreateKeyIn(ctx, tx, scope, p)
	})
}

// CreateKeyIn is CreateKey within a unit.
func (s *Service) CreateKeyIn(ctx context.Context, tx Tx, scope ferry.Scope, p CreateKeyParams) (Minted, error) {
	var problems ferry.Problems
	if !p.Type.valid() {
		problems.Add("type", "Must be secret, public or widget")
	}
	label, problem := text.Line(p.Label, 0, maxLabel)
	problems.Note("label", problem)
	checkScopes(p.Type, p.Scopes, &problems)
	if err := problems.Err(); err != nil {
		return Minted{}, err
	}
	if _, err := Of(ctx, tx, scope); err != nil {
		return Minted{}, err
	}
	k := Key{Scope: scope, Type: p.Type, Label: label, Scopes: slices.Clone(p.Scopes)}
	if err := p.By.mayGive(ctx, tx, k); err != nil {
		return Minted{}, err
	}
	return s.mint(ctx, tx, k)
}

// mint makes a key with the scope, type, label and scopes of k, which it replaces if k has an id.
func (s *Service) mint(ctx context.Context, tx Tx, k Key) (Minted, error) {
	secret, err := NewKeyText(k.Type, k.Scope.Env, s.config.Random)
	if err != nil {
		return Minted{}, fmt.Errorf("business: no randomness for a key: %w", err)
	}
	return s.store(ctx, tx, k, secret)
}

// store keeps a key whose text is known.
func (s *Service) store(ctx context.Context, tx Tx, k Key, secret string) (Minted, error) {
	made := Key{
		ID:        KeyID(tx.NewID(KeyPrefix)),
		Scope:     k.Scope,
		Type:      k.Type,
		Label:     k.Label,
		Line:      k.First(),
		Scopes:    k.Scopes,
		Digest:    s.digest(secret),
		Prefix:    keyPrefix(k.Type, k.Scope.Env),
		LastFour:  secret[len(secret)-lastFour:],
		CreatedAt: tx.Now(),
	}
	if k.Type != SecretKey {
		made.Text = secret
	}
	return Minted{made, secret}, KeyKind.Insert(ctx, tx, made)
}

// Keys returns all keys of a scope, newest first, ended ones included.
func (s *Service) Keys(ctx context.Context, scope ferry.Scope) ([]Key, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) ([]Key, error) {
		return keysOf(ctx, tx, scope)
	})
}

// PublicKey returns the newest usable public key of a scope; its Text is the
// key. ErrKeyNotFound says that all are revoked.
func (s *Service) PublicKey(ctx context.Context, scope ferry.Scope) (Key, error) {
	keys, err := s.Keys(ctx, scope)
	if err != nil {
		return Key{}, err
	}
	for _, k := range keys {
		if k.Type == PublicKey && k.usableAt(s.config.Clocks.In(scope.Env).Now()) {
			return k, nil
		}
	}
	return Key{}, ErrKeyNotFound
}

// NewestIn returns for each of some first keys the newest usable one of those that replaced each
// other from it on, within a unit. A key without an id says that all have ended.
func (s *Service) NewestIn(ctx context.Context, tx Tx, scope ferry.Scope, firsts ...KeyID) ([]Key, error) {
	keys, err := keysOf(ctx, tx, scope)
	if err != nil {
		return nil, err
	}
	newest := make([]Key, len(firsts))
	for n, first := range firsts {
		line := slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.First() != first })
		if len(line) == 0 { // a list need not have what this unit made
			made, err := KeyKind.Get(ctx, tx, scope, first)
			if err != nil {
				return nil, err
			}
			line = []Key{made}
		}
		if usable := slices.IndexFunc(line, func(k Key) bool { return k.usableAt(tx.Now()) }); usable >= 0 {
			newest[n] = line[usable]
		}
	}
	return newest, nil
}

// UsableIn reports whether a key of a scope is usable, within a unit.
func UsableIn(ctx context.Context, tx Tx, scope ferry.Scope, id KeyID) (bool, error) {
	k, err := KeyKind.Get(ctx, tx, scope, id)
	if errors.Is(err, ErrKeyNotFound) {
		return false, nil
	}
	return err == nil && k.usableAt(tx.Now()), err
}

// RotateKeyParams say how a key is replaced.
type RotateKeyParams struct {
	ID KeyID
	// Overlap is how long the former key stays valid, 0 to 7 days; nil means
	// DefaultOverlap.
	Overlap *time.Duration
	// By is the key that asks: it replaces no key with more scopes than its own, and
	// has no end itself. Nil is the operator.
	By *Key
}

// Rotated is a new key and the end of the one it replaces.
type Rotated struct {
	Minted
	Previous Key
}

// RotateKey replaces a usable key by a new one of its type, label and scopes. The
// former one stays valid for the overlap, and never longer than an earlier rotation
// left it. Errors: ferry.ErrValidation, ErrKeyNotFound, ErrScope,
// ErrKeyEnding, ErrKeyEnded.
func (s *Service) RotateKey(ctx context.Context, scope ferry.Scope, p RotateKeyParams) (Rotated, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Rotated, error) {
		return s.RotateKeyIn(ctx, tx, scope, p)
	})
}

// RotateKeyIn is RotateKey within a unit.
func (s *Service) RotateKeyIn(ctx context.Context, tx Tx, scope ferry.Scope, p RotateKeyParams) (Rotated, error) {
	overlap, err := p.overlap()
	if err != nil {
		return Rotated{}, err
	}
	former, err := s.lockedKey(ctx, tx, scope, p.ID)
	if err != nil {
		return Rotated{}, err
	}
	if err := p.By.mayGive(ctx, tx, former); err != nil {
		return Rotated{}, err
	}
	if !former.usableAt(tx.Now()) {
		return Rotated{}, ErrKeyEnded
	}
	minted, err := s.mint(ctx, tx, former)
	if err != nil {
		return Rotated{}, err
	}
	if end := tx.Now().Add(overlap); former.ValidUntil.IsZero() || end.Before(former.ValidUntil) {
		former.ValidUntil = end
	}
	return Rotated{minted, former}, s.updateKey(ctx, tx, former)
}

// overlap returns the overlap that a rotation asks for.
func (p RotateKeyParams) overlap() (time.Duration, error) {
	if p.Overlap == nil {
		return DefaultOverlap, nil
	}
	if *p.Overlap < 0 || *p.Overlap > MaxOverlap {
		return 0, ferry.ErrValidation.About("overlap_seconds", fmt.Sprintf("Must be 0 to %d", int(MaxOverlap.Seconds())))
	}
	return *p.Overlap, nil
}

// RevokeKey ends a key at once and returns it; a key that is revoked already is
// returned as it is. Errors: ErrKeyNotFound, and ErrLastKey when no other secret
// key without an end is usable: the rest cannot create one.
func (s *Service) RevokeKey(ctx context.Context, scope ferry.Scope, id KeyID) (Key, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Key, error) {
		return s.RevokeKeyIn(ctx, tx, scope, id)
	})
}

// RevokeKeyIn is RevokeKey within a unit.
func (s *Service) RevokeKeyIn(ctx context.Context, tx Tx, scope ferry.Scope, id KeyID) (Key, error) {
	k, err := s.lockedKey(ctx, tx, scope, id)
	if err != nil || !k.RevokedAt.IsZero() {
		return k, err
	}
	if k.Type == SecretKey && k.usableAt(tx.Now()) {
		if err := anotherSecret(ctx, tx, k); err != nil {
			return Key{}, err
		}
	}
	k.RevokedAt = tx.Now()
	return k, s.updateKey(ctx, tx, k)
}

// anotherSecret returns ErrLastKey unless the scope of k has another usable
// secret key without an end.
func anotherSecret(ctx context.Context, tx Tx, k Key) error {
	keys, err := keysOf(ctx, tx, k.Scope)
	if err != nil {
		return err
	}
	for _, other := range keys {
		if other.ID != k.ID && other.Type == SecretKey && other.ValidUntil.IsZero() && other.usableAt(tx.Now()) {
			return nil
		}
	}
	return ErrLastKey
}

// lockedKey returns a key of the scope for a unit that ends it. It writes the
// business's row, so that of two units that end keys of one business one runs
// again: each alone could leave a last key that the other takes.
func (s *Service) lockedKey(ctx context.Context, tx Tx, scope ferry.Scope, id KeyID) (Key, error) {
	k, err := KeyKind.Get(ctx, tx, scope, id)
	if err != nil {
		return Key{}, err
	}
	b, err := Of(ctx, tx, scope)
	if err != nil {
		return Key{}, err
	}
	return k, Kind.Update(ctx, tx, b)
}

// updateKey writes a key that ends, and lets no look-up answer from memory
// meanwhile.
func (s *Service) updateKey(ctx context.Context, tx Tx, k Key) error {
	s.seen.distrust(k.Digest, s.config.Clocks.Live.Now())
	return KeyKind.Update(ctx, tx, k)
}
