package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

// readerKey is the key of the scope in a context that Reading made.
type readerKey struct{}

// readerID stands for the key of a request of Reading.
const readerID business.KeyID = "operator"

// Reading returns a context in which a request is answered as one with a secret key of the scope that may read only,
// without a credential and without a rate limit. Routes that change something refuse it. It is for a program that holds
// the handler itself, such as the operator's view: no request that comes by the network has such a context.
func Reading(ctx context.Context, scope ferry.Scope) context.Context {
	return context.WithValue(ctx, readerKey{}, scope)
}

// readingOf returns the scope of a request of Reading.
func readingOf(ctx context.Context) (scope ferry.Scope, is bool) {
	scope, is = ctx.Value(readerKey{}).(ferry.Scope)
	return scope, is
}

// authenticateReader lets a request of Reading look, and nothing else.
func (c *call) authenticateReader(scope ferry.Scope) error {
	if c.route.writes() || c.route.place != inHeader && c.route.place != optional {
		return errForbidden
	}
	c.scope = scope
	c.key = business.Key{ID: readerID, Scope: scope, Type: business.SecretKey, Scopes: []business.KeyScope{business.Read}}
	return nil
}
