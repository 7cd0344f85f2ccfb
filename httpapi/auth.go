package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
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
	if scope, is := readingOf(ctx); is {
		return c.authenticateReader(scope)
	}
	if c.route.place == inBody {
		return c.authenticateBody(ctx)
	}
	if c.route.place == bySession {
		return c.authenticateVisitor(ctx)
	}
	secret, ok := bearer(c.http.Header)
	if !ok && c.route.place == optional && len(c.http.Header.Values("Authorization")) == 0 {
		c.scope.Env = c.api.defaultEnv()
		return nil
	}
	if !ok {
		return c.refused(errUnauthorized)
	}
	key, err := c.api.engine.Businesses.Authenticate(ctx, secret)
	if errors.Is(err, errUnauthorized) {
		return c.refused(errUnauthorized)
	}
	c.key, c.scope = key, key.Scope
	return err
}

// authorize decides by the environment and type of the key. It comes after the
// rate limit: a public key is no secret, and those it is refused count.
func (c *call) authorize() error {
	key := c.key
	if c.route.place == bySession {
		if !c.api.engine.Serves(c.scope.Env) {
			return errForbidden
		}
		return nil
	}
	if c.route.place == optional && key.ID == "" {
		return nil
	}
	switch {
	case c.route.sandbox && key.Scope.Env != ferry.Test:
		return errNotFound
	case c.route.place == optional && key.Type == c.route.page && c.api.engine.Serves(key.Scope.Env):
	case key.Type != c.route.key, !c.api.engine.Serves(key.Scope.Env):
		return errForbidden
	}
	if key.Type == business.SecretKey {
		return key.Grants(c.route.scopes()...)
	}
	return nil
}

// errPublicKey refuses a public key in a body or query (docs/api.md, "Credentials").
var errPublicKey = ferry.NewError(ferry.Invalid, "invalid_public_key", "The public key is invalid or not of this account")

// authenticateBody finds out who calls by the public key in the body.
func (c *call) authenticateBody(ctx context.Context) error {
	var in struct {
		PublicKey string `json:"public_key"`
	}
	var problems ferry.Problems
	if err := decodeBody(c, &in, &problems); err != nil {
		return err
	}
	if in.PublicKey == "" {
		return merged(problems.Err(), ferry.ErrValidation.About("public_key", missing))
	}
	key, err := c.api.keyOf(ctx, in.PublicKey, c.route.key)
	if errors.Is(err, errPublicKey) {
		return c.refused(err)
	}
	c.key, c.scope = key, key.Scope
	return err
}

// publicKey returns a usable public key by its text, or errPublicKey.
func (a *api) publicKey(ctx context.Context, text string) (business.Key, error) {
	return a.keyOf(ctx, text, business.PublicKey)
}

// keyOf returns a usable key of a type that is no secret by its text, or errPublicKey.
func (a *api) keyOf(ctx context.Context, text string, kind business.KeyType) (business.Key, error) {
	key, err := a.engine.Businesses.Authenticate(ctx, text)
	if errors.Is(err, errUnauthorized) || err == nil && key.Type != kind {
		return business.Key{}, errPublicKey
	}
	return key, err
}

// defaultEnv is the environment of a caller without a credential.
func (a *api) defaultEnv() ferry.Env {
	if !a.sandbox() && a.engine.Serves(ferry.Live) {
		return ferry.Live
	}
	return ferry.Test
}
