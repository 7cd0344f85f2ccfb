package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/ferrypay/ferry"
)

// bearer returns the credential of a request. Only one Authorization header of
// the Bearer scheme carries one.
func bearer(h http.Header) (string, bool) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, credential, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	credential = strings.TrimSpace(credential)
	return credential, credential != "" && !strings.ContainsAny(credential, " \t")
}

// authenticate finds out who calls and whether the credential opens the route.
// Whatever is wrong with a credential, the answer is the same.
func (c *call) authenticate(ctx context.Context) error {
	if c.route.sandbox && !c.api.sandbox() {
		return errNotFound
	}
	secret, ok := bearer(c.http.Header)
	if !ok {
		return c.unauthorized()
	}
	key, err := c.api.engine.Businesses.Authenticate(ctx, secret)
	if errors.Is(err, errUnauthorized) {
		return c.unauthorized()
	}
	c.key, c.scope = key, key.Scope
	return err
}

// authorize decides by the environment and type of the key. It comes after the
// rate limit: a public key is no secret, and those it is refused count.
func (c *call) authorize() error {
	key := c.key
	switch {
	case c.route.sandbox && key.Scope.Env != ferry.Test:
		return errNotFound
	case key.Type != c.route.key, !c.api.engine.Serves(key.Scope.Env):
		return errForbidden
	}
	return nil
}
