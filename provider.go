package ferry

import "errors"

// ErrNoProvider says that an environment has no provider of a kind: each is an optional
// capability (docs/embedding.md, "Live providers"). Waiting does not help, so it has no
// RetryAfter. Every port has an error of its own that says which one: bank.ErrNone and
// its like.
var ErrNoProvider = NewError(Unavailable, "provider_unavailable", "This environment has no such provider")

// NoProvider is ErrNoProvider for one kind of provider.
func NoProvider(kind string) *Error { return ErrNoProvider.Saying("This environment has no " + kind) }

// Provider returns the provider of an environment, or the error none.
func Provider[P comparable](all map[Env]P, env Env, none error) (P, error) {
	var absent P
	if p := all[env]; p != absent {
		return p, nil
	}
	return absent, none
}

// Lacking returns a copy of e that names the missing provider: none is the error of a
// port, such as bank.ErrNone.
func (e *Error) Lacking(none *Error) *Error {
	return e.Saying(none.Message).After(0).Because(none)
}

// UnlessLacking returns err, and nil when err says that there is no provider. Work that
// needs the provider then waits, without an error in each pass.
func UnlessLacking(err error) error {
	if errors.Is(err, ErrNoProvider) {
		return nil
	}
	return err
}
