package business

import (
	"context"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
)

// KeyScope is a part of what a secret key may do.
type KeyScope string

const (
	// Read: look at everything, and change nothing.
	Read KeyScope = "read"
	// Collect: make whatever collects money, with customers and addresses.
	Collect KeyScope = "collect"
	// PayOut: send money away, and decide about money that is held.
	PayOut KeyScope = "pay_out"
	// Manage: keys, webhooks, and the settings of business and wallets.
	Manage KeyScope = "manage"
)

// AllKeyScopes returns every scope of a secret key.
func AllKeyScopes() []KeyScope { return []KeyScope{Read, Collect, PayOut, Manage} }

// ErrScope refuses a call that is beyond the scopes of its key. The message names
// the scope.
var ErrScope = ferry.NewError(ferry.Forbidden, "forbidden", "The API key lacks a scope")

// Granted returns the scopes of a key: all, when it was made without naming some,
// and none of a key that is not secret.
func (k Key) Granted() []KeyScope {
	switch {
	case k.Type != SecretKey:
		return nil
	case len(k.Scopes) == 0:
		return AllKeyScopes()
	}
	return slices.Clone(k.Scopes)
}

// Grants returns nil when a secret key has all the given scopes, or ErrScope with
// those that it lacks.
func (k Key) Grants(asked ...KeyScope) error {
	var lacking []string
	granted := k.Granted()
	for _, s := range asked {
		if !slices.Contains(granted, s) {
			lacking = append(lacking, string(s))
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	return ErrScope.Saying("The API key lacks the scope " + strings.Join(lacking, ", "))
}

// mayGive returns ErrScope when k lacks a scope that other has, and ErrKeyEnding when
// k has an end: else it could give a key without one. A nil key is the operator, who
// may give all.
func (k *Key) mayGive(ctx context.Context, tx Tx, other Key) error {
	if k == nil {
		return nil
	}
	known, err := KeyKind.Get(ctx, tx, k.Scope, k.ID) // k may be from memory
	switch {
	case err != nil:
		return err
	case !known.ValidUntil.IsZero():
		return ErrKeyEnding
	}
	return known.Grants(other.Granted()...)
}

// checkScopes notes what is wrong with the scopes that a new key is asked for with.
// None given is all.
func checkScopes(t KeyType, scopes []KeyScope, problems *ferry.Problems) {
	switch {
	case scopes == nil:
		return
	case t != SecretKey:
		problems.Add("scopes", "Only secret keys have scopes")
	case len(scopes) == 0:
		problems.Add("scopes", "Must name at least one scope")
	}
	for i, s := range scopes {
		switch {
		case !slices.Contains(AllKeyScopes(), s):
			problems.Add("scopes", oneOf(AllKeyScopes()))
		case slices.Contains(scopes[:i], s):
			problems.Add("scopes", "Must not name a scope twice")
		}
	}
}
