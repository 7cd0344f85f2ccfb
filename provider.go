package ferry

import "errors"

// ErrNoProvider says that an environment has no provider of a kind: each is an optional
// capability (docs/embedding.md, "Live providers"). Waiting does not help, so it has no
// RetryAfter. Every port has an error of its own that says which one: bank.ErrNone and
// its like.
var ErrNoProvider = NewError(Unavailable, "provider_unavailable", "This environment has no such provider")

// NoProvider is ErrNoProvider for one kind of provider.
func NoProvider(kind string) *Error { return ErrNoProvider.Saying("This environment has no " + kind) }

// Provider returns the one of an environment, or none where there is none.
func Provider[P comparable](all map[Env]P, env Env, none error) (P, error) {
	var absent P
	if p := all[env]; p != absent {
		return p, nil
	}
	return absent, none
}

// Lacking returns a copy of e that says what is missing for good: none is the error of
// a port.
func (e *Error) Lacking(none *Error) *Error {
	return e.Saying(none.Message).After(0).Because(none)
}

// UnlessLacking returns err unless it says that there is no provider. What only a
// provider could do then waits, and nobody need be told again and again.
func UnlessLacking(err error) error {
	if errors.Is(err, ErrNoProvider) {
		return nil
	}
	return err
}
